import { command } from '../../base/sentence.js';
import { err, ok, type Result } from '../../base/result.js';
import type { Rejection } from '../../base/rejection.js';
import { branchNumbers } from '../../contract/plan-tracks.js';
import type { NodeShown } from '../../contract/node-shown.js';
import type { RunStory, SessionStory } from '../../contract/session-story.js';

/** The runs that are asked for: one by its id or how only it begins, else all of them. */
export function pickRuns(
  { sessionId, runs }: SessionStory,
  wanted: string | undefined,
): Result<readonly RunStory[], Rejection> {
  if (wanted === undefined) return ok(runs);
  const begun = runs.filter(
    ({ runId }) => runId === wanted || runId.startsWith(wanted) || runId.startsWith(`run_${wanted}`),
  );
  if (begun.length === 1) return ok(begun);
  const names = (begun.length === 0 ? runs : begun)
    .map(({ runId }) => runId)
    .slice(0, 5)
    .join(', ');
  return err({
    code: 'NOT_FOUND',
    message:
      begun.length > 1
        ? `${begun.length} runs of ${sessionId} begin with ${JSON.stringify(wanted)}: ${names}`
        : `no run ${JSON.stringify(wanted)} in session ${sessionId}${names === '' ? '' : `; it has ${names}`}`,
    action: ['list its runs: ', command('graph', sessionId)],
    context: { run: wanted },
  });
}

/** A step by its node's id, or how only that one of the session begins; the `n_` may be left out. */
export function pickNode({ sessionId, runs }: SessionStory, wanted: string): Result<NodeShown, Rejection> {
  const begun = runs.flatMap((run) =>
    run.nodes
      .filter(({ nodeId }) => nodeId.startsWith(wanted) || nodeId.startsWith(`n_${wanted}`))
      .map((node) => ({ run, node })),
  );
  const [only] = begun;
  if (only === undefined || begun.length > 1) {
    return err({
      code: 'NOT_FOUND',
      message:
        begun.length === 0
          ? `no step ${JSON.stringify(wanted)} in session ${sessionId}`
          : `${begun.length} steps begin with ${JSON.stringify(wanted)}: ${begun
              .slice(0, 5)
              .map(({ node }) => node.nodeId)
              .join(', ')}`,
      action: ['list its steps: ', command('graph', sessionId, '--whole')],
      context: { node: wanted },
    });
  }
  const { run, node } = only;
  const byId = new Map(run.nodes.map((one) => [one.nodeId, one]));
  const parent = node.parent === undefined ? undefined : byId.get(node.parent);
  const { runId, workflow, status, preferredTip } = run;
  const numbers = branchNumbers(run);
  const branches = Object.fromEntries(
    [node.nodeId, ...node.children].flatMap((id) => {
      const number = numbers.get(id);
      return number === undefined ? [] : [[id, number] as const];
    }),
  );
  return ok({
    sessionId,
    run: { runId, workflow, status, preferredTip },
    node,
    ...(run.tips.length > 1 && { branches }),
    ...(parent !== undefined && { parent }),
    children: node.children.flatMap((id) => byId.get(id) ?? []),
  });
}
