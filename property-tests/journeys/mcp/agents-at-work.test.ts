import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/base/json-value.js';
import type { RequestName } from '../../../src/contract/request-schemas.js';
import { fieldsOf, makeRequestsWorld, type RequestsWorld, textOf } from '../../worlds/requests-world.js';

/** Calls of agents that knew nothing but the tools (docs/agents-at-work.md), made once more of this program. */
const fixtures = fileURLToPath(new URL('../../../fixtures/agents', import.meta.url));
const bundled = fileURLToPath(new URL('../../../workflows', import.meta.url));

interface Call {
  readonly chat?: 'lost';
  readonly server?: 'killed';
  readonly tool?: RequestName;
  readonly args?: JsonObject;
  /** What came of it, and why it was meant to go wrong, where it was. */
  readonly kind?: string;
  readonly code?: string;
  readonly wrong?: string;
  /** The title of the step that waited where it was made. */
  readonly step?: string;
  /** All tokens of the answer, in their order. */
  readonly tokens?: readonly string[];
}

let world: RequestsWorld;
afterEach(() => world.close());

const callsOf = (name: string): readonly Call[] =>
  JSON.parse(readFileSync(join(fixtures, name, 'calls.json'), 'utf8')) as readonly Call[];

const everyToken = /(?:st|ack)\.v1\.[0-9A-Z]+/gu;
const tokensIn = (text: string): readonly string[] => text.match(everyToken) ?? [];

/** Tokens are sealed anew with each replay: those of an answer stand in the same order. */
class Tokens {
  readonly #now = new Map<string, string>();

  in(value: JsonValue): JsonValue {
    if (typeof value === 'string') return this.#now.get(value) ?? value;
    if (Array.isArray(value)) return (value as readonly JsonValue[]).map((one) => this.in(one));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.in(one)]));
  }

  learn(then: readonly string[], now: readonly string[]): void {
    const fresh = [...new Set(then)].filter((token) => !this.#now.has(token));
    const known = new Set(this.#now.values());
    const met = [...new Set(now)].filter((token) => !known.has(token));
    if (met.length !== fresh.length) throw new Error(`${met.length} new tokens, ${fresh.length} then`);
    for (const [at, token] of fresh.entries()) this.#now.set(token, met[at]!);
  }
}

interface Played {
  readonly calls: number;
  /** By the number of a call, what came of it and what it said. */
  readonly came: readonly { readonly call: Call; readonly outcome: string; readonly text: string }[];
}

async function replay(name: string, from: readonly string[]): Promise<Played> {
  world = makeRequestsWorld({ seed: 155 });
  for (const folder of from)
    for (const file of readdirSync(folder))
      if (file.endsWith('.yaml')) cpSync(join(folder, file), join(world.bundled, file));
  let requests = world.open();
  const tokens = new Tokens();
  const came: { call: Call; outcome: string; text: string }[] = [];
  for (const call of callsOf(name)) {
    if (call.server === 'killed') requests = world.open();
    if (call.tool === undefined) continue;
    const { answer, text } = await requests.call(call.tool, tokens.in(call.args ?? {}) as JsonObject);
    const told = fieldsOf(answer);
    const outcome = textOf(told['error_code'] ?? told['kind'] ?? 'ok');
    came.push({ call, outcome, text });
    tokens.learn(call.tokens ?? [], tokensIn(text));
  }
  return { calls: came.length, came };
}

/** Each as it came then. */
function expectAsThen({ came }: Played): void {
  const differ = came.flatMap(({ call, outcome }, at) => {
    const wanted = call.code ?? call.kind ?? 'ok';
    return outcome === wanted ? [] : [`call ${at + 1}, ${call.tool}: ${outcome} instead of ${wanted}`];
  });
  expect(differ).toEqual([]);
}

/** No work is lost, and none stands at a step that it was not handed in for. */
function expectAllKept({ came }: Played): void {
  const events = world.lines();
  const acked = events.flatMap((event) => (event.kind === 'step_acked' ? [event.data] : []));
  const all = JSON.stringify(events.map(({ data }) => data));
  let atTheirStep = 0;
  for (const { call, outcome } of came) {
    const notes = fieldsOf(fieldsOf(call.args)['output'])['notesMarkdown'];
    if (typeof notes !== 'string' || !['ok', 'complete', 'blocked'].includes(outcome)) continue;
    expect(all, notes.slice(0, 80)).toContain(JSON.stringify(notes).slice(1, -1));
    const steps = acked.filter(({ output }) => output?.notes === notes).map(({ step }) => step);
    if (call.step === undefined || steps.length === 0) continue;
    expect(steps).toContain(call.step);
    atTheirStep += 1;
  }
  expect(atTheirStep).toBeGreaterThan(15);
}

describe('an agent that writes a workflow and runs it', () => {
  it('gets on as it did, and keeps all that it handed in', async () => {
    const played = await replay('own-workflow', [bundled, join(fixtures, 'own-workflow')]);
    expect(played.calls).toBeGreaterThan(50);
    expectAsThen(played);
    expectAllKept(played);
    // The answer to one commit did not serve for another.
    const stale = played.came.find(({ call }) => call.wrong?.includes('c0ffee') === true);
    expect(stale?.outcome).toBe('blocked');
    // A new chat finds what people have to do about the dates.
    expect(played.came.at(-2)?.text).toContain('toLocal()');
  });
});

describe('an agent with one run inside another', () => {
  it('gets on as it did, and keeps all that it handed in', async () => {
    const played = await replay('nested-runs', [join(fixtures, 'nested-runs')]);
    expect(played.calls).toBeGreaterThan(40);
    expectAsThen(played);
    expectAllKept(played);
    // The inner run names the one that waits, at its start and at its end.
    const texts = played.came.map(({ text }) => text);
    const [start, end] = [
      texts.find((text) => text.includes('Started “Investigate a bug”')),
      texts.find((text) => text.includes('“Investigate a bug” is complete')),
    ];
    for (const text of [start, end]) expect(text).toContain('Also open');
  });
});
