import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import { nearestToOlderRoutine } from '../../../src/definitions/source/older-routines.js';
import type { Requests } from '../../../src/requests/requests.js';
import {
  call,
  fieldsOf,
  listOf,
  makeRequestsWorld,
  type RequestsWorld,
  textOf,
  wholeAnswer,
} from '../../worlds/requests-world.js';
import { around } from '../../worlds/workrail-json-world.js';

let world: RequestsWorld;
let requests: Requests;
beforeAll(() => {
  world = makeRequestsWorld({ seed: 11, bundled: join(import.meta.dirname, '../../../workflows') });
  requests = world.open();
});
afterAll(() => world.close());

const writeTo = ({ folder }: RequestsWorld, name: string, source: JsonObject): void => {
  const project = join(folder, 'workspace/.workrail/workflows');
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, `${name}.json`), JSON.stringify(source));
};
const write = (name: string, source: JsonObject): void => writeTo(world, name, source);
const routine = (id: string, words: string): JsonObject => ({ ...around({ prompt: words }), id, name: 'A routine' });
const calling = (id: string, templateId: string): JsonObject => ({
  ...around({ templateCall: { templateId, args: { deliverableName: 'f.md' } }, prompt: undefined as never }),
  id,
});
const delegating = (id: string, workflowId: string): JsonObject => ({
  ...around({ parallelDelegations: [{ workflowId }] }),
  id,
});
const preview = async (workflowId: string): Promise<string> =>
  wholeAnswer(await call(requests, 'inspect_workflow', { workflowId, mode: 'preview' }));

describe('a routine of the older format that a bundled workflow resembles', () => {
  it('is named beside the stand-in, and nothing bundled takes its place', async () => {
    write('calls', calling('p.calls', 'wr.templates.routine.design-review'));
    write('gives', delegating('p.gives', 'routine-design-review'));
    const called = await preview('p.calls');
    expect(called).toContain('`wr.design_review`');
    expect(called).toContain('f.md');
    expect(called).toContain('unknown_routine');
    expect(called).not.toContain('wr.findings');
    expect(await preview('p.gives')).toContain('`wr.design_review`');
  });

  it('is the author’s own as soon as there is one, whatever the source of its file named it', async () => {
    for (const id of ['routine-design-review', 'project.routine-design-review', 'repo.design_review']) {
      write('own', routine(id, 'Words of the author, and of {deliverableName}.'));
      expect(await preview('p.calls'), id).toContain('Words of the author, and of f.md.');
      expect(await preview('p.gives'), id).not.toContain('unknown_routine');
      const asked = await call(requests, 'start_workflow', { workflowId: 'wr.routine-design-review' });
      expect(fieldsOf(fieldsOf(asked.answer['nextCall'])['arguments'])['workflowId'], id).toBe(id);
    }
    write('own', routine('p.other', 'Something else.'));
  });

  it('is the bundled one only where its own id is written', async () => {
    write('exact', delegating('p.exact', 'wr.design_review'));
    expect(await preview('p.exact')).not.toContain('unknown_routine');
  });
});

it('is found by what called it under every name that its file is told to take', async () => {
  const word = fc.constantFrom('scan', 'deep-look', 'two_sides', 'routine-scan', 'routine_scan');
  const older = fc
    .tuple(fc.constantFrom('', 'wr.', 'routine-', 'wr.routine-', 'wr.routine.', 'wr.a.', 'team.a.'), word)
    .map((parts) => parts.join(''));
  const ids = fc.sample(fc.uniqueArray(older, { minLength: 12, maxLength: 12 }), { seed: 7, numRuns: 1 })[0]!;
  for (const [at, id] of ids.entries()) {
    const others = makeRequestsWorld({ seed: at });
    const asked = others.open();
    // As often as a name is refused, the one that is offered instead.
    let name = id;
    for (let round = 0; round < 3; round += 1) {
      writeTo(others, 'it', routine(name, 'Words of the author.'));
      const [entry] = listOf((await call(asked, 'list_workflows', {})).answer['workflows']);
      const offered = listOf(entry?.['violations'])[0]?.['closest'] ?? entry?.['suggestedId'];
      if (offered === undefined) break;
      name = textOf(offered);
    }
    writeTo(others, 'calls', calling('p.calls', id));
    const shown = wholeAnswer(await call(asked, 'inspect_workflow', { workflowId: 'p.calls', mode: 'preview' }));
    expect(shown, `${id}, renamed to ${name}`).toContain('Words of the author.');
    await others.close();
  }
});

const names = [
  'context-gathering',
  'design-review',
  'execution-simulation',
  'feature-implementation',
  'feedback-resolution',
  'final-verification',
  'hypothesis-challenge',
  'ideation',
  'parallel-work-partitioning',
  'philosophy-alignment',
  'plan-analysis',
  'plan-generation',
  'reviewer-family',
  'tension-driven-design',
];

it('leads who asks for one that came with the older format to a bundled workflow of its purpose', async () => {
  for (const name of names) write(`calls-${name}`, calling(`p.calls-${name}`, `wr.templates.routine.${name}`));
  for (const name of names) {
    const meant = nearestToOlderRoutine(name);
    for (const workflowId of [`routine-${name}`, `wr.routine-${name}`]) {
      const { answer } = await call(requests, 'inspect_workflow', { workflowId });
      expect([answer['error_code'], fieldsOf(fieldsOf(answer['nextCall'])['arguments'])['workflowId']]).toEqual([
        'NOT_FOUND',
        meant,
      ]);
    }
    const { answer } = await call(requests, 'list_workflows', { query: `routine-${name}` });
    expect(listOf(answer['workflows']).map(({ id }) => id)).toContain(meant);
    expect(await preview(`p.calls-${name}`)).toContain(`\`${meant}\``);
  }
});
