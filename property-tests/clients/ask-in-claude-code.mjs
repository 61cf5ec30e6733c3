// Claude Code as a person sits before it, in a terminal: its agent hands in a step that asks for agreement, the program
// shows its user the server's form, keys are pressed as a person would, and what the agent hears in the end is told.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openScriptedModel } from './scripted-model.mjs';

const gated = `workflow: project.gated
title: Gated
description: A step that the user agrees to.
version: 1.0.0
steps:
  - { id: one, title: First, prompt: Begin., confirm: true }
  - { id: two, title: Second, prompt: End. }
`;
const [right, enter, down] = ['\u001b[C', '\r', '\u001b[B'];

/** Whether the person was shown the form, and whether their answer is in the log and reached the agent. */
export async function askInClaudeCode({ cache, folder, server, tokensIn, linesOf }) {
  writeFileSync(join(folder, 'work/.workrail/workflows/gated.yaml'), gated);
  const home = join(folder, 'home');
  const work = join(folder, 'work');
  const heard = [];
  const hearing = (next) => (said) => {
    heard.push(said.at(-1));
    return next;
  };
  const model = await openScriptedModel([
    () => ({ tool: 'start_workflow', args: { workflowId: 'project.gated', session: 'ASK-1' } }),
    (said) => ({
      tool: 'continue_workflow',
      args: { ...tokensIn(said.at(-1)), output: { notesMarkdown: 'Made the release notes.' } },
    }),
    hearing({ text: 'It waits for you.' }),
    hearing({ tool: 'resume_session', args: { sessionId: 'ASK-1' } }),
    hearing({ text: 'finished' }),
  ]);
  const config = join(home, 'mcp.json');
  writeFileSync(config, JSON.stringify({ mcpServers: { workrail: { type: 'stdio', ...server } } }));
  const project = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true, allowedTools: [] };
  writeFileSync(
    join(home, '.claude.json'),
    JSON.stringify({
      hasCompletedOnboarding: true,
      theme: 'dark',
      customApiKeyResponses: { approved: ['none'], rejected: [] },
      projects: { [work]: project },
    }),
  );
  const claude = join(cache, 'node_modules', '.bin', 'claude');
  const command = `stty cols 100 rows 40; ${claude} --mcp-config ${config} --strict-mcp-config --allowedTools mcp__workrail`;
  const child = spawn('script', ['-qfc', command, '/dev/null'], {
    cwd: work,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      TERM: 'xterm-256color',
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'none',
      ENABLE_TOOL_SEARCH: 'false',
      DISABLE_AUTOUPDATER: '1',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let screen = '';
  child.stdout.on('data', (bytes) => (screen += plain(bytes.toString())));
  const shows = async (words) => {
    for (let round = 0; round < 300 && !screen.replaceAll(/\s/gu, '').includes(words); round += 1) await pause(100);
    return screen.replaceAll(/\s/gu, '').includes(words);
  };
  /** Keys that come before the program is ready for them are lost. */
  const press = async (key) => {
    await pause(1500);
    child.stdin.write(key);
  };
  await shows('automode');
  await press('Do the workflow.');
  await press(enter);
  const shown = (await shows('requestsyourinput')) && (await shows('Madethereleasenotes.'));
  for (const key of [right, enter, down, enter]) await press(key);
  for (let round = 0; round < 200 && heard.length < 3; round += 1) await pause(100);
  child.kill('SIGKILL');
  await model.close();
  const wire = linesOf(join(folder, 'wire.ndjson')).map(({ line }) => line ?? '');
  return {
    shown,
    answered: wire.some((line) => line.includes('"action":"accept"')),
    told: wire.some((line) => line.includes('The user agreed, whom their agent’s program asked')),
    heard,
  };
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const { escape, bell } = { escape: String.fromCodePoint(27), bell: String.fromCodePoint(7) };
const painting = new RegExp(`${escape}(?:\\[[0-9;?]*[ -/]*[@-~]|[()][A-Z0-9]|\\][^${bell}]*${bell}|[=>])`, 'gu');

/** Without what moves the cursor and colours. */
const plain = (text) => text.replaceAll(painting, '');
