import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeDemoFolder, type DemoFolder } from '../../../src/cli/demo/demo-folder.js';
import { startStdioClient, type StdioClient, type ToolAnswer } from '../../../src/mcp/stdio-client.js';
import { fieldsOf, listOf, textOf } from '../../worlds/requests-world.js';
import { tiny } from '../../worlds/library-world.js';

const program = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));

/** Changes under a server of the built program that goes on running, as an author and an agent make them side by side. */
let place: DemoFolder;
let client: StdioClient;
const at = (path: string): string => join(place.folder, path);
const project = 'workspace/.workrail/workflows';
const userFolder = 'config/workrail';
const write = (path: string, text: string): void => {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
};
/** Vim and many others: write beside it, then put it in its place. */
const writeByRename = (path: string, text: string): void => {
  write(`${path}~`, text);
  renameSync(at(`${path}~`), at(path));
};
const startServer = async (): Promise<void> => {
  const args = [program, 'mcp', '--data-dir', place.dataDir, '--workspace', place.workspace];
  client = await startStdioClient({
    command: process.execPath,
    args,
    env: place.env,
    cwd: place.workspace,
    name: 'author',
  });
};
const listed = async (): Promise<readonly string[]> => {
  const { answer } = await client.call('list_workflows', { query: 'in a test' });
  if (answer['nearest'] === true) return [];
  return listOf(answer['workflows']).map(
    ({ id, title, startable }) => `${textOf(id)} ${textOf(title)}${startable === true ? '' : ' (broken)'}`,
  );
};
const started = (workflowId: string): Promise<ToolAnswer> =>
  client.call('start_workflow', { workflowId, fresh: true, mode: 'auto_never_stop' });
const promptOf = ({ answer }: ToolAnswer): string => textOf(fieldsOf(answer['pending'])['prompt']).trim();
const pause = (ms: number): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, ms));
/** A list may be a moment behind what the system tells; a start never is. */
const soon = async (wanted: readonly string[]): Promise<void> => {
  let seen: readonly string[] = [];
  for (const end = Date.now() + 4_000; Date.now() < end; await pause(20)) {
    seen = await listed();
    if (seen.join() === wanted.join()) return;
  }
  expect(seen).toEqual(wanted);
};

beforeEach(() => {
  place = makeDemoFolder();
});
afterEach(async () => {
  await client.close();
  place.remove();
});

/** `settled`: the watch stands, and is believed. Before that everything is looked at. */
describe.each([
  ['that has just begun', 0],
  ['that watches', 2_600],
])('a server %s', (_name, settled) => {
  it('shows a folder that appears later, a new file, a change, a rename and a removal at the next request', async () => {
    await startServer();
    expect(await listed()).toEqual([]);
    await pause(settled);
    write(`${project}/x.yaml`, tiny('team.x', 'One'));
    expect(promptOf(await started('team.x'))).toBe('Go on.');
    await soon(['team.x One']);
    await pause(settled);
    write(`${project}/x.yaml`, tiny('team.x', 'Two'));
    await soon(['team.x Two']);
    writeByRename(`${project}/x.yaml`, tiny('team.x', 'Six'));
    expect(textOf(fieldsOf((await started('team.x')).answer['workflow'])['title'])).toBe('Six');
    await soon(['team.x Six']);
    write(`${project}/deep/er/y.yaml`, tiny('team.y'));
    expect(promptOf(await started('team.y'))).toBe('Go on.');
    await soon(['team.x Six', 'team.y A tiny one']);
    renameSync(at(`${project}/x.yaml`), at(`${project}/z.yaml`));
    expect((await started('team.x')).isError).toBe(false);
    rmSync(at(`${project}/z.yaml`));
    expect((await started('team.x')).text).toContain('NOT_FOUND');
    await soon(['team.y A tiny one']);
    rmSync(at('workspace/.workrail'), { recursive: true });
    await soon([]);
    write(`${project}/x.yaml`, tiny('team.x', 'Back'));
    await soon(['team.x Back']);
  });

  it('runs a changed routine in whatever calls it, and tells of a file that breaks', async () => {
    const routine = (prompt: string): string =>
      `workflow: team.r\nkind: routine\ndescription: Use this in a test.\nsteps: [ { id: look, prompt: "${prompt}" } ]\n`;
    write(`${project}/r.yaml`, routine('Look once.'));
    write(
      `${project}/x.yaml`,
      'workflow: team.x\ntitle: X\ndescription: Use this in a test.\nsteps: [ { id: c, call: team.r } ]\n',
    );
    await startServer();
    expect(promptOf(await started('team.x'))).toBe('Look once.');
    await pause(settled);
    for (const prompt of ['Look twice.', 'Look again.', 'Look thrice.']) {
      write(`${project}/r.yaml`, routine(prompt));
      expect(promptOf(await started('team.x'))).toBe(prompt);
    }
    write(`${project}/r.yaml`, routine('Look."'));
    const broken = await started('team.x');
    expect(broken.text).toContain('WORKFLOW_INVALID');
    expect((await started('team.r')).text).toMatch(
      /WORKFLOW_INVALID: team\.r \(\.workrail\/workflows\/r\.yaml\)[^]*r\.yaml:4:\d+/u,
    );
    write(`${project}/r.yaml`, routine('Mended.'));
    expect(promptOf(await started('team.x'))).toBe('Mended.');
  });
});

describe('a server that watches', () => {
  it('sees into folders that are reached through a link', async () => {
    mkdirSync(at('elsewhere/workflows'), { recursive: true });
    // The user's own folders may be reached through links; a data folder may not.
    rmSync(at(userFolder), { recursive: true, force: true });
    mkdirSync(dirname(at(userFolder)), { recursive: true });
    symlinkSync(at('elsewhere'), at(userFolder));
    await startServer();
    expect(await listed()).toEqual([]);
    await pause(2_600);
    write('elsewhere/workflows/x.yaml', tiny('team.x', 'One'));
    expect(await listed()).toEqual(['team.x One']);
    write('elsewhere/workflows/x.yaml', tiny('team.x', 'Two'));
    expect(await listed()).toEqual(['team.x Two']);
  });
});

describe('a run', () => {
  const steps = (first: string, more = ''): string =>
    `workflow: team.x\ntitle: X\ndescription: Use this in a test.\n${more}steps:\n  - { id: a, title: First, prompt: ${first} }\n  - { id: b, title: Second, prompt: Do it. }\n`;
  const warned = ({ answer, text }: ToolAnswer): string => {
    const told = listOf(answer['warnings'])
      .filter(({ code }) => code === 'WORKFLOW_CHANGED')
      .map(({ message }) => textOf(message));
    for (const message of told) expect(text).toContain(message);
    return told.join();
  };
  const look = (run: ToolAnswer): Promise<ToolAnswer> =>
    client.call('continue_workflow', { stateToken: run.answer['stateToken']! });
  const ack = (run: ToolAnswer): Promise<ToolAnswer> =>
    client.call('continue_workflow', {
      stateToken: run.answer['stateToken']!,
      ackToken: run.answer['ackToken']!,
      output: { notesMarkdown: 'Done.' },
    });

  it('is told how its file differs from what it began with, and goes on as it began', async () => {
    write(`${project}/x.yaml`, steps('Look.'));
    await startServer();
    const run = await started('team.x');
    expect(warned(await look(run))).toBe('');
    write(`${project}/x.yaml`, `# A comment.\n${steps('"Look."')}`);
    expect(warned(await look(run))).toBe('');
    write(
      `${project}/x.yaml`,
      steps('Look twice.', 'version: 2.0.0\n').replace('id: b, title: Second', 'id: c, title: Third'),
    );
    expect(warned(await look(run))).toBe(
      '.workrail/workflows/x.yaml has changed since this run started (version changed; step a: prompt changed; step b is gone; step c is new); this run goes on with the version it started with, and a new run would take the file as it is',
    );
    expect(promptOf(await look(run))).toBe('Look.');
    write(`${project}/x.yaml`, steps('Look.', 'odd: 1\n'));
    expect(warned(await look(run))).toContain(
      'has changed since this run started, and has 1 violation now; this run goes on with the version it started with, and no new run can start until the file is mended',
    );
    expect(promptOf(await ack(run))).toBe('Do it.');
  });

  it('is told once, on the step that follows, of a file that was edited under it', async () => {
    const three = (first: string): string => `${steps(first)}  - { id: c, title: Third, prompt: End it. }\n`;
    write(`${project}/x.yaml`, three('Look.'));
    await startServer();
    const run = await started('team.x');
    write(`${project}/x.yaml`, three('Look twice.'));
    const second = await ack(run);
    const message =
      '.workrail/workflows/x.yaml has changed since this run started (step a: prompt changed); this run goes on with the version it started with, and a new run would take the file as it is';
    expect(warned(second)).toBe(message);
    expect(promptOf(second)).toBe('Do it.');
    const third = await ack(second);
    expect(warned(third)).toBe('');
    // The same answer again, whatever became of the file.
    write(`${project}/x.yaml`, three('Look thrice.').replace('End it.', 'Leave it.'));
    expect((await ack(run)).text).toBe(second.text);
    expect((await ack(second)).text).toBe(third.text);
    expect(warned(await ack(third))).toContain('(step a: prompt changed; step c: prompt changed)');
  });

  it('is told of it by a server that was started after the edit', async () => {
    write(`${project}/x.yaml`, steps('Look.'));
    await startServer();
    const run = await started('team.x');
    await client.close();
    write(`${project}/x.yaml`, steps('Look twice.'));
    await startServer();
    expect(warned(await ack(run))).toContain('(step a: prompt changed)');
  });

  it('is told of a routine that changed under an unchanged file', async () => {
    write(
      `${project}/r.yaml`,
      'workflow: team.r\nkind: routine\ndescription: Use this in a test.\nsteps: [ { id: look, prompt: Look once. } ]\n',
    );
    write(
      `${project}/x.yaml`,
      'workflow: team.x\ndescription: Use this in a test.\nsteps: [ { id: c, call: team.r } ]\n',
    );
    await startServer();
    const run = await started('team.x');
    write(
      `${project}/r.yaml`,
      'workflow: team.r\nkind: routine\ndescription: Use this in a test.\nsteps: [ { id: look, prompt: Look twice. } ]\n',
    );
    expect(warned(await look(run))).toContain(
      'what .workrail/workflows/x.yaml calls has changed since this run started (step c-look: prompt changed)',
    );
  });

  it('goes on to its end when its file vanishes, also in another process', async () => {
    write(`${project}/x.yaml`, steps('Look.'));
    await startServer();
    const run = await started('team.x');
    rmSync(at('workspace/.workrail'), { recursive: true });
    expect(warned(await look(run))).toBe(
      'no workflow file here gives team.x any more; this run goes on with the version it started with',
    );
    const second = await ack(run);
    expect(promptOf(second)).toBe('Do it.');
    await client.close();
    await startServer();
    expect(promptOf(await look(second))).toBe('Do it.');
    expect((await ack(second)).answer['isComplete']).toBe(true);
  });
});
