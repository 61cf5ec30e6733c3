import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startAgent } from './agent.mjs';
import { runCommand } from './command.mjs';
import { diceOf } from './dice.mjs';
import { openLedger } from './ledger.mjs';
import { openPlayer } from './player.mjs';
import { makeWorld, worldAt } from './world.mjs';

export const secret = 'hush-hush-0123456789';

/** Worlds as they stand before a fault, each made once a run and copied for every try. */
export function openTemplates(sound, workDir) {
  const made = new Map();
  return async (name) => {
    if (!made.has(name)) made.set(name, await make(sound, join(workDir, `template-${name}`), name));
    return made.get(name);
  };
}

/** Where the sessions of a template lie, where it is not the usual place: in the user's own folder. */
const dataOf = { movable: 'share/workrail' };

async function make(sound, folder, name) {
  const { [name]: data } = dataOf;
  const made = makeWorld(folder);
  const world = data === undefined ? made : worldAt(folder, data);
  const run = async (...words) => {
    const { code, out, err } = await runCommand(sound, world, words);
    if (code !== 0) throw new Error(`template ${name}: workrail ${words.join(' ')} failed: ${out}${err}`);
    return out;
  };
  const ledger = openLedger('base');
  const player = await playSome(sound, world, ledger, 'POS', name === 'movable' ? { mostSessions: 1 } : {});
  const [{ pairs }] = player.sessions;
  const base = {
    world,
    data,
    ledger: ledger.entries,
    pair: pairs.at(-1),
    session: 'POS-0',
    sessions: player.sessions.map((_, index) => `POS-${index}`),
  };
  if (name === 'hurt') {
    for (const word of ['one', 'two', 'three', 'four', 'five']) await run('note', 'POS-0', `kept ${word}`);
    hurtLine(join(world.dataDir, 'sessions', 'POS-0', 'segments'), 'kept three', 'kept thrEe');
  }
  if (name === 'leaky')
    for (const text of [`first ${secret}`, 'between', `second ${secret}`]) await run('note', 'POS-0', text);
  if (name === 'states') {
    // Long enough that no write is recorded as the document as a whole.
    const first = JSON.stringify({ marks: {}, about: 'x'.repeat(400) });
    await run('state', 'create', 'POS-0', 'any', first);
    base.writeToken = JSON.parse(await run('state', 'show', 'POS-0', '--json')).writeToken;
  }
  if (name === 'movable') mkdirSync(join(world.workspace, '.workrail', 'sessions'), { recursive: true });
  if (name === 'catalogs') await beginCatalogs(run, world.workspace);
  if (name === 'old') for (const text of ['old one', 'old two']) await run('note', await beginOld(run), text);
  if (name === 'bundles') return { ...base, ...(await makeBundles(sound, folder, world)) };
  return base;
}

/** Two documents, a catalog of the first, and a workflow that was saved: what follows writes the other, or beside them. */
async function beginCatalogs(run, workspace) {
  for (const title of ['A', 'B']) {
    writeFileSync(join(workspace, `${title}.json`), JSON.stringify(documentOf(title)));
    writeFileSync(join(workspace, `${title}.yaml`), workflowOf(title));
  }
  await run('catalogs', 'import', 'A.json', '--id', 'big');
  await run('workflows', 'save', 'A.yaml', '--to', 'project');
}

/** Longer than one write, so that it can be cut. */
const documentOf = (title) => ({
  openapi: '3.0.3',
  info: { title, version: '1', description: title.repeat(200_000) },
  servers: [{ url: 'https://api.example' }],
  paths: { '/pets': { get: { operationId: 'listPets', summary: `List the pets of ${title}`, responses: {} } } },
});

const workflowOf = (title) =>
  `workflow: team.saved\ntitle: ${title}\ndescription: Use this to save.\nsteps:\n  - id: a\n    prompt: Do ${title}.\n`;

async function beginOld(run) {
  await run('start', 'user.chain', '--session', 'OLD-1');
  return 'OLD-1';
}

async function playSome(sound, world, ledger, name, more) {
  const agent = await startAgent(sound, world);
  const player = openPlayer({ ledger, dice: diceOf('template', name), name, writesStates: false, ...more });
  while (player.sessions.length < 1 || player.sessions[0].pairs.length < 4)
    if (!(await player.play(agent, 1))) throw new Error('the server went away while a template was made');
  await agent.close();
  const refused = ledger.entries.find(({ outcome }) => outcome !== 'acked');
  if (refused !== undefined)
    throw new Error(`a template could not be made: ${refused.tool} was refused: ${refused.text}`);
  return player;
}

function hurtLine(segments, found, instead) {
  for (const file of readdirSync(segments)) {
    const path = join(segments, file);
    const text = readFileSync(path, 'latin1');
    if (text.includes(found)) writeFileSync(path, text.replace(found, instead), 'latin1');
  }
}

/** A session of another installation, and this one's session as it went on elsewhere. */
async function makeBundles(sound, folder, world) {
  const other = makeWorld(join(folder, 'other'));
  const run = async (at, ...words) => {
    const { code, out, err } = await runCommand(sound, at, words);
    if (code !== 0) throw new Error(`template bundles: workrail ${words.join(' ')} failed: ${out}${err}`);
  };
  const fresh = join(folder, 'fresh.workrail');
  const grown = join(folder, 'grown.workrail');
  const begun = join(folder, 'begun.workrail');
  const freshLedger = openLedger('fresh');
  await playSome(sound, other, freshLedger, 'OTHER');
  await run(other, 'export', 'OTHER-0', '-o', fresh);
  await run(world, 'export', 'POS-0', '-o', begun);
  await run(other, 'import', begun);
  const texts = ['mark grown 0', 'mark grown 1', 'mark grown 2'];
  for (const text of texts) await run(other, 'note', 'POS-0', text);
  await run(other, 'export', 'POS-0', '-o', grown);
  const came = (said) => ({ tool: 'import', args: {}, said, outcome: 'asked' });
  return {
    fresh,
    grown,
    freshEntries: freshLedger.entries
      .filter(({ said, args }) => said !== undefined && sessionIs(args, freshLedger, 'OTHER-0'))
      .map(({ said }) => came(said)),
    grownEntries: texts.map(came),
  };
}

/** Which entries of a ledger were said in one session: those from whose tokens it follows. */
function sessionIs({ stateToken }, { entries }, session) {
  return entries.some(
    ({ args, answer }) => answer?.stateToken === stateToken && (args.session ?? answer.session?.sessionId) === session,
  );
}
