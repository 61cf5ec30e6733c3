import { agentResources } from '../../requests/workflows/agent-resources.js';
import type { RunCommand } from '../shell/command.js';
import { exitCodes } from '../shell/exit-codes.js';

/** The schema that agents read as a resource, for people and their editors. */
export const runSchema: RunCommand = (_, { out }) => {
  for (const { uri, text } of agentResources()) if (uri === 'workrail://workflow-schema') out(text);
  return Promise.resolve(exitCodes.done);
};
