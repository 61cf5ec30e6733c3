import type { CheckpointAnswer } from '../contract/answer.js';
import { plainCopy } from '../base/plain-copy.js';
import { replyWith } from '../contract/reply-with.js';
import type { Reply } from '../contract/reply.js';
import { agentText } from './agent-text.js';
import { said, type Told } from './telling.js';
import { visibleTitle } from './visible-text.js';

export function checkpointReply(answer: CheckpointAnswer): Reply {
  const { kind, stateToken, sessionToken, session } = answer;
  return replyWith(agentText([tellCheckpoint(answer)]), answer, plainCopy({ kind, stateToken, sessionToken, session }));
}

/** What was kept, and that its step is still to be done. */
export function tellCheckpoint({ recorded, gaps, warnings, nextCall }: CheckpointAnswer): readonly Told[] {
  const { at, notes, artifacts } = recorded;
  const what = [
    ...(notes === undefined ? [] : [`notes “${visibleTitle(notes)}”`]),
    ...(artifacts > 0 ? [`${artifacts} artifact${artifacts === 1 ? '' : 's'}`] : []),
    ...gaps.map(({ id, resolves }) => (resolves === undefined ? `gap ${id}` : `${resolves} settled`)),
  ];
  return [
    said(`Kept at ${at}: ${what.join(', ')}. Nothing was advanced.`, 'good'),
    ...warnings.map(({ message }) => said(`Warning: ${message}.`, 'bad')),
    ...(nextCall === undefined
      ? []
      : [{ kind: 'call', lead: 'The step there is still to do: ', call: nextCall, rest: ' shows it.' } as const]),
  ];
}
