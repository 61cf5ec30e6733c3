import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventData, type EventKind } from '../../src/events/event-data.js';
import { type Event, eventVersion } from '../../src/events/event.js';
import { decodeLine, encodeLine, sumOf } from '../../src/events/line-codec.js';
import { draftOf, envelopes, eventKinds } from '../worlds/event-generators.js';
import { patience, runs } from '../worlds/runs-of-law.js';

const bytesOf = (line: string): Buffer => Buffer.from(line.slice(0, -1), 'utf8');
const lineOf = (kind: EventKind): fc.Arbitrary<ReturnType<typeof encodeLine>> =>
  fc.tuple(draftOf(kind), envelopes).map(([draft, around]) => encodeLine(draft, around));

/** The line of a value that was tampered with, sealed anew, so that only its form can give it away. */
function sealed(value: unknown): Buffer {
  const body = JSON.stringify(value).slice(0, -1);
  return Buffer.from(`${body},"sum":"${sumOf(body)}"}`, 'utf8');
}

function refuses(bytes: Buffer, because: string): void {
  const read = decodeLine(bytes);
  if (read.ok) throw new Error(`was read although ${because}: ${bytes.toString('utf8').slice(0, 300)}`);
}

/** Fields whose content is a caller's own JSON: there anything goes. */
const free = new Set([
  'context',
  'inputs',
  'artifacts',
  'items',
  'saw',
  'added',
  'body',
  'headers',
  'json',
  'value',
  'ops',
]);

function placesOfStrictObjects(
  value: unknown,
  at: readonly (string | number)[] = [],
): readonly (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, child]) =>
    free.has(key) ? [] : placesOfStrictObjects(child, [...at, Array.isArray(value) ? Number(key) : key]),
  );
  return Array.isArray(value) ? inner : [at, ...inner];
}

function withField(value: unknown, at: readonly (string | number)[], field: string): unknown {
  const copy = JSON.parse(JSON.stringify(value)) as Record<string | number, unknown>;
  let target = copy;
  for (const part of at) target = target[part] as typeof target;
  target[field] = 1;
  return copy;
}

function without(value: object, field: string): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== field));
}

describe.each(eventKinds)('law 1: %s', (kind) => {
  test('a line decodes to the event that was encoded, and encodes to the same line again', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(draftOf(kind), envelopes, (draft, around) => {
        const { line, event } = encodeLine(draft, around);
        expect(line.endsWith('\n') && line.indexOf('\n') === line.length - 1).toBe(true);
        const read = decodeLine(bytesOf(line));
        if (!read.ok) throw new Error(read.error.message);
        // As text, so that keys such as __proto__, their order and -0 count.
        expect(JSON.stringify(read.value)).toBe(JSON.stringify(event));
        expect(JSON.stringify(read.value.data)).toBe(JSON.stringify(draft.data));
        expect(encodeLine(read.value, read.value).line).toBe(line);
        for (const field of Object.keys(draft.data)) seen.add(field);
      }),
      runs(150),
    );
    expect([...seen].toSorted(), 'the generator draws every field of the schema').toEqual(
      Object.keys(eventData[kind].shape).toSorted(),
    );
  });

  test('any one byte changed, put in or taken out is refused', () => {
    fc.assert(
      fc.property(lineOf(kind), fc.integer({ min: 1, max: 255 }), fc.nat(255), ({ line }, flip, added) => {
        const bytes = bytesOf(line);
        for (let at = 0; at < bytes.length; at += 1) {
          const changed = Buffer.from(bytes);
          changed[at] = changed[at]! ^ flip;
          refuses(changed, `byte ${at} was changed`);
          refuses(Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]), `byte ${at} was taken out`);
          refuses(
            Buffer.concat([bytes.subarray(0, at), Buffer.from([added]), bytes.subarray(at)]),
            `byte ${added} was put in at ${at}`,
          );
        }
      }),
      runs(12),
    );
  });

  test('a field too many or too few is refused, also under a right sum', () => {
    fc.assert(
      fc.property(
        lineOf(kind),
        fc.constantFrom('extra', 'Sum', 'data2', 'notes_', 'constructor'),
        ({ event }, field) => {
          const value = without(event, 'sum');
          expect(decodeLine(sealed(value)).ok).toBe(true);
          for (const at of placesOfStrictObjects(value))
            refuses(sealed(withField(value, at, field)), `${at.join('.')} had a field ${field} too many`);
          for (const needed of ['v', 'seq', 'by', 'at', 'kind', 'data', 'prev'])
            refuses(sealed(without(value, needed)), `${needed} was missing`);
          for (const name of requiredOf(kind))
            refuses(sealed({ ...value, data: without(event.data, name) }), `data.${name} was missing`);
        },
      ),
      runs(30),
    );
  });
});

/** The fields that the empty object lacks. */
function requiredOf(kind: EventKind): readonly string[] {
  const parsed = eventData[kind].safeParse({});
  return parsed.success ? [] : [...new Set(parsed.error.issues.map((issue) => String(issue.path[0])))];
}

test(
  'law 1: every single byte of one line of each kind, to every other value',
  () => {
    for (const kind of eventKinds) {
      const [{ line }] = fc.sample(lineOf(kind), { numRuns: 1, seed: 1 }) as [ReturnType<typeof encodeLine>];
      const bytes = bytesOf(line.length > 900 ? shortLine(kind) : line);
      for (let at = 0; at < bytes.length; at += 1) {
        const right = bytes[at]!;
        for (let value = 0; value < 256; value += 1) {
          if (value === right) continue;
          bytes[at] = value;
          if (decodeLine(bytes).ok) throw new Error(`${kind}: byte ${at} as ${value} was read`);
        }
        bytes[at] = right;
      }
      expect(decodeLine(bytes).ok).toBe(true);
    }
  },
  patience,
);

/** The shortest of a few lines. */
function shortLine(kind: EventKind): string {
  return fc
    .sample(lineOf(kind), { numRuns: 200, seed: 1 })
    .map(({ line }) => line)
    .toSorted((a, b) => a.length - b.length)[0]!;
}

test('law 1: an ack of format 1, which named its step in full, is read as today writes it', () => {
  fc.assert(
    fc.property(draftOf('step_acked'), fc.string(), fc.string(), envelopes, (draft, id, path, around) => {
      const { event } = encodeLine(draft, around);
      const { data } = event as Event<'step_acked'>;
      const old = { ...without(event, 'sum'), v: 1, data: { ...data, step: { id, path, title: data.step } } };
      const read = decodeLine(sealed(old));
      expect(read).toMatchObject({ ok: true });
      if (read.ok) expect(without(read.value, 'sum')).toEqual({ ...without(event, 'sum'), v: 1 });
      expect(decodeLine(sealed({ ...old, v: 2 }))).toMatchObject({ ok: false, error: { reason: 'invalid' } });
    }),
    runs(100),
  );
});

test('law 1: a newer version and an unknown kind are told apart from damage', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...eventKinds).chain(lineOf),
      fc.integer({ min: eventVersion + 1, max: 9 }),
      ({ event }, v) => {
        const value = without(event, 'sum');
        expect(decodeLine(sealed({ ...value, v }))).toMatchObject({ ok: false, error: { reason: 'newer' } });
        expect(decodeLine(sealed({ ...value, kind: 'step_dreamt' }))).toMatchObject({
          ok: false,
          error: { reason: 'newer' },
        });
      },
    ),
    runs(50),
  );
});
