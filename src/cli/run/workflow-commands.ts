import { atDeskOptions } from '../shell/shared-options.js';
import type { Command } from '../shell/command.js';

/** Commands that write workflow files. */
export const workflowCommands: readonly Command[] = [
  {
    name: 'workflows save',
    group: 'run',
    summary: 'check a workflow file and put it into the library',
    words: { usage: '<file>', most: 1, name: 'file' },
    details: [
      'A file with violations is not saved. It goes into the project where there is a .workrail, else into your own folder; WORKRAIL_WORKFLOWS_DIR names another.',
    ],
    options: {
      to: { kind: 'text', value: 'project|user', says: 'where a new workflow goes' },
      overwrite: { kind: 'switch', says: 'replace the workflow of the same id' },
      ...atDeskOptions,
    },
    examples: ['workrail workflows save mine.yaml', 'workrail workflows save mine.yaml --to user --overwrite'],
    load: async () => (await import('./workflows-command.js')).runWorkflowsSave,
  },
  {
    name: 'workflows rename',
    group: 'run',
    summary: 'give a workflow another id',
    words: { usage: '<workflow> <new-id>', most: 2, name: 'workflow' },
    details: [
      'Changes the id in its file, and the name of the file where it was named for it. Runs go on as they are.',
    ],
    options: atDeskOptions,
    examples: ['workrail workflows rename team.release team.cut_release'],
    load: async () => (await import('./workflows-command.js')).runWorkflowsRename,
  },
  {
    name: 'workflows delete',
    group: 'run',
    summary: 'move a workflow file to the trash',
    words: { usage: '<workflow>', most: 1, name: 'workflow' },
    details: [
      'Asks first; --yes does not. The file is kept below local/deleted of the data folder. Runs go on as they are.',
    ],
    options: { yes: { kind: 'switch', says: 'do not ask' }, ...atDeskOptions },
    examples: ['workrail workflows delete team.release', 'workrail workflows delete team.release --yes'],
    load: async () => (await import('./workflows-command.js')).runWorkflowsDelete,
  },
];
