// Looks at data roots as a fresh process does, with the program of one build: node check-child.mjs <build folder>
// A line of JSON in for each look, a line of JSON out. Every look opens everything anew.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const build = process.argv[2];
const load = (file) => import(pathToFileURL(join(build, 'dist', ...file.split('/'))).href);
const { openFileStore } = await load('log/file-store.js');
const { openRequests } = await load('requests/requests.js');

const listing = {
  version: 'faults listing',
  empty: () => ({ events: [] }),
  fold: (state, events) => {
    state.events.push(...events);
    return state;
  },
};

/** Every session in the root, read and checked from its first byte to its last. */
async function readAll(dataDir) {
  const root = { kind: 'given', folder: dataDir };
  const lines = [];
  const store = openFileStore({
    roots: [root],
    newSessions: root,
    projection: listing,
    now: () => new Date(),
    randomBytes: (count) => randomBytes(count),
    log: (line) => lines.push(line),
  });
  const sessions = [];
  for (const ref of await store.list()) {
    const log = store.open(ref);
    const { state, findings } = await log.verify();
    const { events } = state;
    sessions.push({ id: ref.id, findings, events: [...events], streamed: [...log.events()].length });
  }
  await store.close();
  return { sessions, lines };
}

/** What a merge does again others have said before. */
const textsOf = ({ kind, data }) =>
  kind === 'state_changed' && data.mode === 'patch'
    ? data.ops.flatMap(({ value }) => (typeof value === 'string' ? [value] : []))
    : kind === 'note_added'
      ? [data.text]
      : kind === 'step_acked' || kind === 'checkpoint'
        ? [data.output?.notes ?? '']
        : [];
const saidBy = (event) => textsOf(event).filter((text) => text.startsWith('mark '));

/** What one session's events must be, whatever was asked: sound, each once, whole appends, and no step without the one before it. */
function judgeSession({ id, findings, events, streamed }, may) {
  // A start that was cut short leaves its compiled workflow and no line; if a line was promised it is missed as lost.
  const begun = ({ level, file }) => level === 'incomplete' && file === 'segments' && events.length === 0;
  const violations = findings
    .filter((finding) => finding.level !== 'torn' && !may.includes(finding.level) && !begun(finding))
    .map(({ level, file, message }) => `it is not sound: ${level} in ${file}: ${message}`);
  if (streamed !== events.length)
    violations.push(`the fold has ${events.length} events, reading one by one gives ${streamed}`);
  if (new Set(events.map(({ sum }) => sum)).size !== events.length) violations.push('an event is folded twice');
  const followed = new Set(events.map(({ prev }) => prev));
  const nodes = new Set(
    events.filter(({ kind }) => kind === 'step_acked' || kind === 'run_started').map(({ node }) => node),
  );
  for (const { kind, more, sum, seq, data } of events) {
    if (more === true && !followed.has(sum)) violations.push(`half of an append is in the fold, up to number ${seq}`);
    if (kind === 'step_acked' && !nodes.has(data.parent))
      violations.push(`a step is completed at ${data.parent}, which nothing made`);
  }
  // What a checkout took away may be the beginning.
  if (events.length > 0 && !may.includes('incomplete') && !events.some(({ kind }) => kind === 'session_started'))
    violations.push('it has events and no beginning');
  return violations.map((what) => `session ${id}: ${what}`);
}

/** Between what was acknowledged and what was asked. */
function judgeReading({ sessions, lines }, { ledger, may = [] }) {
  const violations = lines.map((line) => `said while reading: ${line}`);
  const found = new Map();
  for (const session of sessions) {
    violations.push(...judgeSession(session, may));
    for (const text of session.events.flatMap(saidBy)) found.set(text, (found.get(text) ?? 0) + 1);
  }
  const asked = new Set(ledger.map(({ said }) => said));
  for (const { said, outcome, tool } of ledger)
    if (outcome === 'acked' && said !== undefined && !found.has(said))
      violations.push(`lost: ${tool} was acknowledged and is in no session: ${said.slice(0, 40)}`);
  for (const [text, times] of found) {
    if (!asked.has(text)) violations.push(`never asked: ${text.slice(0, 60)}`);
    else if (times > 1) violations.push(`recorded ${times} times: ${text.slice(0, 40)}`);
  }
  return violations;
}

/** What looking at a session leaves in it. */
const ownText = 'The session goes on.';

const open = (world) =>
  openRequests({
    workspace: world.workspace,
    dataDir: world.dataDir,
    env: world.env,
    home: world.home,
    bundledWorkflows: join(build, 'workflows'),
    version: '0.0.0-faults',
    now: () => new Date(),
    randomBytes: (count) => randomBytes(count),
    log: () => undefined,
  });

/** What was answered is answered again, to the letter, and records nothing. */
async function judgeAnswers(world, ledger, repeats) {
  const violations = [];
  const requests = open(world);
  const acked = ledger.filter(({ outcome, answer }) => outcome === 'acked' && answer !== undefined);
  // Going on from a step answers for it and all before it; the last ones are those that a fault may have hit.
  for (const { tool, args, text, answer } of acked.slice(-repeats)) {
    if (tool === 'state_patch' || tool === 'state_create') {
      violations.push(...(await judgeState(requests, { tool, args, answer })));
      continue;
    }
    if (tool === 'start_workflow' || args.ackToken === undefined) {
      const { stateToken } = answer;
      if (stateToken === undefined) continue;
      const looked = await requests.call('continue_workflow', { stateToken });
      if (looked.failed)
        violations.push(`the step that ${tool} answered with is not there: ${looked.text.slice(0, 200)}`);
      continue;
    }
    const again = await requests.call(tool, args);
    if (again.failed) violations.push(`${tool} was acknowledged and is refused now: ${again.text.slice(0, 200)}`);
    else if (again.text !== text) violations.push(`${tool} answers otherwise now: ${difference(text, again.text)}`);
  }
  const last = acked.findLast(({ answer }) => answer.stateToken !== undefined);
  if (last !== undefined) {
    const kept = await requests.call('checkpoint_workflow', {
      stateToken: last.answer.stateToken,
      output: { notesMarkdown: ownText },
    });
    if (kept.failed) violations.push(`the session cannot be gone on with: ${kept.text.slice(0, 200)}`);
  }
  await requests.close();
  return violations;
}

/** The same write again is the write that it was, and what it wrote stands in its version. */
async function judgeState(requests, { tool, args, answer: { state_id: stateId, etag } }) {
  // Its schema may be gone since; what it was created with is in the log.
  const again = await requests.call(...(tool === 'state_create' ? ['state_read', { stateId }] : [tool, args]));
  if (again.failed) return [`${tool} was acknowledged and is refused now: ${again.text.slice(0, 200)}`];
  if (again.answer.state_id !== stateId) return [`${tool} was of ${stateId} and is of ${again.answer.state_id} now`];
  if (tool === 'state_create') return [];
  const [{ path, value }] = args.operations;
  const read = await requests.call('state_read', { stateId, version: etag, path });
  return [
    // A copy of a folder elsewhere is another clone: there the same write changes nothing, and is not known as that one.
    ...(again.answer.unchanged !== undefined ? [] : [`a write made ${etag} and makes ${again.answer.etag} now`]),
    ...(read.answer.current_data === value
      ? []
      : [`version ${etag} does not hold what was written: ${read.text.slice(0, 200)}`]),
  ];
}

function difference(before, after) {
  let at = 0;
  while (at < before.length && before[at] === after[at]) at += 1;
  return `${JSON.stringify(before.slice(Math.max(0, at - 20), at + 60))} became ${JSON.stringify(after.slice(Math.max(0, at - 20), at + 60))}`;
}

/** What was asked and never acknowledged is asked again, as an agent is told to do, and must now be acknowledged. */
async function finish(world, ledger) {
  const violations = [];
  const requests = open(world);
  for (const entry of ledger) {
    if (entry.outcome === 'acked' || entry.tool === 'note' || entry.tool === 'import') continue;
    const { failed, text, answer } = await requests.call(entry.tool, entry.args);
    if (failed)
      violations.push(`${entry.tool} was not acknowledged, and asked again it is refused: ${text.slice(0, 200)}`);
    else Object.assign(entry, { outcome: 'acked', text, answer });
  }
  await requests.close();
  return violations;
}

async function look({ world, ledger, repeats = 4, may, again = false }) {
  if (again) {
    const first = judgeReading(await readAll(world.dataDir), { ledger, may });
    const violations = first.length > 0 ? first : await finish(world, ledger);
    if (violations.length > 0) return { violations, events: 0, sessions: 0, torn: 0, texts: [], kinds: {} };
  }
  const before = await readAll(world.dataDir);
  const violations = judgeReading(before, { ledger, may });
  const counts = (read) => read.sessions.reduce((sum, { events }) => sum + events.length, 0);
  if (violations.length === 0 && repeats > 0) {
    violations.push(...(await judgeAnswers(world, ledger, repeats)));
    const after = await readAll(world.dataDir);
    const grown = counts(after) - counts(before);
    const allowed = ledger.some(({ outcome, answer }) => outcome === 'acked' && answer?.stateToken !== undefined)
      ? 2
      : 0;
    if (violations.length === 0 && (grown < 0 || grown > allowed))
      violations.push(`calls made again recorded ${grown} events`);
  }
  const torn = before.sessions.reduce(
    (sum, { findings }) => sum + findings.filter(({ level }) => level === 'torn').length,
    0,
  );
  const events = before.sessions
    .flatMap((session) => session.events)
    .filter((event) => !textsOf(event).includes(ownText));
  const kinds = {};
  for (const { kind } of events) if (kind !== 'lines_withdrawn') kinds[kind] = (kinds[kind] ?? 0) + 1;
  const levels = before.sessions.flatMap(({ findings }) => findings.map(({ level }) => level));
  return {
    violations,
    levels,
    events: events.length,
    sessions: before.sessions.length,
    torn,
    texts: events.flatMap(textsOf),
    kinds,
  };
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  let answer;
  try {
    answer = await look(request);
  } catch (cause) {
    answer = {
      violations: [`reading failed: ${cause instanceof Error ? cause.stack : String(cause)}`],
      events: 0,
      sessions: 0,
      torn: 0,
      texts: [],
      kinds: {},
    };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
