import type { KeyId } from '../base/ids.js';
import type { EventData } from '../events/event-data.js';
import type { Event, EventDraft, Who } from '../events/event.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import type { IdsFromSeed } from './ids-from-seed.js';
import { type Brought, broughtDigest, keptOutput, type RequestedOutput } from './requested-output.js';
import { GapList, secretWarning, settler } from './gap-list.js';

export interface Checkpoint {
  readonly output: RequestedOutput;
  readonly key: KeyId;
  /** The person who hands it in; nobody where it is an agent. */
  readonly who?: Who | undefined;
  readonly draw: IdsFromSeed;
}

/** The same checkpoint on the same node is one checkpoint: its answer is found again by this digest. */
export function decideCheckpoint(
  session: FoldedSession,
  node: RunNode | undefined,
  { output, key, who, draw }: Checkpoint,
): { readonly brought: string; readonly events: readonly EventDraft[] } {
  const brought = broughtDigest({ output });
  if (checkpointOf(session, node, brought) !== undefined) return { brought, events: [] };
  const data = checkpointData({ output, key, draw }, brought);
  return {
    brought,
    events: [
      {
        kind: 'checkpoint',
        ...(node !== undefined && { run: node.run, node: node.id }),
        ...settler(who, data.gaps),
        data,
      },
    ],
  };
}

export function checkpointData(
  { output, context, key, draw }: Brought & { readonly key: KeyId; readonly draw: IdsFromSeed },
  brought: string,
  late?: EventData<'checkpoint'>['late'],
): EventData<'checkpoint'> {
  const { gaps } = new GapList(draw, output);
  const secret = secretWarning(output, context);
  return {
    output: keptOutput(output) ?? {},
    ...(gaps.length > 0 && { gaps }),
    brought,
    ...(late !== undefined && { late }),
    ...(secret !== undefined && { warnings: [secret] }),
    key,
  };
}

export function checkpointOf(
  session: FoldedSession,
  node: RunNode | undefined,
  brought: string,
): Event<'checkpoint'> | undefined {
  const standing = node === undefined ? session.checkpoints : node.checkpoints;
  return standing.find(({ data }) => data.late === undefined && data.brought === brought);
}
