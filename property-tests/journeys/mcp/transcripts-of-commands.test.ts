import { mkdirSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Reply } from '../../../src/contract/reply.js';
import { golden } from '../../worlds/golden-transcript.js';
import { allowLocal } from '../../worlds/mini-api.js';
import { answer, type Scripted, scriptedServer, type ScriptedServer } from '../../worlds/scripted-server.js';
import { tracker, type Tracker, writeTrackerCatalog } from '../../worlds/tracker-api.js';
import type { Transcript } from '../../worlds/transcript.js';
import { withinLimits } from '../../worlds/within-limits.js';

let server: ScriptedServer;
let api: Tracker;
beforeEach(async () => {
  api = tracker();
  server = await scriptedServer(api.script);
});
afterEach(() => server.close());

/** Ports and times are those of this run, and ids follow from how often anything is drawn: they are numbered as they come. */
function masked(text: string): string {
  const ids = new Map<string, number>();
  const numbered = (id: string): number => ids.get(id) ?? ids.set(id, ids.size + 1).size;
  return text
    .replaceAll(server.origin, 'http://127.0.0.1:8080')
    .replaceAll(/ in (?:\d+ ms|\d+\.\d s)/gu, ' in 12 ms')
    .replaceAll(/\b(st\.v1\.|ack\.v1\.|run_|ses_)[0-9A-Za-z]{8,}/gu, (id, kind: string) => `${kind}${numbered(id)}`);
}

const story = (name: string, title: string, play: (transcript: Transcript) => Promise<void>): Promise<void> =>
  golden(
    name,
    title,
    async (t) => {
      mkdirSync(path.join(t.folder, 'config', 'workrail'), { recursive: true });
      catalogOf(t);
      await play(t);
    },
    { masked },
  );

function catalogOf(t: Transcript, settings: object = {}): void {
  const data = path.join(t.folder, 'data');
  writeTrackerCatalog(data, server.origin, settings);
  allowLocal({ folder: t.folder, data }, 'tracker');
}

function workflow(t: Transcript, text: string): void {
  t.say(`The workflow:\n\n\`\`\`yaml\n${text}\`\`\``);
  writeFileSync(path.join(t.folder, 'library', 'ours.yaml'), text);
}

const tokens = ({ answer: { stateToken, ackToken } }: Reply): object => ({ stateToken, ackToken });
const look = ({ answer: { stateToken } }: Reply): object => ({ stateToken });

const report = `workflow: team.report_crash
title: Report a crash
description: Use this to report a crash in the tracker once.
inputs:
  words: { type: string, required: true }
steps:
  - id: similar
    title: Look for the same crash
    run: tracker issues/list
    with: { q: "\${{ inputs.words }}" }
    keep: { titles: "body.map(i, i.title)" }
  - id: write
    title: Write the report
    prompt: |
      Write the report. These are open:
      \${{ outputs.similar.body.titles }}
    sets: { title: { type: string } }
  - id: file
    title: File the report
    run: tracker issues/create
    body: { title: "\${{ context.title }}", state: open }
  - id: tell
    title: Tell the user
    prompt: Tell the user that it is issue \${{ outputs.file.body.id }}.
returns: { issue: "\${{ outputs.file.body.id }}" }
`;
const start = { workflowId: 'team.report_crash', session: 'BUG-7', context: { words: 'crash' } };
const written = (title: string): object => ({ output: { notesMarkdown: `It is new: ${title}.` }, context: { title } });

describe('golden transcripts of commands', () => {
  it('a read, and a write with the user’s agreement', () =>
    story('commands', 'Commands: what WorkRail sends itself', async (t) => {
      api.issues.set(1, { id: 1, title: 'A crash on start', state: 'open' });
      workflow(t, report);
      await t.ask('list_workflows', { query: 'report a crash' });
      t.say('The read is sent at once, and the first step has what came.');
      const first = await t.ask('start_workflow', start);
      t.say('The write waits for the user.');
      const blocked = await t.ask('continue_workflow', { ...tokens(first), ...written('A crash on save') });
      expect(api.writes).toHaveLength(0);
      t.say('Looking again says what it waits for; so does anything but an agreement.');
      await t.ask('continue_workflow', look(blocked));
      await t.ask('continue_workflow', { ...tokens(blocked), output: { notesMarkdown: 'They agree.' } });
      await t.ask('continue_workflow', { ...tokens(blocked), confirmed: false });
      const sent = await t.ask('continue_workflow', { ...tokens(blocked), confirmed: true });
      expect(api.writes).toHaveLength(1);
      t.say('The same call again sends nothing again.');
      await t.ask('continue_workflow', { ...tokens(blocked), confirmed: true });
      await t.ask('continue_workflow', { ...tokens(sent), output: { notesMarkdown: 'Told them.' } });
      t.say('Back at the report: what was sent stays sent. The same request is not sent again.');
      const back = await t.ask('continue_workflow', look(first));
      await t.ask('continue_workflow', { ...tokens(back), ...written('A crash on save') });
      expect(api.writes).toHaveLength(1);
      t.say('Another one asks, and names the one before.');
      const other = await t.ask('continue_workflow', look(first));
      await t.ask('continue_workflow', { ...tokens(other), ...written('A crash on exit') });
      expect(api.writes).toHaveLength(1);
    }));

  it('an answer that was lost', () =>
    story('commands-unknown', 'Commands: an outcome that nobody knows', async (t) => {
      workflow(t, report);
      const first = await t.ask('start_workflow', start);
      const blocked = await t.ask('continue_workflow', { ...tokens(first), ...written('A crash on save') });
      t.say('The server files the report, and its answer is lost.');
      server.script(async (request, count) => ({ ...(await api.script(request, count)), cut: 10, then: 'reset' }));
      const asked = await t.ask('continue_workflow', { ...tokens(blocked), confirmed: true });
      expect(api.writes).toHaveLength(1);
      server.script(api.script);
      await t.ask('continue_workflow', look(asked));
      t.say('Agreeing is no answer to that.');
      await t.ask('continue_workflow', { ...tokens(asked), confirmed: true });
      await t.ask('continue_workflow', { ...tokens(asked), context: { outcome: 'yes' } });
      t.say('It was done: nothing is sent.');
      await t.ask('continue_workflow', { ...tokens(asked), context: { outcome: 'done' } });
      expect(api.writes).toHaveLength(1);
    }));

  it('a run that fails', () =>
    story('commands-failed', 'Commands: a run that fails', async (t) => {
      const steps = (id: number): string => `workflow: team.check_issue
title: Check an issue
description: Use this to check whether an issue is done.
steps:
  - id: why
    prompt: Say why you ask.
  - id: look
    title: Look it up
    run: tracker issues/get
    with: { id: ${id} }
  - id: open
    if: outputs.look.body.state != "done"
    fail: Issue ${id} is \${{ outputs.look.body.state }}.
`;
      api.issues.set(1, { id: 1, title: 'A crash on start', state: 'open' });
      workflow(t, steps(7));
      const check = { workflowId: 'team.check_issue' };
      t.say('A start that could send nothing is refused: a secret is not set.');
      catalogOf(t, { auth: { kind: 'bearer', token: '${{ secrets.TRACKER }}' } });
      await t.ask('start_workflow', check);
      catalogOf(t, { enabled: false });
      await t.ask('start_workflow', check);
      catalogOf(t);
      t.say('The server answers with an error.');
      const first = await t.ask('start_workflow', check);
      const failed = await t.ask('continue_workflow', { ...tokens(first), output: { notesMarkdown: 'Asked to.' } });
      expect(failed.answer['kind']).toBe('failed');
      await t.ask('continue_workflow', look(failed));
      await t.ask('resume_session', { sessionId: (failed.answer['session'] as { sessionId: string }).sessionId });
      t.say('The author of the workflow says when a run fails.');
      workflow(t, steps(1));
      const again = await t.ask('start_workflow', check);
      await t.ask('continue_workflow', { ...tokens(again), output: { notesMarkdown: 'Asked to.' } });
    }));

  it(
    'a server that takes its time',
    () =>
      story('commands-running', 'Commands: a run that is still running', async (t) => {
        workflow(
          t,
          `workflow: team.await_issue
title: Wait for an issue
description: Use this to wait until issue 1 is done.
steps:
  - id: wait
    title: Wait until it is done
    run: tracker issues/get
    with: { id: 1 }
    until: body.state == "done"
    every: 1s
    timeout: 1d
  - id: tell
    title: Tell the user
    prompt: Tell the user that it is done.
`,
        );
        let release: (scripted: Scripted) => void = () => undefined;
        server.script((_request, count) =>
          count < 3
            ? answer(200, { id: 1, title: 'A crash', state: 'open' })
            : new Promise<Scripted>((resolve) => (release = resolve)),
        );
        withinLimits({ runPatienceMs: 4000 });
        const running = await t.ask('start_workflow', { workflowId: 'team.await_issue', session: 'BUG-8' });
        expect(running.answer['kind']).toBe('running');
        t.say('The issue is done, and somebody looks again.');
        release(answer(200, { id: 1, title: 'A crash', state: 'done' }));
        await linesWith(t, 'step_acked');
        await t.ask('continue_workflow', look(running));
      }),
    60_000,
  );
});

async function linesWith(t: Transcript, kind: string): Promise<void> {
  const sessions = path.join(t.folder, 'data', 'sessions');
  await expect
    .poll(async () => {
      const files = (await readdir(sessions, { recursive: true })).filter((file) => file.endsWith('.ndjson'));
      return (await Promise.all(files.map((file) => readFile(path.join(sessions, file), 'utf8')))).join('');
    })
    .toContain(kind);
}
