import { expect, it } from 'vitest';
import { tools } from '../contract/tool-catalogue.js';
import { unknownTool } from './unknown-tool.js';

it.each([
  ['continue_workflows', 'No tool is named "continue_workflows". Did you mean continue_workflow?'],
  ['xyz', 'No tool is named "xyz". The tools are list_workflows, continue_workflow.'],
  [
    'start_session',
    'The tool start_session is not enabled on this server. It takes --enable start_session (or WORKRAIL_ENABLE=start_session).',
  ],
  [
    'resume_session',
    'The tool resume_session is disabled on this server by --disable or WORKRAIL_DISABLE. To offer it, remove it there or pass --enable resume_session instead.',
  ],
  [
    'workflow_advance',
    'The tool workflow_advance is called continue_workflow here. The flag --legacy-tool-names offers the old names too.',
  ],
  [
    'workflow_next',
    'There is no tool workflow_next; use continue_workflow instead. ' + tools.continue_workflow.description,
  ],
])('%s', (name, message) => {
  expect(unknownTool(name, ['list_workflows', 'continue_workflow'])).toBe(message);
});
