// A data root of its own in a temporary folder, the built program over it, and what an agent hands in.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { startClient } from './frame/stdio-client.mjs';

/** The folder of the built program; another build is measured by naming it. */
export const dist = process.env.BENCH_DIST ?? fileURLToPath(new URL('../../dist', import.meta.url));
export const program = join(dist, 'cli', 'main.js');
export const bundledWorkflows = fileURLToPath(new URL('../../workflows', import.meta.url));
export const built = (path) => import(pathToFileURL(join(dist, path)).href);

/** A loop in a loop: a million steps before it ends. Each asks for notes and nothing else. */
const endless = `workflow: bench.endless
title: Steps without end
description: What one step costs.
version: 1.0.0
steps:
  - id: outer
    title: Again and again
    repeat: 1000
    max: 1000
    steps:
      - id: inner
        title: Each part
        repeat: 1000
        max: 1000
        steps:
          - id: look
            title: Look
            prompt: |
              Look at the next part and say what is there.
`;

/** Every round asks the agent whether to go on. */
const controlled = endless
  .replace('bench.endless', 'bench.controlled')
  .replace('title: Each part\n        repeat: 1000', 'title: Each part\n        control: true');

/** Twenty steps, one after another. */
const flat = `workflow: bench.flat
title: Steps in a row
description: What one step costs.
version: 1.0.0
steps:
${Array.from({ length: 20 }, (_, at) => `  - id: look-${at + 1}\n    title: Look\n    prompt: |\n      Look at the next part and say what is there.\n`).join('')}`;

/** So many steps, one after another: each hands in a key of its own and reads the one before, and what the first one said. */
const straight = (steps) => `workflow: bench.straight
title: Steps in a row
description: What one step of many costs.
version: 1.0.0
steps:
${Array.from(
  { length: steps },
  (_, at) => `  - id: look-${at + 1}
    title: Look
    sets:
      found_${at + 1}: { type: string }
    prompt: |
      Look at the next part and say what is there.${at === 0 ? '' : ` Found before: \${{ context.found_${at} }}, of \${{ size(outputs["look-1"].notes) }} letters.`}
`,
).join('')}`;

export function makeWorld(parent = process.env.BENCH_FOLDER ?? tmpdir()) {
  const folder = mkdtempSync(join(parent, 'workrail-bench-'));
  const inside = (name) => join(folder, name);
  for (const name of ['home', 'workspace']) mkdirSync(inside(name));
  // Once for the library, whose bundled folder is named, and once for the program, which brings its own.
  for (const flows of ['flows', join('data', 'workflows')]) mkdirSync(inside(flows), { recursive: true });
  const world = openWorld(folder);
  for (const [name, text] of Object.entries({ endless, controlled, flat })) world.addWorkflow(name, text);
  return world;
}

/** The same world in another process. */
export function openWorld(folder) {
  const inside = (name) => join(folder, name);
  const environment = {
    HOME: inside('home'),
    USERPROFILE: inside('home'),
    XDG_CONFIG_HOME: inside('config'),
    XDG_DATA_HOME: inside('share'),
    PATH: process.env.PATH,
  };
  const data = inside('data');
  return {
    folder,
    data,
    workspace: inside('workspace'),
    environment,
    addWorkflow(name, text) {
      for (const flows of ['flows', join('data', 'workflows')])
        writeFileSync(join(inside(flows), `${name}.yaml`), text);
    },
    /** Not in every world: a file of that many steps takes its time to compile. */
    addStraight(steps) {
      this.addWorkflow('straight', straight(steps));
      return 'bench.straight';
    },
    /** What one process does, without a door. */
    async open(dataDir = data, more = {}) {
      const [{ openRequests }, { randomPool }] = [
        await built('requests/requests.js'),
        await built('cli/shell/random-pool.js'),
      ];
      return openRequests({
        workspace: inside('workspace'),
        dataDir,
        env: environment,
        home: inside('home'),
        bundledWorkflows: inside('flows'),
        version: '0.0.0-bench',
        now: () => new Date(),
        randomBytes: randomPool(),
        log: () => undefined,
        ...more,
      });
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** The built server over the world's data, and a client of the SDK at the other end, or another. */
export const startServer = ({ data, workspace, environment }, start = startClient, words = []) =>
  start(
    process.execPath,
    [program, 'mcp', '--data-dir', data, '--workspace', workspace, ...words],
    environment,
    workspace,
  );

/** Notes that look like an agent's, of a wanted size and different each time. */
export function notesOf(bytes, at) {
  const beginning = `Part ${at}: read it, compared it with the one before. `;
  return beginning.padEnd(bytes, 'It says what its heading says, and one line of it is wrong. ');
}

/** With each context key that the step asks for. */
export function ackOf({ stateToken, ackToken, pending }, notesMarkdown) {
  const keys = (pending?.expects.context ?? []).map(({ key, example }) => [key, example]);
  return {
    stateToken,
    ackToken,
    output: { notesMarkdown },
    ...(keys.length > 0 && { context: Object.fromEntries(keys) }),
  };
}

/** A reply of the library, which must be an answer. */
export async function say(requests, name, args) {
  const reply = await requests.call(name, args);
  if (reply.failed) throw new Error(`${name}: ${reply.text}`);
  return reply;
}

export async function beginRun(requests, session, workflowId = 'bench.endless') {
  const { answer } = await say(requests, 'start_workflow', { workflowId, session });
  return answer;
}

/** Bytes of the files below a folder whose path passes. */
export function bytesUnder(folder, passes = () => true) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && passes(join(entry.parentPath, entry.name)))
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
