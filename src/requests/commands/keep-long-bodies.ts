import { commandAt } from '../../decide/commands/command-at.js';
import type { CommandHere } from '../../decide/commands/command-decision.js';
import { longBody } from '../../decide/commands/tell-request.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import { waitingDraft } from '../../sessions/person-answers.js';
import type { Environment } from '../world/environment.js';
import type { NodeInContext } from '../world/node-in-context.js';

/** Keeps what the user is asked about and is too long to be shown where they can read all of it. */
export async function keepLongBodies(
  env: Environment,
  { log, run, workflow }: Pick<NodeInContext, 'log' | 'run' | 'workflow'>,
  hereAt: (session: FoldedSession) => CommandHere,
): Promise<void> {
  const long = await log.read(({ state }) =>
    [...(state.runs.get(run)?.tips ?? [])].flatMap((id) => {
      const node = state.nodes.get(id);
      const draft = node && waitingDraft(node);
      if (node === undefined || draft?.data.command === undefined || draft.data.command.try !== undefined) return [];
      const command = commandAt(state, node, workflow, hereAt(state));
      return (command.ok ? longBody(command.value) : undefined) ?? [];
    }),
  );
  for (const text of long) await env.store.running.putBlob(log.place, Buffer.from(text));
}
