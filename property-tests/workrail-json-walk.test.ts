import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../src/base/json-value.js';
import { modeNames, type Mode } from '../src/base/preferences.js';
import type { CompiledStep, PromptStep } from '../src/definitions/compiled-workflow.js';
import { isWorkrailJson } from '../src/definitions/is-workrail-json.js';
import { parseSource } from '../src/definitions/source-document.js';
import { templateParts } from '../src/definitions/template.js';
import { compileWorkrailJson } from '../src/definitions/workrail-json.js';
import type { Requests } from '../src/requests/requests.js';
import { call, type Called, type Fields, fieldsOf, linesOnDisk, listOf, makeRequestsWorld, type RequestsWorld, textOf } from './laws/requests-world.js';
import { patience } from './laws/runs-of-law.js';

const folders = [fileURLToPath(new URL('../fixtures/workrail-json', import.meta.url)), fileURLToPath(new URL('../../shared/corpora/workrail-workflows', import.meta.url))].filter((folder) => existsSync(folder));

function filesIn(folder: string): readonly { readonly file: string; readonly source: JsonObject; readonly text: string }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .flatMap((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      const source = JSON.parse(text) as JsonValue;
      return isJsonObject(source) && isWorkrailJson(source) ? [{ file, source, text }] : [];
    });
}

const compileText = (folder: string, text: string, file: string): ReturnType<typeof compileWorkrailJson> => {
  const document = parseSource(text, file);
  if (!document.ok) return { ok: false, violations: document.error };
  const all = filesIn(folder);
  return compileWorkrailJson(document.value, file, (id) => {
    const found = all.find(({ source }) => source['id'] === id);
    return found && { source: () => found.source };
  });
};

const table: string[] = [];
afterAll(() => console.log(['workflow · mode · choice: steps, skips, gaps, warnings', ...table, ...(folders.length === 1 ? ['the corpus of real files is not on this machine: only our samples were walked'] : [])].join('\n')));

type HandBack = (expects: Fields) => JsonObject;

/** What a script sends that has read `pending.expects` and nothing else: the examples, or other values where it may choose. */
const everythingAsked =
  (choice: number): HandBack =>
  (expects) => {
    const value = ({ type, values, example }: Fields): JsonValue => {
      if (Array.isArray(values)) return (values as readonly JsonValue[])[choice % values.length]!;
      if (type === 'array') return [[], [{ name: 'first', risky: true }, { name: 'second' }], ['one', 'two', 'three']][choice % 3]!;
      return choice === 2 && type === 'number' ? 2 : choice === 2 && type === 'string' ? 'something else' : (example ?? null);
    };
    const context = listOf(expects['context']).filter(({ required }) => choice !== 1 || required === true).map((key): [string, JsonValue] => [textOf(key['key']), value(key)]);
    return {
      output: { notesMarkdown: fieldsOf(expects['notes'])['example'] ?? '', artifacts: listOf(expects['artifacts']).map(({ example }) => fieldsOf(example) as JsonObject) },
      ...(context.length > 0 && { context: Object.fromEntries(context) }),
      ...(fieldsOf(expects['confirmation'])['required'] === true && { confirmed: true }),
    };
  };

describe.each(folders)('%s', (folder) => {
  const all = filesIn(folder);
  let world: RequestsWorld;
  let requests: Requests;
  beforeAll(() => {
    world = makeRequestsWorld({ seed: 5, bundled: folder });
    requests = world.open();
  });
  afterAll(() => world.close());

  it('is listed whole', async () => {
    const listed: string[] = [];
    for (let cursor: JsonValue | undefined; ; ) {
      const { answer } = await call(requests, 'list_workflows', cursor === undefined ? {} : { cursor });
      listed.push(...listOf(answer['workflows']).filter(({ violations }) => !Array.isArray(violations) || violations.length === 0).map(({ id }) => textOf(id)));
      cursor = answer['nextCursor'];
      if (cursor === undefined || cursor === null) break;
    }
    expect(listed.toSorted()).toEqual(all.map(({ source }) => textOf(source['id'])).toSorted());
  });

  test.each(all.map(({ file, text }) => [file, text] as const))('%s compiles, with nothing but warnings', (file, text) => {
    const compilation = compileText(folder, text, file);
    expect(compilation.ok ? [] : compilation.violations).toEqual([]);
    const began = performance.now();
    compileText(folder, text, file);
    expect(performance.now() - began).toBeLessThan(500);
  });

  /** All that was ever shown of each workflow. */
  const everything = new Map<string, string>();

  const walk = async (workflowId: string, mode: Mode, handBack: HandBack): Promise<{ readonly steps: number; readonly last: Fields; readonly shown: string }> => {
    let here: Called = await call(requests, 'start_workflow', { workflowId, mode, fresh: true });
    if (here.reply.failed) throw new Error(here.reply.text);
    let [steps, shown] = [0, here.reply.text];
    while (here.answer['isComplete'] === false) {
      if (steps > 400) throw new Error('the run does not end');
      here = await call(requests, 'continue_workflow', { stateToken: here.answer['stateToken']!, ackToken: here.answer['ackToken']!, ...handBack(fieldsOf(fieldsOf(here.answer['pending'])['expects'])) });
      if (here.reply.failed || here.answer['kind'] === 'blocked') throw new Error(`${workflowId} in ${mode}: ${here.reply.text}`);
      steps += 1;
      shown += `\n${here.reply.text}`;
    }
    return { steps, last: here.answer, shown };
  };

  describe.each(all.map(({ source }) => textOf(source['id'])))('%s', (workflowId) => {
    describe.each(modeNames)('in %s', (mode) => {
      test.each([0, 1, 2])('is finished by a script that reads pending.expects, choice %i', async (choice) => {
        const { steps, last, shown } = await walk(workflowId, mode, everythingAsked(choice));
        const acks = linesOnDisk(world.data).filter(({ run }) => run === fieldsOf(last['session'])['runId']).map(({ data }) => fieldsOf(data as JsonValue));
        const count = (field: string): number => acks.reduce((sum, data) => sum + listOf(data[field]).length, 0);
        table.push(`${workflowId} · ${mode} · ${choice}: ${steps}, ${count('skipped')}, ${count('gaps')}, ${count('warnings')}`);
        expect(steps).toBeGreaterThan(0);
        everything.set(workflowId, `${everything.get(workflowId) ?? ''}\n${shown}`);
        expect(shown).not.toMatch(/\[object Object\]|\[unset|undefined/u);
      }, patience);
    });

    it('has shown whatever its author wrote of the steps that were reached', () => {
      const { file, text } = all.find(({ source }) => source['id'] === workflowId)!;
      const compilation = compileText(folder, text, file);
      if (!compilation.ok) throw new Error('it compiles');
      const { workflow } = compilation;
      const shown = plain(everything.get(workflowId)!);
      const told = [workflow.description, ...workflow.guidance, ...workflow.preconditions, ...workflow.clarify, ...(workflow.references ?? []).flatMap(({ title, path }) => [title, path])];
      const reached = promptsIn(workflow.steps).filter(({ prompt }) => pieces(prompt).every((piece) => shown.includes(piece)));
      expect(reached.length).toBeGreaterThan(0);
      for (const text of [...told, ...reached.flatMap(textsOf)]) for (const piece of pieces(text)) expect(shown, piece).toContain(piece);
    });
  });
});

function promptsIn(steps: readonly CompiledStep[]): readonly PromptStep[] {
  return steps.flatMap((step) => (step.kind === 'prompt' ? [step] : promptsIn(step.steps)));
}

/** Everything of a step that is told whenever it waits; a fragment or a piece of work under a condition may stay away. */
function textsOf(step: PromptStep): readonly string[] {
  return [
    step.title,
    step.role ?? '',
    ...step.guidance,
    ...(step.functions ?? []).map(({ text }) => text),
    ...(step.fragments ?? []).filter((part) => part.if === undefined).map(({ text }) => text),
    ...(step.delegates ?? []).filter((part) => part.if === undefined).flatMap(({ title, goal, text }) => [title, goal, text]),
    ...(step.assessments ?? []).flatMap(({ purpose, dimensions, followUps }) => [purpose, ...dimensions.flatMap((dimension) => [dimension.purpose, ...dimension.levels]), ...followUps.flatMap(({ level, guidance }) => [level, guidance])]),
    ...step.outputs.map(({ kind }) => kind),
    ...step.rules.flatMap((rule) => ('contains' in rule ? [rule.contains] : [])),
  ];
}

/** What stands between the holes, line by line. */
function pieces(text: string): readonly string[] {
  return templateParts(text).flatMap((part) => ('text' in part ? part.text.split('\n') : [])).map(plain).filter((piece) => piece !== '');
}

const plain = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();
