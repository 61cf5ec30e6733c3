import type { ExecutionAnswer } from '../../contract/answer.js';
import type { Claims } from './demo-claims.js';
import type { Person } from './demo-colleague.js';
import { executionOf, type Player, requestToAck, titleOf } from './demo-player.js';
import { lostRows } from './lost-rows.js';
import { lostRowsEnd } from './lost-rows-end.js';

const answer = ['answer', lostRows.session, '--question', 'change', '--value', 'make', '--no-terminal'];

/** The agent asks for a decision that only the user can take, and goes on with it. */
export async function letTheUserDecide(
  player: Player,
  me: Person,
  { scene, claim, need }: Claims,
  from: ExecutionAnswer,
): Promise<ExecutionAnswer> {
  scene('The user decides');
  const { answer: at } = await player.play(from, lostRowsEnd.explain);
  const asked = await player.call('continue_workflow', requestToAck(at, lostRowsEnd.propose));
  need(
    `“${titleOf(at)}” is kept, and waits for the user`,
    !asked.isError && asked.answer['kind'] === 'blocked',
    asked.text,
  );
  const answered = me.run(answer);
  need('workrail answer records what the user decides', answered.code === 0, answered.text);
  const twice = me.run(answer.with(answer.indexOf('make'), 'none'));
  claim('another answer after it is refused: the first counts', twice.code !== 0, twice.text);
  const done = await player.play(at, lostRowsEnd.propose);
  claim(
    'the same call again goes on, and tells the agent that it was the user’s word',
    done.answer.answered?.length === 1 && done.answer.stepsDone === at.stepsDone + 1,
    done.said.text,
  );
  return done.answer;
}

export async function goOnToTheEnd(
  player: Player,
  { scene, claim, need }: Claims,
  from: ExecutionAnswer,
): Promise<void> {
  scene('On to the end');
  const fixed = await player.play(from, lostRowsEnd.fix);
  const { answer: at } = await player.play(fixed.answer, lostRowsEnd.handOver);
  const titles = [from, fixed.answer].map(titleOf).join(', ');
  need(`two more steps to the end: ${titles}`, at.isComplete && at.kind === 'complete', at);
  const looked = executionOf(await player.call('continue_workflow', { stateToken: at.stateToken }));
  claim('the run is complete, and stays so', looked.isComplete && looked.pending === null, looked);
  claim('what was not checked is told with it: 1 open gap', looked.gaps?.length === 1, looked);
}
