import { expect } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/json-value.js';
import type { Mode } from '../../src/base/preferences.js';
import type { Requests } from '../../src/requests/requests.js';
import { call, type Called, type Fields, fieldsOf, listOf, textOf } from './requests-world.js';

interface HandedBack {
  readonly context?: JsonObject;
  readonly artifacts?: readonly JsonObject[];
  /** Not handed back, though it is asked for. */
  readonly without?: readonly string[];
}
export interface Play {
  readonly id: string;
  readonly inputs: JsonObject;
  readonly mode?: Mode;
  /** What is handed back for a step, by its id and how often it has come; the rest is as the step's own example. */
  readonly day: { readonly [step: string]: (time: number) => HandedBack };
}

export interface Played {
  readonly paths: readonly string[];
  /** The text of each answer, by the path of the step that waits in it. */
  readonly texts: ReadonlyMap<string, string>;
  readonly last: Fields;
  readonly refused: readonly string[];
}

/** A run from its start to its end, by an agent that hands back what the day brings. */
export async function playWorkflow(requests: Requests, { id, inputs, mode = 'auto_stop', day }: Play): Promise<Played> {
  const [paths, texts, refused, times] = [
    [] as string[],
    new Map<string, string>(),
    [] as string[],
    new Map<string, number>(),
  ];
  let at = await call(requests, 'start_workflow', { workflowId: id, context: inputs, mode, fresh: true });
  while (at.answer['isComplete'] === false) {
    expect(paths.length).toBeLessThan(60);
    const pending = fieldsOf(at.answer['pending']);
    const [step, path] = [textOf(pending['stepId']), textOf(pending['path'])];
    paths.push(path);
    texts.set(path, at.reply.text);
    times.set(step, (times.get(step) ?? 0) + 1);
    const given = day[step]?.(times.get(step)!) ?? {};
    const whole = requestFor(at, {});
    let next = await call(requests, 'continue_workflow', requestFor(at, given));
    if (next.answer['kind'] === 'blocked' || next.reply.failed) {
      refused.push(`${path}: ${next.reply.text.split('\n')[0]}`);
      next = await call(requests, 'continue_workflow', {
        ...whole,
        context: { ...fieldsOf(whole['context']), ...given.context } as JsonObject,
      });
    }
    expect(next.reply.failed, next.reply.text).toBe(false);
    at = next;
  }
  return { paths, texts, last: at.answer, refused };
}

/** What completes the step of an answer: what is given, and for the rest its own examples. */
export function requestFor({ answer }: Called, { context = {}, artifacts = [], without = [] }: HandedBack): JsonObject {
  const expects = fieldsOf(fieldsOf(answer['pending'])['expects']);
  const asked = Object.fromEntries(
    [
      ...listOf(expects['needs']).map(({ key }): [string, JsonValue] => [textOf(key), 'as the user gave it']),
      // Where the step says what the user may choose among, that.
      ...listOf(expects['context']).map(({ key, example }): [string, JsonValue] => [textOf(key), example ?? null]),
      ...Object.entries(context),
    ].filter(([key]) => !without.includes(String(key))),
  );
  const own = new Set(artifacts.map(({ kind }) => kind));
  return {
    stateToken: answer['stateToken']!,
    ackToken: answer['ackToken']!,
    context: asked as JsonObject,
    output: {
      notesMarkdown: fieldsOf(expects['notes'])['example'] ?? '',
      artifacts: [
        ...artifacts,
        ...listOf(expects['artifacts'])
          .map(({ example }) => fieldsOf(example) as JsonObject)
          .filter(({ kind }) => !own.has(kind)),
      ],
    },
    ...(fieldsOf(expects['confirmation'])['required'] === true && { confirmed: true }),
  };
}
