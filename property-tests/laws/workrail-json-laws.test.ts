import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/json-value.js';
import { modeNames, type Mode } from '../../src/base/preferences.js';
import type { Compilation } from '../../src/definitions/expand/compilation.js';
import { compileSource } from '../../src/definitions/compile-source.js';
import type { Requests } from '../../src/requests/requests.js';
import {
  call,
  type Called,
  type Fields,
  fieldsOf,
  listOf,
  makeRequestsWorld,
  type RequestsWorld,
  textOf,
  withWholeStep,
} from '../worlds/requests-world.js';
import { patience, runs } from '../worlds/runs-of-law.js';
import { type Authored, authoredTexts, missingPiece, toldToEach, withoutBreaks } from '../worlds/workrail-authored.js';
import { scalars, type WorkrailFiles, workrailFiles } from '../worlds/workrail-files.js';
import { type FindFile, naiveHolds, naiveRun, type NaiveStop } from '../worlds/workrail-naive.js';
import { anyFacts, compareRun, type Draw, drawing, examplesAlone } from '../worlds/workrail-sameness.js';

let world: RequestsWorld;
let requests: Requests;
beforeAll(() => {
  world = makeRequestsWorld({ seed: 11 });
  requests = world.open();
});
afterAll(() => world.close(), patience);

const finding =
  ({ routines }: WorkrailFiles): FindFile =>
  (id) =>
    routines.find((one) => one['id'] === id);

const oneOf = <T>(draw: Draw, all: readonly T[]): T => all[draw(all.length)]!;

const someLists: readonly JsonValue[] = [
  [],
  ['one', 'two'],
  [{ name: 'first', size: 'Large' }, { name: 'second' }],
  [1, 2, 3, 4],
];

/** What a script sends that has read `pending.expects` and nothing else, and sometimes a key that nobody asked for. */
function handBack(expects: Fields, draw: Draw): { readonly context: JsonObject; readonly [field: string]: JsonValue } {
  const value = ({ type, neededBy, example }: Fields): JsonValue => {
    if (type === 'array') return oneOf(draw, someLists);
    const counts =
      type === 'integer' ||
      (Array.isArray(neededBy) && neededBy.some((phrase) => textOf(phrase as JsonValue).startsWith('how often')));
    return counts ? draw(4) : oneOf(draw, [...scalars, example ?? null]);
  };
  const asked = listOf(expects['context']).filter(({ required }) => required === true || draw(4) > 0);
  const artifacts = listOf(expects['artifacts']).map(({ kind, example }): JsonObject => ({
    ...(fieldsOf(example) as JsonObject),
    ...(kind === 'wr.loop_control' && { decision: oneOf(draw, ['continue', 'stop']) }),
  }));
  const besides: JsonObject = draw(5) === 0 ? { [oneOf(draw, ['size', 'mode', 'ready'])]: oneOf(draw, scalars) } : {};
  return {
    output: { notesMarkdown: fieldsOf(expects['notes'])['example'] ?? '', artifacts },
    context: {
      ...besides,
      ...Object.fromEntries(
        asked.map((key): [string, JsonValue] => [
          textOf(key['key']),
          value(key) ?? (key['required'] === true ? 'none' : null),
        ]),
      ),
    },
    // Whoever sets what nobody asked for may thereby make agreement necessary.
    ...((fieldsOf(expects['confirmation'])['required'] === true || Object.keys(besides).length > 0) && {
      confirmed: true,
    }),
  };
}

/** Null takes a key out. */
const patched = (context: JsonObject, patch: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries({ ...context, ...patch }).filter(([, value]) => value !== null));

const decisionIn = (handed: JsonObject): 'continue' | 'stop' | undefined =>
  listOf(fieldsOf(handed['output'])['artifacts']).findLast(({ kind }) => kind === 'wr.loop_control')?.['decision'] as
    | 'continue'
    | 'stop'
    | undefined;

/** The step alone: before it stands what was recorded, with the agent's own words. */
const stepIn = ({ reply }: Called): string => withoutBreaks(reply.text.slice(reply.text.indexOf('\n## Step ')));

function checkTold(authored: readonly Authored[], stop: NaiveStop, context: JsonObject, called: Called): void {
  const { answer } = called;
  const shown = stepIn(called);
  const here = authored.filter(
    (one) => (one.steps === 'every' || one.steps?.includes(stop.id) === true) && toldToEach(one),
  );
  const told = new Set(
    here.filter((one) => one.when.every((condition) => naiveHolds(condition, { context, names: stop.names }))),
  );
  const texts = new Set([...told].map(({ text }) => text));
  for (const one of here) {
    const missing = missingPiece(one.text, shown);
    // Two pieces of work may follow one routine, only one of which applies.
    if (!told.has(one) && texts.has(one.text)) continue;
    if (told.has(one)) expect(missing, `${one.field} of ${stop.path}`).toBeUndefined();
    else if (/word\d/u.test(one.text)) expect(missing, `${one.field} of ${stop.path} does not apply`).toBeDefined();
    else if (one.field === 'requireConfirmation') {
      const expects = fieldsOf(fieldsOf(answer['pending'])['expects']);
      // What the step hands back may yet make it hold.
      const open = listOf(expects['context']).some(
        ({ key }) =>
          !Object.hasOwn(stop.names, textOf(key)) && JSON.stringify(one.when).includes(`"var":${JSON.stringify(key)}`),
      );
      expect(fieldsOf(expects['confirmation'])['required']).toBe(open);
    }
  }
}

/** What several steps are told once, whichever of them comes first tells. */
function checkToldOnce(
  authored: readonly Authored[],
  answers: readonly { readonly id: string; readonly shown: string }[],
): void {
  for (const { steps, text, field, when } of authored.filter((one) => !toldToEach(one))) {
    const among = answers.filter(({ id }) => steps?.includes(id) === true);
    if (among.length > 0 && when.length === 0)
      expect(
        among.filter(({ shown }) => missingPiece(text, shown) === undefined).length,
        `${field}: ${text}`,
      ).toBeGreaterThan(0);
  }
}

async function walk(files: WorkrailFiles, mode: Mode, draw: Draw): Promise<void> {
  const { main } = files;
  const authored = authoredTexts(main, finding(files));
  const state: { context: JsonObject } = { context: {} };
  const expected = naiveRun(main, finding(files), state);
  let here: Called = await call(requests, 'start_workflow', { workflowId: textOf(main['id']), mode, fresh: true });
  if (here.reply.failed) throw new Error(here.reply.text);
  const first = withoutBreaks(here.reply.text);
  if (here.answer['isComplete'] === false)
    for (const { field, text, steps } of authored)
      if (steps === undefined) expect(missingPiece(text, first), field).toBeUndefined();
  let next = expected.next();
  let all = first;
  const answers: { id: string; shown: string }[] = [];
  for (let steps = 0; here.answer['isComplete'] === false; steps += 1) {
    expect(steps).toBeLessThan(1000);
    const pending = fieldsOf(here.answer['pending']);
    expect({ after: steps, path: pending['path'] }).toEqual({
      after: steps,
      path: next.done === true ? 'the end' : next.value.path,
    });
    if (next.done !== true) {
      const told = await withWholeStep(requests, here);
      checkTold(authored, next.value, state.context, told);
      answers.push({ id: next.value.id, shown: stepIn(told) });
    }
    const handed = handBack(fieldsOf(pending['expects']), draw);
    here = await call(requests, 'continue_workflow', {
      stateToken: here.answer['stateToken']!,
      ackToken: here.answer['ackToken']!,
      ...handed,
    });
    if (here.reply.failed || here.answer['kind'] === 'blocked') throw new Error(`${mode}: ${here.reply.text}`);
    all += ` ${withoutBreaks(here.reply.text)}`;
    state.context = patched(state.context, handed.context);
    next = expected.next(decisionIn(handed));
  }
  expect(next.done === true ? 'the end' : next.value.path).toBe('the end');
  checkToldOnce(authored, answers);
  expect(all).not.toMatch(/\[object Object\]|\[unset|undefined/u);
}

function writeFiles({ main, routines }: WorkrailFiles): () => void {
  const folder = join(world.bundled, 'generated');
  mkdirSync(folder, { recursive: true });
  for (const file of [main, ...routines])
    writeFileSync(join(folder, `${textOf(file['id'])}.json`), JSON.stringify(file, null, 2));
  return () => rmSync(folder, { recursive: true });
}

const compiledOf = (file: JsonObject, find: FindFile): Compilation =>
  compileSource(JSON.stringify(file), 'x.json', (id) => {
    const found = find(id);
    return found && { file: `${id}.json`, compile: () => undefined, source: () => found };
  });

describe('any file of the WorkRail JSON format', () => {
  it(
    'has the steps and the approvals that its conditions say, whatever is handed back',
    () => {
      const all = { steps: 0, conditional: 0, held: 0 };
      fc.assert(
        fc.property(workrailFiles, fc.nat(), (files, seed) => {
          const find = finding(files);
          const compilation = compiledOf(files.main, find);
          if (!compilation.ok) throw new Error(JSON.stringify(compilation.violations));
          const read = { main: files.main, find, workflow: compilation.workflow };
          for (const handBack of [anyFacts(files.main, files.routines, drawing(seed)), examplesAlone]) {
            const { steps, conditional, held } = compareRun(read, handBack);
            all.steps += steps;
            all.conditional += conditional;
            all.held += held;
          }
        }),
        runs(200),
      );
      expect(all.held).toBeGreaterThan(0);
      expect(all.held).toBeLessThan(all.conditional);
    },
    patience,
  );

  it(
    'compiles, with nothing but warnings',
    () => {
      fc.assert(
        fc.property(workrailFiles, (files) => {
          for (const file of [files.main, ...files.routines]) {
            const compilation = compiledOf(file, finding(files));
            expect(compilation.ok ? [] : compilation.violations).toEqual([]);
          }
        }),
        runs(150),
      );
    },
    patience,
  );

  it.each(modeNames)(
    'is walked to its end in %s by a script that reads pending.expects, as the plainest reading has it, and every text is told in its place',
    async (mode) => {
      await fc.assert(
        fc.asyncProperty(workrailFiles, fc.nat(), async (files, seed) => {
          const remove = writeFiles(files);
          try {
            await walk(files, mode, drawing(seed));
          } finally {
            remove();
          }
        }),
        runs(50),
      );
    },
    patience,
  );
});
