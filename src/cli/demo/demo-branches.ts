import type { ExecutionAnswer } from '../../contract/answer.js';
import type { Claims } from './demo-claims.js';
import type { Person } from './demo-colleague.js';
import { executionOf, type Played, type Player, same, titleOf } from './demo-player.js';
import { commandToLabel } from './demo-tale.js';
import { lostRows } from './lost-rows.js';
import { lostRowsHunt } from './lost-rows-hunt.js';

/** Returns the last of two steps on a branch that finds a bug, and not the one that is looked for. */
export async function clearTheWriter(player: Player, { scene, claim }: Claims, hunt: ExecutionAnswer): Promise<Played> {
  scene('The first suspect is tested, and cleared');
  const [test, clear] = lostRowsHunt.writer;
  const tested = await player.play(hunt, test);
  const cleared = await player.play(tested.answer, clear);
  claim(
    `two rounds of “${titleOf(hunt)}” are done, and a third waits`,
    cleared.answer.pending?.title === hunt.pending?.title && cleared.answer.stepsDone === hunt.stepsDone + 2,
    cleared.said.text,
  );
  return cleared;
}

export async function hearFromAPerson(
  player: Player,
  me: Person,
  { scene, claim }: Claims,
  at: ExecutionAnswer,
): Promise<void> {
  scene('A person joins in');
  const named = me.run(commandToLabel(lostRows));
  claim(`workrail sessions label calls the work “${lostRows.label.title}”`, named.code === 0, named.text);
  const noted = me.run(['note', lostRows.session, lostRowsHunt.personNote]);
  const looked = await player.call('continue_workflow', { stateToken: at.stateToken });
  claim(
    'workrail note writes beside it, and the agent reads that at its next look',
    noted.code === 0 && looked.text.includes(lostRowsHunt.personNote),
    noted.code === 0 ? looked.text : noted.text,
  );
}

/** Goes back to where the suspects waited, and tests the other one. Returns where that branch stands. */
export async function rewindAndFork(
  player: Player,
  { scene, claim, need }: Claims,
  hunt: ExecutionAnswer,
  further: Played,
): Promise<ExecutionAnswer> {
  scene('The chat is rewound by two steps');
  const replayed = player.played.find(({ request }) => request['stateToken'] === hunt.stateToken);
  const looked = await player.call('continue_workflow', { stateToken: hunt.stateToken });
  const back = executionOf(looked);
  need(
    `the old stateToken shows “${titleOf(hunt)}” again`,
    back.happened === 'looked_back' && back.pending?.path === hunt.pending?.path,
    looked.text,
  );
  claim(
    'it tells of the branch that went on, and where the work stands',
    back.branches?.length === 1 && back.preferredTip?.stateToken === further.answer.stateToken,
    looked.text,
  );
  const fork = await player.play(back, lostRowsHunt.border[0]);
  claim(
    'its fresh ackToken begins a second branch, for the other suspect',
    fork.answer.happened === 'forked' && fork.answer.stateToken !== replayed?.answer.stateToken,
    fork.said.text,
  );
  const again = replayed && (await player.call('continue_workflow', replayed.request));
  claim(
    'the pair of the first branch still gets its own answer, byte for byte',
    again !== undefined && same(replayed?.said, again),
    again?.text,
  );
  return fork.answer;
}
