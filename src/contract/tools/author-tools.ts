import type { authorSchemas } from './author-schemas.js';
import { reads, showing, type Tool, writes } from './tool.js';

const ids = { id: 'workflowId', workflow: 'workflowId', name: 'workflowId' };
const texts = {
  ...ids,
  source: 'content',
  text: 'content',
  yaml: 'content',
  manifest: 'content',
  definition: 'content',
};
const author = { byDefault: false, optional: true, toolset: 'author' } as const;
const draft =
  'workflow: team.release\ntitle: Make a release\ndescription: Use this to cut a release.\nsteps:\n  - id: check\n    prompt: Run the tests.\n';

/** Tools for writing workflows. None of them starts one. */
export const authorTools: { readonly [name in keyof typeof authorSchemas]: Tool } = {
  get_workflow: {
    title: 'Get a workflow file',
    ...showing(
      'Gives the text of a workflow file as it is on disk, with its revision, to be changed by save_workflow. Changes nothing.',
      { workflowId: 'team.release' },
    ),
    ...author,
    aliases: ids,
    annotations: reads,
  },
  validate_workflow: {
    title: 'Validate a workflow',
    ...showing(
      'Says everything that is wrong with a workflow, each with line, column and what was expected: of a text, a file in the workspace, or a workflow that is here. Writes nothing. Call it until it says valid, then save_workflow. The resource workrail://format has every key.',
      { content: draft },
    ),
    ...author,
    aliases: { ...texts, file: 'path' },
    annotations: reads,
  },
  save_workflow: {
    title: 'Save a workflow',
    ...showing(
      'Writes a workflow file, whole from content or in parts by patch; one with violations is not written. Replacing takes overwrite or expectedRevision. Files go to the project, else to the user. Runs that have begun keep the version they began with.',
      { content: draft },
    ),
    ...author,
    aliases: {
      ...texts,
      revision: 'expectedRevision',
      version: 'expectedRevision',
      operations: 'patch',
      force: 'overwrite',
    },
    annotations: { ...writes, destructiveHint: true },
  },
  rename_workflow: {
    title: 'Rename a workflow',
    ...showing(
      'Gives a workflow another id, in its file and as the name of the file. Names the workflows that call it.',
      {
        workflowId: 'team.release',
        newId: 'team.cut_release',
      },
    ),
    ...author,
    aliases: { ...ids, to: 'newId', newName: 'newId', newWorkflowId: 'newId', revision: 'expectedRevision' },
    annotations: { ...writes, destructiveHint: true },
  },
  delete_workflow: {
    title: 'Delete a workflow',
    ...showing(
      'Moves a workflow file to the trash. Ask the user first; then send the revision as confirm. Without it nothing is deleted, and you are told what would be.',
      { workflowId: 'team.release', confirm: 'rv_0123456789abcdef' },
    ),
    ...author,
    aliases: { ...ids, revision: 'confirm', expectedRevision: 'confirm' },
    annotations: { ...writes, destructiveHint: true },
  },
  preview_inputs: {
    title: 'Preview the inputs',
    ...showing(
      'Shows what a workflow, or the text of one, asks for at its start: required inputs, defaults and rules.',
      {
        workflowId: 'team.release',
      },
    ),
    ...author,
    aliases: texts,
    annotations: reads,
  },
  preview_rendered: {
    title: 'Preview the steps',
    ...showing(
      'Shows each step of a workflow, or of the text of one, with inputs filled in. What only a run can know stays a hole.',
      { workflowId: 'team.release', inputs: { version: '2.1.0' } },
    ),
    ...author,
    aliases: texts,
    annotations: reads,
  },
  plan_steps: {
    title: 'Plan the steps',
    ...showing(
      'Shows the order of the steps with their conditions, what each waits for and what it would change, and a hash of the plan.',
      { workflowId: 'team.release', inputs: { version: '2.1.0' } },
    ),
    ...author,
    aliases: texts,
    annotations: reads,
  },
  resolve_inputs: {
    title: 'Resolve the inputs',
    ...showing(
      'Checks inputs against a workflow, fills in defaults, and says for each whether it is settled, is to be asked for, or is wrong.',
      { workflowId: 'team.release', inputs: { version: '2.1.0' } },
    ),
    ...author,
    aliases: texts,
    annotations: reads,
  },
};
