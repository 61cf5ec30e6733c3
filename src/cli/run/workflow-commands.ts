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
      'Does not save a file with violations. Saves to the project if it has a .workrail folder, else to your own folder, or to WORKRAIL_WORKFLOWS_DIR if that is set.',
    ],
    options: {
      to: { kind: 'text', value: 'project|user', says: 'where a new workflow goes' },
      overwrite: { kind: 'switch', says: 'replace the workflow with the same id' },
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
    details: ['Changes the id in the file, and the file’s name if it matches the id. Existing runs are not affected.'],
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
      'Asks first, unless you pass --yes. Keeps the file in local/deleted of the data folder. Existing runs are not affected.',
    ],
    options: { yes: { kind: 'switch', says: 'do not ask' }, ...atDeskOptions },
    examples: ['workrail workflows delete team.release', 'workrail workflows delete team.release --yes'],
    load: async () => (await import('./workflows-command.js')).runWorkflowsDelete,
  },
];
