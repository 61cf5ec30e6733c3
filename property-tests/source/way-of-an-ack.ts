import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Station {
  readonly name: string;
  readonly happens: string;
  /** Where to read it, the first place first: a file below src/ and what it exports. */
  readonly places: readonly (readonly [file: string, exported: string])[];
}

/** What becomes of a step that an agent hands in. Each request takes this way; only what decides and responds is another. */
export const wayOfAnAck: readonly Station[] = [
  {
    name: 'request',
    happens: 'an agent calls continue_workflow with a stateToken and its ackToken',
    places: [['mcp/mcp-server.ts', 'mcpServer']],
  },
  {
    name: 'parse',
    happens: 'arguments become a typed request, or a rejection that says what to send',
    places: [['contract/parse-request.ts', 'parseRequest']],
  },
  {
    name: 'open token',
    happens: 'which session, which node, which attempt',
    places: [
      ['requests/steps/open-token.ts', 'openState'],
      ['tokens/token.ts', 'verifyAck'],
    ],
  },
  {
    name: 'load',
    happens: 'what was written since the last look is read and verified',
    places: [['log/file-session-log.ts', 'FileSessionLog']],
  },
  {
    name: 'fold',
    happens: 'events become the state of the session',
    places: [['sessions/fold-session.ts', 'foldSession']],
  },
  {
    name: 'decide',
    happens: 'request, state and pin become events, or a rejection',
    places: [
      ['decide/decide-ack.ts', 'decideAck'],
      ['engine/find-next.ts', 'findNext'],
    ],
  },
  {
    name: 'append and sync',
    happens: 'one write, one sync: from here on the step is not lost',
    places: [['log/appender.ts', 'Appender']],
  },
  {
    name: 'fold',
    happens: 'the new events are folded as any others',
    places: [['sessions/fold-session.ts', 'foldSession']],
  },
  {
    name: 'respond',
    happens: 'the answer is told from folded state alone, so a replay gives the same one',
    places: [['respond/execution-answers.ts', 'answerToAck']],
  },
  {
    name: 'reply',
    happens: 'text and JSON go back to the agent',
    places: [['mcp/tool-result.ts', 'toolResult']],
  },
];

/** Where the stations are joined: every request, this request, and what is done with an attempt. */
export const joints: Station['places'] = [
  ['requests/requests.ts', 'openRequests'],
  ['requests/steps/continue-workflow.ts', 'continueWorkflow'],
  ['requests/steps/acknowledge.ts', 'acknowledge'],
];

/** Places that are not in the sources inside `root`: a file that was renamed, or what it no longer exports. */
export function lostPlaces(root: string, places: Station['places']): readonly string[] {
  return places.flatMap(([file, exported]) => {
    const path = join(root, 'src', file);
    if (!existsSync(path)) return [`src/${file} is not there: say in way-of-an-ack.ts where that happens now.`];
    const isExported = new RegExp(`^export (?:async )?(?:abstract )?(?:function|class|const) ${exported}\\b`, 'mu');
    return isExported.test(readFileSync(path, 'utf8')) ? [] : [`src/${file} does not export ${exported} any more.`];
  });
}
