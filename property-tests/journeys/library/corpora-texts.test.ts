import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { JsonObject } from '../../../src/base/json-value.js';
import { compileSource } from '../../../src/definitions/compile-source.js';
import { pinWorkflow, readPin } from '../../../src/definitions/compiled/pin.js';
import type { Requests } from '../../../src/requests/requests.js';
import { corpora } from '../../worlds/corpora.js';
import { call, makeRequestsWorld, pairOf, type RequestsWorld } from '../../worlds/requests-world.js';

/** What has broken programs elsewhere; of each text once. */
const texts = [
  ...new Set(JSON.parse(readFileSync(join(corpora, 'naughty-strings/blns.json'), 'utf8')) as readonly string[]),
];

it('was tried on something', () => {
  expect(texts.length).toBeGreaterThan(400);
});

describe('a run', () => {
  let world: RequestsWorld;
  let requests: Requests;
  beforeAll(() => {
    world = makeRequestsWorld({ seed: 9, store: 'memory' });
    world.writeWorkflow(
      'x',
      'workflow: wr.x\ntitle: X\ndescription: Use this.\nsteps:\n  - { id: a, prompt: Go. }\n  - { id: b, prompt: "Of ${{ context.value }}, on." }\n',
    );
    requests = world.open();
  });
  afterAll(() => world.close());

  it('takes each as the name of a session, a value and notes, keeps it as it is, and finds it', async () => {
    const wrong: string[] = [];
    const kept: string[] = [];
    const isOurs = (code: unknown): boolean => code === 'INTERNAL' || code === 'STORAGE_FAULT';
    for (const text of texts) {
      const said = (what: string): void => void wrong.push(`${JSON.stringify(text.slice(0, 60))}: ${what}`);
      const named = await call(requests, 'start_workflow', { workflowId: 'wr.x', session: text, fresh: true });
      if (named.reply.failed && isOurs(named.answer['error_code'])) said(`as a name: ${named.reply.text}`);
      const begun = named.reply.failed
        ? await call(requests, 'start_workflow', { workflowId: 'wr.x', fresh: true })
        : named;
      const done = await call(requests, 'continue_workflow', {
        ...pairOf(begun.answer),
        output: { notesMarkdown: `Notes ${text}` },
        context: { value: text },
      });
      if (done.reply.failed) said(`as notes: ${done.reply.text}`);
      else kept.push(text);
      const found = await call(requests, 'resume_session', { query: text });
      if (found.reply.failed && isOurs(found.answer['error_code'])) said(`as a search: ${found.reply.text}`);
    }
    expect(wrong).toEqual([]);
    const written = new Set<unknown>();
    for (const { data } of world.lines())
      JSON.stringify(data, (_, value: unknown) => {
        written.add(value);
        return value;
      });
    expect(kept.filter((text) => !written.has(text) || !written.has(`Notes ${text}`))).toEqual([]);
    expect(kept.length).toBeGreaterThan(400);
  });
});

describe('a workflow file', () => {
  const older = (text: string): JsonObject => ({
    id: 'p.x',
    name: text,
    description: text,
    version: text,
    metaGuidance: [text],
    [text]: text,
    steps: [
      { id: text, title: text, prompt: text, runCondition: { var: text, equals: text }, [text]: [text] },
      {
        id: 'two',
        type: 'loop',
        loop: { type: 'forEach', items: text, itemVar: text },
        body: [{ id: text, prompt: `{{${text}}}` }],
      },
    ],
  });
  const ours = (text: string): JsonObject => ({
    workflow: 'team.x',
    title: text,
    description: text,
    guidance: [text],
    steps: [{ id: 'a', title: text, prompt: text, if: text, rules: [{ contains: text }], [text]: text }],
  });

  it.each([
    ['of the older format', older, JSON.stringify, 'x.json'],
    ['of ours', ours, stringify, 'x.yaml'],
  ] as const)(
    '%s with each in every place compiles to what can be pinned, or says with a place what is wrong',
    (_, file, write, name) => {
      for (const text of texts) {
        const compilation = compileSource(write(file(text)), name);
        if (!compilation.ok) {
          for (const { message, line } of compilation.violations)
            expect([message, typeof line], text).toEqual([expect.stringMatching(/\S/u), 'number']);
          continue;
        }
        const pin = pinWorkflow(compilation.workflow);
        expect(readPin(pin.text, pin.hash).ok, text).toBe(true);
      }
    },
  );
});
