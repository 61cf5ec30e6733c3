import type { ToolSwitches } from '../../mcp/choose-tools.js';
import type { McpServerOptions } from '../../mcp/mcp-server.js';
import type { OptionTable } from '../print/option-table.js';
import type { ParsedOptions } from '../shell/parse-options.js';
import type { CliEnvironment } from '../print/cli-environment.js';

/** Which tools agents are offered. */
export const toolOptions: OptionTable = {
  disable: {
    kind: 'list',
    value: 'tools',
    says: 'turn these off: checkpoint_workflow, resume_session (or WORKRAIL_DISABLE)',
  },
  enable: { kind: 'list', value: 'tools', says: 'turn these on: start_session (or WORKRAIL_ENABLE)' },
  toolsets: {
    kind: 'list',
    value: 'names',
    says: 'turn these sets of tools on: author to write workflows, commands to run them, catalogs to import APIs, state to share a document (or WORKRAIL_TOOLSETS)',
  },
  'read-only': { kind: 'switch', says: 'offer no tool that writes' },
  'structured-content': {
    kind: 'switch',
    says: 'also send every answer as structured content, for clients that show nothing else',
  },
  'no-elicitation': {
    kind: 'switch',
    says: 'never ask the user through the client, even if it supports that',
  },
  tasks: {
    kind: 'switch',
    says: 'also use tasks with clients of revision 2025-11-25, for calls that wait for the user',
  },
  'legacy-tool-names': { kind: 'switch', says: 'also offer workflow_list, workflow_start, workflow_advance …' },
};

export function toolSwitches(parsed: ParsedOptions, env: CliEnvironment['env']): readonly ToolSwitches[] {
  const { WORKRAIL_ENABLE = '', WORKRAIL_DISABLE = '', WORKRAIL_TOOLSETS = '' } = env;
  const [enable, disable] = [parsed.list('enable'), parsed.list('disable')];
  return [
    {
      enableName: 'WORKRAIL_ENABLE',
      disableName: 'WORKRAIL_DISABLE',
      toolsetsName: 'WORKRAIL_TOOLSETS',
      enable: [WORKRAIL_ENABLE],
      disable: [WORKRAIL_DISABLE],
      toolsets: [WORKRAIL_TOOLSETS],
    },
    {
      enableName: '--enable',
      disableName: '--disable',
      toolsetsName: '--toolsets',
      enable,
      disable,
      toolsets: parsed.list('toolsets'),
    },
  ];
}

/** What a client is asked, and given in place of an answer. */
export function askingSwitches(parsed: ParsedOptions): Pick<McpServerOptions, 'noElicitation' | 'tasks'> {
  const noElicitation = parsed.has('no-elicitation');
  return { noElicitation, tasks: noElicitation ? undefined : { legacy: parsed.has('tasks') } };
}
