import type { CheckpointAnswer } from '../../contract/answer.js';
import { plural } from '../../base/plural.js';
import { plainCopy } from '../../base/plain-copy.js';
import { replyWith } from '../../contract/reply-with.js';
import type { Reply } from '../../contract/reply.js';
import { agentText } from './agent-text.js';
import { type Reader, said, type Told } from '../telling.js';
import { visibleTitle } from '../visible-text.js';

export function checkpointReply(answer: CheckpointAnswer): Reply {
  const { kind, stateToken, sessionToken } = answer;
  return replyWith(agentText([tellKept(answer, 'agent')]), answer, plainCopy({ kind, stateToken, sessionToken }));
}

/** What was kept, and that its step is still to be done. */
export function tellKept({ recorded, gaps, warnings, nextCall }: CheckpointAnswer, reader: Reader): readonly Told[] {
  const { at, notes, artifacts } = recorded;
  const what = [
    ...(notes === undefined ? [] : [reader === 'agent' ? 'notes' : `notes “${visibleTitle(notes)}”`]),
    ...(artifacts > 0 ? [plural(artifacts, 'artifact')] : []),
    ...gaps.map(({ id, resolves }) => (resolves === undefined ? `gap ${id}` : `${resolves} settled`)),
  ];
  return [
    said(
      `Kept at ${at}: ${what.join(', ')}. ${nextCall === undefined ? 'Nothing was advanced' : 'The step is still to do'}.`,
      'good',
    ),
    ...warnings.map(({ message }) =>
      said(`Warning: ${visibleTitle(message)}${/[.?!]$/u.test(message) ? '' : '.'}`, 'bad'),
    ),
    ...(nextCall === undefined || reader === 'agent'
      ? []
      : [{ kind: 'call', lead: 'See it: ', call: nextCall } as const]),
  ];
}
