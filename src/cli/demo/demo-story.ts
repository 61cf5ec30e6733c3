import { isHole } from '../../base/hole.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import type { ExecutionAnswer } from '../../contract/answer.js';
import type { StdioClient, ToolAnswer } from '../../mcp/stdio-client.js';
import type { Claims } from './demo-claims.js';
import { exportForColleague, type Person, workApart } from './demo-colleague.js';
import { countLog } from './demo-log.js';
import { executionOf, type Played, type Player, playerOn } from './demo-player.js';

const workflowId = 'wr.bug_investigation';
const session = 'DEMO-1';
const checkpointNotes = 'Bisected by hand between two steps: the comma parser swallows the trailing field.';
const laterQuery = 'comma parser trailing field';
/** More steps than any path through the workflow has. */
const mostSteps = 60;

export interface Stage {
  readonly me: Person;
  readonly colleague: Person;
}

/** A life of one piece of work, with everything that happens to chats and processes. */
export async function playStory({ me, colleague }: Stage, claims: Claims): Promise<void> {
  const first = await me.startServer();
  const player = playerOn(first);
  try {
    await lookAround(player, claims);
    const third = await startAndWork(player, claims);
    const fourth = await recordProgress(player, claims, third);
    const fifth = await loseAnAnswer(player, claims, fourth);
    const branch = await rewindAndFork(player, claims, third, fifth);
    const last = await killTheServer(player, claims, first, branch);
    const second = await me.startServer();
    let bundle: string;
    let found: ExecutionAnswer;
    try {
      player.moveTo(second);
      found = await resumeInANewChat(player, claims, last);
      await mangleAToken(player, claims, found);
      bundle = exportForColleague(me, session, claims);
      await goOnToTheEnd(player, claims, found);
    } finally {
      await second.close();
    }
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
  const one = await player.play(started);
  const two = await player.play(one.answer);
  claim(
    `“${titleOf(started)}” and “${titleOf(one.answer)}” are done, from nothing but pending.expects`,
    two.answer.stepsDone === 2,
    two.said.text,
  );
  need(`“${titleOf(two.answer)}” waits`, two.answer.pending !== null, two.said.text);
  return two.answer;
}

/** What an agent does with an offered call: puts what it knows where the holes are. */
function filled(offered: JsonObject): JsonObject {
  const context = isJsonObject(offered['context']) ? offered['context'] : {};
  const known = Object.entries(context).map(([name, value]): [string, JsonValue] => [
    name,
    isHole(value) ? 'The export of an empty list fails with a 500.' : value,
  ]);
  return { ...offered, context: Object.fromEntries(known) };
}

async function recordProgress(player: Player, { scene, claim }: Claims, at: ExecutionAnswer): Promise<ExecutionAnswer> {
  scene('Record progress between two steps');
  const request: JsonObject = { stateToken: at.stateToken, output: { notesMarkdown: checkpointNotes } };
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

async function loseAnAnswer(player: Player, { scene, claim }: Claims, at: ExecutionAnswer): Promise<Played> {
  scene('An answer gets lost');
  const lost = await player.play(at);
  const again = await player.call('continue_workflow', lost.request);
  claim('the same pair again gets the same answer, byte for byte', same(lost.said, again), again.text);
  const thrice = await player.call('continue_workflow', lost.request);
  claim('and once more', same(lost.said, thrice), thrice.text);
  return player.play(lost.answer);
}

async function rewindAndFork(
  player: Player,
  { scene, claim, need }: Claims,
  third: ExecutionAnswer,
  further: Played,
): Promise<ExecutionAnswer> {
  scene('The chat is rewound by two steps');
  const replayed = player.played[2];
  const looked = await player.call('continue_workflow', { stateToken: third.stateToken });
  const back = executionOf(looked);
  need(
    `the old stateToken shows “${titleOf(third)}” again`,
    back.happened === 'looked_back' && back.pending?.path === third.pending?.path,
    looked.text,
  );
  claim(
    'it tells of the branch that went on, and where the work stands',
    back.branches?.length === 1 && back.preferredTip?.stateToken === further.answer.stateToken,
    looked.text,
  );
  const fork = await player.play(back);
  claim(
    'its fresh ackToken begins a second branch',
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

async function killTheServer(
  player: Player,
  { scene, claim }: Claims,
  server: StdioClient,
  at: ExecutionAnswer,
): Promise<Played> {
  scene('The server is killed in mid-run');
  const last = await player.play(at);
  await server.kill('SIGKILL');
  claim(`kill -9 right after “${titleOf(at)}” was acknowledged`, !isAlive(server.pid), 'the server lives');
  return last;
}

async function resumeInANewChat(
  player: Player,
  { scene, claim, need }: Claims,
  last: Played,
): Promise<ExecutionAnswer> {
  scene('A new chat, a new server');
  const found = await player.call('resume_session', { query: laterQuery });
  const { candidates } = found.answer;
  const best: unknown = Array.isArray(candidates) ? candidates[0] : undefined;
  const stateToken = isJsonObject(best) && typeof best['stateToken'] === 'string' ? best['stateToken'] : '';
  need(
    `resume_session finds ${session} by the words “${laterQuery}”`,
    isJsonObject(best) && best['sessionId'] === session && stateToken !== '',
    found.text,
  );
  const looked = await player.call('continue_workflow', { stateToken });
  need(
    `it stands at “${titleOf(last.answer)}”: nothing acknowledged was lost`,
    !looked.isError && executionOf(looked).pending?.path === last.answer.pending?.path,
    looked.text,
  );
  const [oldest] = player.played;
  for (const [which, pair] of [
    ['last', last],
    ['first', oldest],
  ] as const) {
    const again = pair && (await player.call('continue_workflow', pair.request));
    claim(
      `the ${which} pair from before gets its answer, byte for byte, from the new process`,
      again !== undefined && same(pair?.said, again),
      again?.text,
    );
  }
  return executionOf(looked);
}

async function mangleAToken(player: Player, { scene, claim }: Claims, at: ExecutionAnswer): Promise<void> {
  scene('A token is mangled');
  const { stateToken } = at;
  const middle = Math.floor(stateToken.length * 0.7);
  const swapped = stateToken[middle] === '7' ? '8' : '7';
  const mangled = stateToken.slice(0, middle) + swapped + stateToken.slice(middle + 1);
  const said = await player.call('continue_workflow', { stateToken: mangled });
  claim(`${mangled} is refused`, said.isError && said.text.startsWith('TOKEN_'), said.text);
  const [offer = 'nothing'] = /did you mean[^?]*\?/iu.exec(said.text) ?? [];
  claim(`it offers the right one: ${offer}`, offer.includes(stateToken), said.text);
}

async function goOnToTheEnd(player: Player, { scene, claim, need }: Claims, from: ExecutionAnswer): Promise<void> {
  scene('On to the end');
  let at = from;
  const titles: string[] = [];
  while (!at.isComplete && titles.length < mostSteps) {
    titles.push(titleOf(at));
    at = (await player.play(at)).answer;
  }
  need(`${titles.length} more steps to the end: ${titles.join(', ')}`, at.isComplete && at.kind === 'complete', at);
  const looked = executionOf(await player.call('continue_workflow', { stateToken: at.stateToken }));
  claim('the run is complete, and stays so', looked.isComplete && looked.pending === null, looked);
}

function countTheLog(player: Player, { scene, claim }: Claims, dataDir: string): void {
  scene('What the log holds');
  const { kinds, attempts, segments, unread } = countLog(dataDir);
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
    'one session, one run, one checkpoint',
    count('session_started') === 1 && count('run_started') === 1 && count('checkpoint') === 1,
    seen,
  );
  claim(`${segments} segments, one of each process; every line of them is an event`, segments === 2 && unread === 0, {
    segments,
    unread,
  });
}

const titleOf = (answer: ExecutionAnswer): string => answer.pending?.title ?? 'the end';
const same = (one: ToolAnswer | undefined, other: ToolAnswer): boolean =>
  one?.text === other.text && JSON.stringify(one.answer) === JSON.stringify(other.answer);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
