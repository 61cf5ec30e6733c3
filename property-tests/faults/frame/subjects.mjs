import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { catalogSubjects } from './catalog-subjects.mjs';
import { secret } from './templates.mjs';

/**
 * What writes: each tool of the server, and each command. `template` is the world that it begins in, `ask` what is said,
 * `left` looks at what only this one leaves behind, whether it was acknowledged (`done`) or not.
 */
const tool = (name, called, ask) => ({ name, door: 'mcp', template: 'base', tool: called, ask });
const command = (name, template, words, more = {}) => ({
  name,
  door: 'cli',
  template,
  words,
  entries: () => [],
  ...more,
});
const noting = (text) => ({ entries: () => [{ tool: 'note', args: {}, said: text, outcome: 'asked' }] });

export const subjects = [
  tool('start_workflow', 'start_workflow', () => ({
    args: { workflowId: 'user.chain', session: 'NEW-1', context: { about: 'something new' } },
  })),
  tool('start_workflow, again', 'start_workflow', (t) => ({
    args: { workflowId: 'user.chain', session: t.session, context: { about: 'another run' } },
  })),
  tool('continue_workflow', 'continue_workflow', (t) => ({
    args: { ...t.pair, output: { notesMarkdown: 'mark advanced' } },
    said: 'mark advanced',
  })),
  tool('continue_workflow, preferences', 'continue_workflow', (t) => ({
    args: { ...t.pair, output: { notesMarkdown: 'mark preferred' }, preferences: { riskPolicy: 'aggressive' } },
    said: 'mark preferred',
  })),
  tool('checkpoint_workflow', 'checkpoint_workflow', (t) => ({
    args: { stateToken: t.pair.stateToken, output: { notesMarkdown: 'mark kept' } },
    said: 'mark kept',
  })),
  tool('state_create', 'state_create', (t) => ({
    args: { schemaName: 'any', initialData: { marks: {} }, session: t.session },
  })),
  {
    ...tool('state_patch', 'state_patch', (t) => ({
      args: { writeToken: t.writeToken, operations: [{ op: 'add', path: '/marks/a', value: 'mark patched' }] },
      said: 'mark patched',
    })),
    template: 'states',
  },
  command(
    'state patch',
    'states',
    (t) => ['state', 'patch', t.session, '[{"op":"add","path":"/marks/b","value":"mark typed"}]', '--json'],
    noting('mark typed'),
  ),
  command('schema add', 'base', (t) => ['schema', 'add', 'board', boardIn(t.world), '--json'], {
    shows: () => ({ words: ['schema', 'show', 'board', '--json'], holds: '"version":1' }),
  }),
  tool('start_session', 'start_session', () => ({ args: { session: 'BEGUN-1', title: 'Begun' } })),
  command('note', 'base', (t) => ['note', t.session, 'mark noted'], noting('mark noted')),
  command('start', 'base', () => ['start', 'user.chain', '--session', 'CLI-1', '--json']),
  command(
    'continue',
    'base',
    (t) => ['continue', t.pair.stateToken, t.pair.ackToken, '--notes', 'mark continued', '--json'],
    noting('mark continued'),
  ),
  command(
    'checkpoint',
    'base',
    (t) => ['checkpoint', '--session', t.session, '--notes', 'mark checked', '--json'],
    noting('mark checked'),
  ),
  command('prefs', 'base', (t) => ['prefs', t.session, '--risk', 'aggressive', '--json'], {
    shows: (t) => ({ words: ['prefs', t.session, '--json'], holds: '"riskPolicy":"aggressive"' }),
  }),
  command('prefs --global', 'base', () => ['prefs', '--global', '--risk', 'aggressive', '--json'], {
    shows: () => ({ words: ['prefs', '--json'], holds: '"riskPolicy":"aggressive"' }),
  }),
  command('sessions label', 'base', (t) => ['sessions', 'label', t.session, '--title', 'A new title', '--json'], {
    shows: (t) => ({ words: ['show', t.session, '--json'], holds: 'A new title' }),
  }),
  command('import', 'bundles', (t) => ['import', t.fresh, '--json'], {
    entries: (t) => t.freshEntries,
    wholeOrNot: true,
  }),
  command('import --merge', 'bundles', (t) => ['import', t.grown, '--merge', '--json'], {
    entries: (t) => t.grownEntries,
  }),
  command('prune', 'old', () => ['prune', '--session', 'OLD-1', '--in-use', '--yes', '--json'], {
    left: prunedOrThere,
    mayBeDone: /no session .*OLD-1|OLD-1.*(?:trash|not here)/isu,
  }),
  command('doctor --repair', 'hurt', (t) => ['doctor', t.session, '--repair', '--json'], {
    may: ['damage'],
    mends: true,
    left: noBytesGone,
  }),
  command('sessions move', 'movable', (t) => ['sessions', 'move', t.session, '--to', 'project', '--json'], {
    dataDir: null,
    places: whereItLies,
    left: moved,
  }),
  command('redact', 'leaky', (t) => ['redact', t.session, secret, '--yes', '--json'], {
    mends: true,
    left: secretGone,
    mayBeDone: /that text is in no line/u,
  }),
  ...catalogSubjects,
];

function boardIn({ folder }) {
  const file = join(folder, 'board.json');
  writeFileSync(file, JSON.stringify({ type: 'object', required: ['marks'] }));
  return file;
}

const filesUnder = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : [];
const digest = (bytes) => createHash('sha256').update(bytes).digest('hex');
const contents = (folder) =>
  filesUnder(folder)
    .map((file) => readFileSync(file))
    .map(digest)
    .toSorted();

/** A session that is taken away is, at each moment, whole in its place or whole in the trash. The next run may empty that. */
function prunedOrThere(world, t, { done, again }) {
  const place = join(world.dataDir, 'sessions', 'OLD-1');
  const trash = join(world.dataDir, 'local', 'trash');
  const wanted = contents(join(t.world.dataDir, 'sessions', 'OLD-1'));
  const whole = (folder) => wanted.every((hash) => contents(folder).includes(hash));
  if (done && existsSync(place)) return ['prune was acknowledged and the session is still there'];
  if (again) return [];
  return existsSync(place)
    ? whole(place)
      ? []
      : ['a session that prune began with is there in part']
    : whole(trash)
      ? []
      : ['a session that prune took away is not whole in the trash'];
}

const projectsOwn = (world) => join(world.workspace, '.workrail');
const holdsSession = (dataDir) => existsSync(join(dataDir, 'sessions', 'POS-0'));

/** Once at least, and twice while it is on its way. */
function whereItLies(world) {
  const places = [world.dataDir, projectsOwn(world)].filter(holdsSession);
  return places.length > 0 ? places : [world.dataDir];
}

function moved(world, _t, { done }) {
  if (!done) return [];
  return [
    ...(holdsSession(projectsOwn(world))
      ? []
      : ['the move was acknowledged and the session is not where it should be']),
    ...(holdsSession(world.dataDir) ? ['the move was acknowledged and the session is still where it was'] : []),
  ];
}

/** What repair takes out of a segment lies in quarantine, to the byte. */
function noBytesGone(world, t) {
  const now = [...contents(join(world.dataDir, 'sessions')), ...contents(join(world.dataDir, 'quarantine'))];
  return contents(join(t.world.dataDir, 'sessions')).every((hash) => now.includes(hash))
    ? []
    : ['a file that was repaired is neither where it was nor in quarantine'];
}

function secretGone(world, _t, { done }) {
  const holding = done ? filesUnder(world.dataDir).filter((file) => readFileSync(file).includes(secret)) : [];
  return holding.map((file) => `redact was acknowledged and ${file.slice(world.folder.length)} holds the secret`);
}

/**
 * What a recovery comes to, without what two of them can never share: the moment and the names of new files. A hidden
 * file in quarantine is what a copy that failed could not remove.
 */
export function outcomeOf(world, { texts, kinds }) {
  const kept = filesUnder(join(world.dataDir, 'quarantine')).filter((file) => !basename(file).startsWith('.'));
  return JSON.stringify({
    texts: texts.toSorted(),
    kinds,
    quarantine: kept.map((file) => digest(readFileSync(file))).toSorted(),
  });
}
