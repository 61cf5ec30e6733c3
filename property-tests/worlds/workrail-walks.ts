import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json-value.js';
import { modeNames, type Mode } from '../../src/base/preferences.js';
import type { Compilation, Routines } from '../../src/definitions/expand/compilation.js';
import { compileSource } from '../../src/definitions/compile-source.js';
import { isWorkrailJson } from '../../src/definitions/source/is-workrail-json.js';
import { variantRank } from '../../src/library/variant-rank.js';
import type { Requests } from '../../src/requests/requests.js';
import {
  call,
  type Called,
  type Fields,
  eventsIn,
  fieldsOf,
  listOf,
  makeRequestsWorld,
  type RequestsWorld,
  segmentTexts,
  textOf,
  withWholeStep,
} from './requests-world.js';
import { patience } from './runs-of-law.js';
import { type Authored, authoredTexts, missingPiece, toldToEach, withoutBreaks } from './workrail-authored.js';
import { type FindFile, naiveHolds, objectsIn, textIn } from './workrail-naive.js';
import {
  anyFacts,
  compareRun,
  type Compared,
  drawing,
  examplesAlone,
  type ReadTwice,
  routinesOf,
} from './workrail-sameness.js';

interface WorkrailFile {
  readonly file: string;
  readonly id: string;
  readonly source: JsonObject;
  readonly text: string;
}

function workrailFilesIn(folder: string): readonly WorkrailFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .toSorted((a, b) => variantRank(b) - variantRank(a) || (a < b ? -1 : 1))
    .flatMap((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      const source = JSON.parse(text) as JsonValue;
      return isJsonObject(source) && isWorkrailJson(source) ? [{ file, id: textOf(source['id']), source, text }] : [];
    });
}

function compilerOf(all: readonly WorkrailFile[]): (one: WorkrailFile) => Compilation {
  const routines: Routines = (id) => {
    const found = all.find((one) => one.id === id);
    return found && { file: found.file, compile: () => undefined, source: () => found.source };
  };
  return ({ text, file }) => compileSource(text, file, routines);
}

/** What a warm compiler takes of the processor, at best: beside others it waits longer than it works. */
function leastMs(work: () => void): number {
  work();
  const taken = Array.from({ length: 9 }, () => {
    const began = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1000;
  });
  return Math.min(...taken);
}

type HandBack = (expects: Fields) => { readonly context: JsonObject; readonly [field: string]: JsonValue };

/** What a script sends that has read `pending.expects` and nothing else: the examples, or other values where it may choose. */
const everythingAsked =
  (choice: number): HandBack =>
  (expects) => {
    const value = ({ type, values, description, example }: Fields): JsonValue => {
      if (Array.isArray(values)) return (values as readonly JsonValue[])[choice % values.length]!;
      if (type === 'array')
        return [[], [{ name: 'first', risky: true }, { name: 'second' }], ['one', 'two', 'three']][choice % 3]!;
      const told = /conditions compare it with (.*)$/u.exec(textOf(description))?.[1];
      const known = told === undefined ? [] : (JSON.parse(`[${told}]`) as readonly JsonValue[]);
      const otherwise: readonly JsonValue[] =
        type === 'number' || type === 'integer' ? [2] : type === 'boolean' ? [true, false] : ['something else'];
      const all = [example ?? null, ...known.slice(1), ...otherwise];
      return all[choice % all.length]!;
    };
    const context = listOf(expects['context']).filter(({ required }) => choice !== 1 || required === true);
    return {
      output: {
        notesMarkdown: fieldsOf(expects['notes'])['example'] ?? '',
        artifacts: listOf(expects['artifacts']).map(({ example }) => fieldsOf(example) as JsonObject),
      },
      context: Object.fromEntries(context.map((key): [string, JsonValue] => [textOf(key['key']), value(key)])),
      ...(fieldsOf(expects['confirmation'])['required'] === true && { confirmed: true }),
    };
  };

/** An answer of one walk, with what was known when it was given. */
interface Shown {
  readonly step: string;
  readonly text: string;
  readonly context: JsonObject;
}

interface Walked {
  readonly shown: readonly Shown[];
  readonly steps: number;
  readonly session: string;
}

async function walk(requests: Requests, workflowId: string, mode: Mode, handBack: HandBack): Promise<Walked> {
  let here: Called = await call(requests, 'start_workflow', { workflowId, mode, fresh: true });
  if (here.reply.failed) throw new Error(here.reply.text);
  const shown: Shown[] = [];
  let context: JsonObject = {};
  const note = async (): Promise<void> => {
    const { text } = (await withWholeStep(requests, here)).reply;
    // The first answer tells of the whole workflow; later ones begin with what was recorded, in the agent's own words.
    const from = shown.length === 0 ? 0 : text.indexOf('\n## Step ');
    shown.push({
      step: textOf(fieldsOf(here.answer['pending'])['stepId']),
      text: withoutBreaks(text.slice(Math.max(0, from))),
      context,
    });
  };
  await note();
  while (here.answer['isComplete'] === false) {
    if (shown.length > 3000) throw new Error('the run does not end');
    const handed = handBack(fieldsOf(fieldsOf(here.answer['pending'])['expects']));
    here = await call(requests, 'continue_workflow', {
      stateToken: here.answer['stateToken']!,
      ackToken: here.answer['ackToken']!,
      ...handed,
    });
    if (here.reply.failed || here.answer['kind'] === 'blocked')
      throw new Error(`${workflowId} in ${mode}: ${here.reply.text}`);
    context = Object.fromEntries(
      Object.entries({ ...context, ...handed.context }).filter(([, value]) => value !== null),
    );
    await note();
  }
  return { shown, steps: shown.length - 1, session: textOf(fieldsOf(here.answer['session'])['sessionId']) };
}

/**
 * Every file of the WorkRail JSON format in a folder: that it loads, is walked to its end in every mode, and keeps nothing of
 * its author's from the agent. `largestMs` is what the largest of them takes to compile, `contexts` how many a file are
 * held against what its conditions say, and `say` takes the lines of a table.
 */
export function walkFolder(
  folder: string,
  { largestMs, contexts }: { readonly largestMs: number; readonly contexts: number },
  say: (line: string) => void,
): void {
  const all = workrailFilesIn(folder);
  const compile = compilerOf(all);
  const ids = [...new Set(all.map(({ id }) => id))];
  const rows = new Map<string, string[]>();
  let world: RequestsWorld;
  let requests: Requests;
  beforeAll(() => {
    world = makeRequestsWorld({ seed: 5, bundled: folder });
    requests = world.open();
  });
  afterAll(async () => {
    for (const [id, row] of rows) say(`${id} · ${row.join(' · ')}`);
    await world.close();
  });
  const tell = (id: string, cell: string): void => void rows.set(id, [...(rows.get(id) ?? []), cell]);

  it('is listed whole', async () => {
    const listed: string[] = [];
    for (let cursor: JsonValue | undefined; ;) {
      const { answer } = await call(requests, 'list_workflows', cursor === undefined ? {} : { cursor });
      listed.push(
        ...listOf(answer['workflows'])
          .filter(({ startable }) => startable === true)
          .map(({ id }) => textOf(id)),
      );
      cursor = answer['nextCursor'];
      if (cursor === undefined || cursor === null) break;
    }
    expect(listed.toSorted()).toEqual(ids.toSorted());
  });

  test.each(all.map((one) => [one.file, one] as const))('%s compiles, with nothing but warnings', (_, one) => {
    const compilation = compile(one);
    expect(compilation.ok ? [] : compilation.violations).toEqual([]);
    const ms = leastMs(() => void compile(one));
    tell(
      one.id,
      `${one.file}: compiled in ${ms.toFixed(1)} ms, ${compilation.ok ? compilation.warnings.length : 0} warnings`,
    );
    if (one.text.length === Math.max(...all.map(({ text }) => text.length))) expect(ms).toBeLessThan(largestMs);
  });

  describe.each(ids)('%s', (id) => {
    const walks: Walked[] = [];
    test.each(modeNames)(
      'is finished in %s by a script that reads pending.expects',
      async (mode) => {
        const done: Walked[] = [];
        for (let choice = 0; choice < (mode === 'guided' ? 6 : 3); choice += 1)
          done.push(await walk(requests, id, mode, everythingAsked(choice)));
        walks.push(...done);
        // Each walk has a session of its own.
        const told = done.map(({ session }) => segmentTexts(world.data, session).flatMap(({ text }) => eventsIn(text)));
        for (const events of told) expect(events.length).toBeGreaterThan(0);
        const counts = (field: string): string =>
          told
            .map((events) =>
              events.reduce((sum, { data }) => sum + listOf(fieldsOf(data as JsonValue)[field]).length, 0),
            )
            .join(' ');
        tell(
          id,
          `${mode}: steps ${done.map(({ steps }) => steps).join(' ')}, skips ${counts('skipped')}, gaps ${counts('gaps')}, warnings ${counts('warnings')}`,
        );
        for (const { shown } of done)
          for (const { text } of shown) expect(text).not.toMatch(/\[object Object\]|\[unset|\bundefined\b has/u);
        expect(done.some(({ steps }) => steps > 0)).toBe(true);
      },
      patience,
    );

    it('is the same steps, and the same approvals, as its author’s conditions say', () => {
      const one = all.find((file) => file.id === id)!;
      // Their ids have a namespace where their callers have none.
      const find: FindFile = (name) => all.find((file) => file.id === name || file.id === `wr.${name}`)?.source;
      const compilation = compile(one);
      if (!compilation.ok) throw new Error(JSON.stringify(compilation.violations));
      const read: ReadTwice = { main: one.source, find, workflow: compilation.workflow };
      const runs = [...Array(contexts).keys()].map((seed) =>
        compareRun(read, anyFacts(one.source, routinesOf(one.source, find), drawing(seed))),
      );
      const shown = compareRun(read, examplesAlone);
      expect({ at: 'approvals of the examples', held: shown.held }).toEqual({
        at: 'approvals of the examples',
        held: shown.conditional,
      });
      const sum = (field: keyof Compared): number => runs.reduce((all, run) => all + run[field], 0);
      tell(
        id,
        `${runs.length} contexts: ${sum('steps')} steps, held at ${sum('held')} of ${sum('conditional')} approvals`,
      );
    });

    it('has shown whatever its author wrote, each text in its place', () => {
      const { source } = all.find((one) => one.id === id)!;
      const authored = authoredTexts(source, (name) => all.find((one) => one.id === name)?.source);
      const answers = walks.flatMap(({ shown }) => shown);
      const reached = new Set(answers.map(({ step }) => step));
      expect(lost(authored, walks, loopNamesIn(source))).toEqual([]);
      const written = new Set(authored.flatMap(({ steps = [] }) => (steps === 'every' ? [] : steps)));
      tell(id, `${[...written].filter((step) => reached.has(step)).length} of ${written.size} steps reached`);
    });
  });
}

/** Texts that an agent should have met in an answer and did not. */
function lost(authored: readonly Authored[], walks: readonly Walked[], names: ReadonlySet<string>): readonly string[] {
  const answers = walks.flatMap(({ shown }) => shown);
  return authored.flatMap((one): readonly string[] => {
    if (one.when.some((condition) => variablesOf(condition).some((name) => names.has(name)))) return [];
    const { steps } = one;
    const among =
      steps === undefined
        ? walks.flatMap(({ shown }) => shown.slice(0, 1))
        : answers.filter(({ step }) => (steps === 'every' ? step !== '' : steps.includes(step)));
    const due = among.filter(({ context }) =>
      one.when.every((condition) => naiveHolds(condition, { context, names: {} })),
    );
    const without = due.filter(({ text }) => missingPiece(one.text, text) !== undefined);
    const isLost = toldToEach(one) ? without.length > 0 : due.length > 0 && without.length === due.length;
    return isLost
      ? [
          `${one.field} of ${steps === undefined ? 'the workflow' : steps === 'every' ? 'every step' : steps.join(', ')}: ${missingPiece(one.text, without[0]!.text)!}`,
        ]
      : [];
  });
}

/** What loops call their elements and counters: their values are known to the run alone. */
function loopNamesIn(source: JsonObject): ReadonlySet<string> {
  const names = ['currentIteration', 'currentItem', 'currentIndex'];
  for (const { loop } of objectsIn(source['steps']))
    for (const key of ['iterationVar', 'itemVar', 'indexVar'])
      if (isJsonObject(loop ?? null)) names.push(textIn((loop as JsonObject)[key]));
  return new Set(names);
}

function variablesOf(condition: JsonValue): readonly string[] {
  if (Array.isArray(condition)) return (condition as readonly JsonValue[]).flatMap(variablesOf);
  return isJsonObject(condition) ? [textIn(condition['var']), ...Object.values(condition).flatMap(variablesOf)] : [];
}
