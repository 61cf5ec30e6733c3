// npm run clients: real agent programs against the built server, with a scripted model and no network but loopback.
// Each lists, starts a workflow, does a step, sends it again as it was, loses its server to SIGKILL, and goes on: in the
// same chat where it starts its server again, else in a new one. Installs the programs once, under the user's cache.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { askInClaudeCode } from './ask-in-claude-code.mjs';
import { programs, sdks } from './programs.mjs';
import { openScriptedModel } from './scripted-model.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = fileURLToPath(new URL('.', import.meta.url));
const cache = process.env.WORKRAIL_CLIENTS ?? join(homedir(), '.cache', 'workrail-clients');
const only = process.argv[2];

// Without a network of its own, a program that reaches out would go unnoticed.
if (process.env.WORKRAIL_ALONE !== 'yes') {
  const wanted = [...programs, ...sdks].map(({ package: name, alias, version }) => `${name}@${alias ?? ''}${version}`);
  const installed = spawnSync('npm', ['install', '--prefix', cache, '--no-audit', '--no-fund', ...wanted], {
    stdio: 'inherit',
  });
  if (installed.status !== 0) throw new Error('the agent programs could not be installed');
  const alone = [
    'unshare',
    '-n',
    'bash',
    '-c',
    'ip link set lo up && exec "$@"',
    'alone',
    process.execPath,
    ...process.argv.slice(1),
  ];
  const { status } = spawnSync(alone[0], alone.slice(1), {
    stdio: 'inherit',
    env: { ...process.env, WORKRAIL_ALONE: 'yes' },
  });
  process.exit(status ?? 1);
}

const workflow = `workflow: project.two_steps
title: Two steps
description: A step, and another.
version: 1.0.0
steps:
  - { id: one, title: First, prompt: Begin. }
  - { id: two, title: Second, prompt: End. }
`;
const tokensIn = (text) => ({
  stateToken: /st\.v1\.[0-9A-Z]+/u.exec(text)?.[0],
  ackToken: /ack\.v1\.[0-9A-Z]+/u.exec(text)?.[0],
});
const done = (text, notes) => ({
  tool: 'continue_workflow',
  args: { ...tokensIn(text), output: { notesMarkdown: notes } },
});
const isEnd = (text = '') => /"?isComplete"?: ?true/u.test(text);
const linesOf = (file) =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];

const serverIn = (folder) => ({
  command: process.execPath,
  args: [join(here, 'recorder.mjs'), wireIn(folder), process.execPath, join(root, 'dist', 'cli', 'main.js'), 'mcp'],
  env: { HOME: join(folder, 'home'), WORKRAIL_DATA_DIR: join(folder, 'data') },
});
const wireIn = (folder) => join(folder, 'wire.ndjson');

/** One chat of an agent program, whose model plays the script. */
async function chatOfProgram(program, folder, script) {
  const home = join(folder, 'home');
  const model = await openScriptedModel(script);
  const { env, args } = program.run({ home, model: model.url, server: serverIn(folder), says: 'Do the workflow.' });
  const child = spawn(join(cache, 'node_modules', '.bin', program.bin), args, {
    cwd: join(folder, 'work'),
    env: { PATH: process.env.PATH, HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (said += bytes));
  const late = setTimeout(() => child.kill('SIGKILL'), 180_000);
  await new Promise((resolve) => child.on('exit', resolve));
  clearTimeout(late);
  await model.close();
  return { said, heard: model.heard };
}

/** The same with a client of the SDK, which does what the script says and shows itself what an agent would be shown. */
async function chatOfSdk({ package: name, load, options }, folder, script) {
  const { Client, StdioClientTransport } = await load(join(cache, 'node_modules', name));
  const client = new Client({ name, version: '1' }, options);
  const heard = [];
  let said = '';
  await client.connect(new StdioClientTransport({ ...serverIn(folder), cwd: join(folder, 'work'), stderr: 'ignore' }));
  await client.listTools();
  for (const entry of script) {
    const { tool, args } = await entry(heard);
    if (tool === undefined) break;
    try {
      heard.push((await client.callTool({ name: tool, arguments: args })).content[0].text);
    } catch (cause) {
      said += `${String(cause)}\n`;
      heard.push(String(cause));
    }
  }
  await client.close();
  return { said, heard };
}

/** Kills the server that the client started last, as a machine does that runs out of memory. */
async function killServer(folder) {
  const pid = linesOf(wireIn(folder)).findLast((row) => row.pid !== undefined)?.pid;
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
  await new Promise((resolve) => setTimeout(resolve, 1000));
}

/** A program may be gone before the server that it left behind. */
async function serversEnded(folder) {
  const lives = (pid) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  const pids = linesOf(wireIn(folder)).flatMap(({ pid }) => pid ?? []);
  for (let round = 0; round < 300 && pids.some(lives); round += 1)
    await new Promise((resolve) => setTimeout(resolve, 100));
}

async function tryClient(client) {
  const folder = mkdtempSync(join(tmpdir(), 'clients-'));
  for (const name of ['home', 'work/.workrail/workflows']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'work/.workrail/workflows/two_steps.yaml'), workflow);
  const chat = (script) => (client.load ? chatOfSdk : chatOfProgram)(client, folder, script);
  let [listed, started, advanced, again, afterLoss, resumed] = ['', '', '', '', '', ''];
  const first = await chat([
    () => ({ tool: 'list_workflows', args: {} }),
    (heard) => {
      listed = heard.at(-1);
      return { tool: 'start_workflow', args: { workflowId: 'project.two_steps', session: 'CLIENT-1' } };
    },
    (heard) => done((started = heard.at(-1)), 'The first one is done.'),
    (heard) => {
      advanced = heard.at(-1);
      return done(started, 'The first one is done.');
    },
    async (heard) => {
      again = heard.at(-1);
      await killServer(folder);
      return done(advanced, 'The second one is done.');
    },
    (heard) => {
      afterLoss = heard.at(-1);
      return { text: 'The chat ends here.' };
    },
  ]);
  const inSameChat = isEnd(afterLoss);
  const second = inSameChat
    ? undefined
    : await chat([
        () => ({ tool: 'resume_session', args: { query: 'two steps' } }),
        (heard) => ({ tool: 'continue_workflow', args: { stateToken: tokensIn(heard.at(-1)).stateToken } }),
        (heard) => done(heard.at(-1), 'The second one is done.'),
        (heard) => {
          resumed = heard.at(-1);
          return { text: 'done' };
        },
      ]);
  const goesOn = inSameChat ? 'in the same chat' : isEnd(resumed) ? 'in a new chat' : 'no';
  const held = {
    listed: listed.includes('project.two_steps'),
    started: started.includes('st.v1.'),
    advanced: advanced.includes('Second'),
    again: again === advanced,
    goesOn: goesOn !== 'no',
  };
  const failed = Object.keys(held).filter((name) => !held[name]);
  if (failed.length > 0)
    process.stdout.write(
      [
        `${client.name}: ${failed.join(', ')}`,
        first.said,
        second?.said,
        JSON.stringify([first.heard, second?.heard], undefined, 1),
      ]
        .join('\n')
        .slice(-12_000),
    );
  const wire = linesOf(wireIn(folder));
  await serversEnded(folder);
  rmSync(folder, { recursive: true, force: true });
  return {
    failed,
    row: {
      client: `${client.name} ${client.version}`,
      ...openingOf(wire),
      'shows its model of a lookup': client.load ? 'as its program likes' : shownOf(listed),
      'list, start, step, replay': failed.length === 0 ? 'held' : `FAILED: ${failed.join(', ')}`,
      'after SIGKILL of its server goes on': goesOn,
    },
  };
}

/** What the client said first. */
function openingOf(wire) {
  const said = wire.filter(({ from }) => from === 'client').map(({ line }) => JSON.parse(line));
  const { params } = said.find(({ method }) => method === 'initialize' || method === 'tools/list') ?? {};
  const meta = params?._meta ?? {};
  const declared = params?.capabilities ?? meta['io.modelcontextprotocol/clientCapabilities'] ?? {};
  return {
    'opens with': said[0]?.method ?? 'nothing',
    revision: params?.protocolVersion ?? meta['io.modelcontextprotocol/protocolVersion'] ?? 'unknown',
    declares: Object.keys(declared).join(', ') || 'nothing',
  };
}

const shownOf = (listed) =>
  [
    /^\d+ workflows:$/mu.test(listed) ? 'the text' : [],
    listed.includes('"workflows":[') ? 'the structured content' : [],
  ]
    .flat()
    .join(' and ');

const results = [];
for (const client of [...programs, ...sdks].filter(({ bin }) => only === undefined || bin === only)) {
  results.push(await tryClient(client));
  console.log(results.at(-1).row);
}
const columns = Object.keys(results[0].row);
console.log(`\n| ${columns.join(' | ')} |\n|${columns.map(() => '---').join('|')}|`);
for (const { row } of results) console.log(`| ${columns.map((name) => row[name]).join(' | ')} |`);
const asked = only === undefined || only === 'claude' ? await tryAsking() : undefined;
process.exit(asked !== false && results.every(({ failed }) => failed.length === 0) ? 0 : 1);

/** A person before Claude Code is shown a form, and the agent hears what they answered. */
async function tryAsking() {
  const folder = mkdtempSync(join(tmpdir(), 'clients-'));
  for (const name of ['home', 'work/.workrail/workflows']) mkdirSync(join(folder, name), { recursive: true });
  const { shown, answered, told, heard } = await askInClaudeCode({
    cache,
    folder,
    server: serverIn(folder),
    tokensIn,
    linesOf,
  });
  await serversEnded(folder);
  rmSync(folder, { recursive: true, force: true });
  console.log(
    `\nClaude Code in a terminal: its user ${shown ? 'was shown the form' : 'was shown NO form'}, ${answered ? 'answered it' : 'did NOT answer'}, and the agent ${told ? 'heard of it' : 'did NOT hear of it'}.`,
  );
  for (const text of heard) console.log(`  its model read: ${text.replaceAll('\n', ' ').slice(0, 240)}`);
  return shown && answered && told;
}
