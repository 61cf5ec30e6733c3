import type { ToolSwitches } from '../mcp/choose-tools.js';
import type { OptionTable, ParsedOptions } from './parse-options.js';
import type { Surroundings } from './surroundings.js';

/** Which tools agents are offered. */
export const toolOptions: OptionTable = {
  disable: {
    kind: 'list',
    value: 'tools',
    says: 'do not offer these: checkpoint_workflow, resume_session (or WORKRAIL_DISABLE)',
  },
  enable: { kind: 'list', value: 'tools', says: 'offer these as well: start_session (or WORKRAIL_ENABLE)' },
  'structured-content': {
    kind: 'switch',
    says: 'give every answer as structured content too, for clients that show nothing else',
  },
  'legacy-tool-names': { kind: 'switch', says: 'offer workflow_list, workflow_start, workflow_advance … as well' },
};

export function toolSwitches(parsed: ParsedOptions, env: Surroundings['env']): readonly ToolSwitches[] {
  const { WORKRAIL_ENABLE = '', WORKRAIL_DISABLE = '' } = env;
  return [
    {
      enableName: 'WORKRAIL_ENABLE',
      disableName: 'WORKRAIL_DISABLE',
      enable: [WORKRAIL_ENABLE],
      disable: [WORKRAIL_DISABLE],
    },
    {
      enableName: '--enable',
      disableName: '--disable',
      enable: parsed.list('enable'),
      disable: parsed.list('disable'),
    },
  ];
}
