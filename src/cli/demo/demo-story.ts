import { isHole } from '../../base/hole.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import type { ExecutionAnswer } from '../../contract/answer.js';
import { clearTheWriter, hearFromAPerson, rewindAndFork } from './demo-branches.js';
import type { Claims } from './demo-claims.js';
import { exportForColleague, type Person, workApart } from './demo-colleague.js';
import { countLog } from './demo-log.js';
import { killTheServer, mangleAToken, resumeInANewChat } from './demo-new-chat.js';
import { shareAState } from './demo-state.js';
import { finishATask, waitForTheUser } from './demo-others.js';
import { executionOf, type Player, playerOn, same, titleOf } from './demo-player.js';
import { goOnToTheEnd, letTheUserDecide } from './demo-user.js';
import { lostRows } from './lost-rows.js';

const { workflowId, session } = lostRows;

export interface Stage {
  readonly me: Person;
  readonly colleague: Person;
}

/** A life of one piece of work, with everything that happens to chats and processes, and two smaller ones beside it. */
export async function playStory({ me, colleague }: Stage, claims: Claims): Promise<void> {
  const first = await me.startServer();
  const player = playerOn(first);
  try {
    await lookAround(player, claims);
    await finishATask(first, me, claims);
    const third = await startAndWork(player, claims);
    const fourth = await recordProgress(player, claims, third);
    const hunt = await loseAnAnswer(player, claims, fourth);
    const cleared = await clearTheWriter(player, claims, hunt);
    await hearFromAPerson(player, me, claims, cleared.answer);
    const branch = await rewindAndFork(player, claims, hunt, cleared);
    const last = await killTheServer(player, claims, first, branch);
    const second = await me.startServer();
    let bundle: string;
    let found: ExecutionAnswer;
    try {
      player.moveTo(second);
      found = await resumeInANewChat(player, claims, last);
      await mangleAToken(player, claims, found);
      bundle = exportForColleague(me, session, claims);
      const decided = await letTheUserDecide(player, me, claims, found);
      await goOnToTheEnd(player, claims, decided);
      await waitForTheUser(second, me, claims);
    } finally {
      await second.close();
    }
    await shareAState(me, claims);
    countTheLog(player, claims, me.place.dataDir);
    await workApart(me, colleague, bundle, found, claims);
  } finally {
    await first.close();
  }
}

async function lookAround(player: Player, { scene, claim, need }: Claims): Promise<void> {
  scene('Look around');
  const list = await player.call('list_workflows', {});
  const { workflows } = list.answer;
  const ids = Array.isArray(workflows)
    ? workflows.map((workflow: unknown) => (isJsonObject(workflow) ? workflow['id'] : undefined))
    : [];
  need(`list_workflows names ${ids.length} workflows, ${workflowId} among them`, ids.includes(workflowId), list.text);
  let told = 0;
  let pages = 0;
  for (let cursor: unknown = '0'; typeof cursor === 'string' && pages < 20; pages += 1) {
    const preview = await player.call('inspect_workflow', { workflowId, mode: 'preview', cursor });
    const { steps, nextCursor } = preview.answer;
    told += Array.isArray(steps) ? steps.length : 0;
    cursor = nextCursor;
  }
  claim(
    `inspect_workflow tells its ${told} steps beforehand, on ${pages} page${pages === 1 ? '' : 's'}`,
    told > 3,
    `${told} steps`,
  );
}

/** Returns where the third step waits. */
async function startAndWork(player: Player, { scene, claim, need }: Claims): Promise<ExecutionAnswer> {
  scene('Start, and do two steps');
  const refused = await player.call('start_workflow', { workflowId, session });
  const { violations, nextCall } = refused.answer;
  claim(
    'a start without its input is refused, and says which one',
    refused.isError && Array.isArray(violations) && violations.length > 0,
    refused.text,
  );
  const offered = isJsonObject(nextCall) && isJsonObject(nextCall['arguments']) ? nextCall['arguments'] : {};
  const unfilled = await player.call('start_workflow', offered);
  claim('the call it offers has a hole for it, and is refused until that is filled', unfilled.isError, unfilled.text);
  const said = await player.call('start_workflow', filled(offered));
  need('filled in, it starts the run', !said.isError, said.text);
  const started = executionOf(said);
  const one = await player.play(started, lostRows.frame);
  const assumed = one.answer.gaps?.[0]?.id ?? '';
  const two = await player.play(one.answer, lostRows.reproduce(assumed));
  claim(
    `“${titleOf(started)}” and “${titleOf(one.answer)}” are done, with what the answers ask for`,
    two.answer.stepsDone === 2,
    two.said.text,
  );
  claim(
    'what the first assumed is an open gap, and the second resolves it',
    assumed !== '' && !(two.answer.gaps ?? []).some(({ id }) => id === assumed),
    { before: one.answer.gaps, after: two.answer.gaps },
  );
  need(`“${titleOf(two.answer)}” waits`, two.answer.pending !== null, two.said.text);
  return two.answer;
}

/** What an agent does with an offered call: puts what it knows where the holes are. */
function filled(offered: JsonObject): JsonObject {
  const context = isJsonObject(offered['context']) ? offered['context'] : {};
  const known = Object.entries(context).map(([name, value]): [string, JsonValue] => [
    name,
    isHole(value) ? lostRows.symptom : value,
  ]);
  return { ...offered, context: { ...Object.fromEntries(known), branch: lostRows.branch } };
}

async function recordProgress(player: Player, { scene, claim }: Claims, at: ExecutionAnswer): Promise<ExecutionAnswer> {
  scene('Record progress between two steps');
  const request: JsonObject = { stateToken: at.stateToken, output: { notesMarkdown: lostRows.checkpoint } };
  const said = await player.call('checkpoint_workflow', request);
  claim('checkpoint_workflow keeps notes', !said.isError, said.text);
  const again = await player.call('checkpoint_workflow', request);
  claim('sent twice, it is one checkpoint', !again.isError && same(said, again), again.text);
  const looked = await player.call('continue_workflow', { stateToken: at.stateToken });
  const here = executionOf(looked);
  claim(
    'the step still waits where it did',
    here.pending?.path === at.pending?.path && here.stateToken === at.stateToken,
    looked.text,
  );
  return here;
}

/** Returns where the suspects are to be tested. */
async function loseAnAnswer(player: Player, { scene, claim }: Claims, at: ExecutionAnswer): Promise<ExecutionAnswer> {
  scene('An answer gets lost');
  const lost = await player.play(at, lostRows.suspects);
  const again = await player.call('continue_workflow', lost.request);
  claim('the same pair again gets the same answer, byte for byte', same(lost.said, again), again.text);
  const thrice = await player.call('continue_workflow', lost.request);
  claim('and once more', same(lost.said, thrice), thrice.text);
  return lost.answer;
}

function countTheLog(player: Player, { scene, claim }: Claims, dataDir: string): void {
  scene('What the log holds');
  const { kinds, attempts, segments, unread } = countLog(dataDir, session);
  const acks = new Set(player.played.map(({ request }) => request['ackToken'])).size;
  const count = (kind: string): number => kinds.get(kind) ?? 0;
  const seen = Object.fromEntries(kinds);
  claim(
    `${acks} steps were acknowledged, ${count('step_acked')} are recorded: nothing lost`,
    count('step_acked') === acks,
    seen,
  );
  claim('no attempt is recorded twice', new Set(attempts).size === attempts.length, attempts);
  claim(
    'one session, one run, one checkpoint, one answer of the user',
    ['session_started', 'run_started', 'checkpoint', 'question_answered'].every((kind) => count(kind) === 1),
    seen,
  );
  claim(`${segments} segments, and every line of them is an event`, segments > 1 && unread === 0, {
    segments,
    unread,
  });
}
