import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../base/json-value.js';
import { editedText } from './edited-text.js';
import { patchedValue } from './patched-value.js';
import { parseSource } from './source-document.js';
import type { PatchOperation } from './violation.js';

const release = `# Ours.
workflow: team.release   # the id
title: "Make a release"
steps:
  # First of all.
  - id: check
    title: See that main is fit   # always
    prompt: |
      Run the tests.

      All of them.
  # Then this.
  - id: publish
    prompt: 'Publish it.'
tags: [release, "daily"]  # in a row
`;
const edited = (...operations: Parameters<typeof editedText>[2]): string => {
  const result = editedText(release, 'x.yaml', operations);
  return result.ok ? result.value : `${result.error.index}: ${result.error.message}`;
};

describe('an edit of a workflow file', () => {
  it('changes what it speaks of, and keeps comments and layout to the byte', () => {
    expect(edited({ op: 'replace', path: '/steps/0/title', value: 'Check' })).toBe(
      release.replace('See that main is fit', 'Check'),
    );
    expect(
      edited({ op: 'add', path: '/steps/1', value: { id: 'ask', prompt: 'Ask.', sets: { risk: { type: 'string' } } } }),
    ).toBe(
      release.replace(
        '  # Then this.\n',
        '  - id: ask\n    prompt: Ask.\n    sets:\n      risk:\n        type: string\n  # Then this.\n',
      ),
    );
    expect(edited({ op: 'add', path: '/steps/-', value: { id: 'last', prompt: 'A\nB\n' } })).toBe(
      release.replace("'Publish it.'\n", "'Publish it.'\n  - id: last\n    prompt: |\n      A\n      B\n"),
    );
    expect(edited({ op: 'remove', path: '/steps/1' })).toBe(
      release.replace("  - id: publish\n    prompt: 'Publish it.'\n", ''),
    );
    expect(edited({ op: 'remove', path: '/steps/0/title' })).toBe(
      release.replace('    title: See that main is fit   # always\n', ''),
    );
    expect(edited({ op: 'add', path: '/inputs', value: { version: { type: 'string', required: true } } })).toBe(
      `${release}inputs:\n  version:\n    type: string\n    required: true\n`,
    );
    expect(edited({ op: 'replace', path: '/tags/1', value: 'weekly' })).toBe(release.replace('"daily"', '"weekly"'));
  });

  it('tests, copies and moves', () => {
    expect(
      edited(
        { op: 'test', path: '/title', value: 'Make a release' },
        { op: 'copy', from: '/title', path: '/description' },
      ),
    ).toBe(`${release}description: Make a release\n`);
    expect(edited({ op: 'test', path: '/title', value: 'x' })).toBe('0: /title is another value');
    const moved = edited({ op: 'move', from: '/steps/1', path: '/steps/0' });
    expect(moved).toContain('steps:\n  - id: publish');
    expect(moved).toContain('  # First of all.\n');
  });

  it('says what is not there, and changes nothing then', () => {
    expect(edited({ op: 'replace', path: '/title', value: 'X' }, { op: 'remove', path: '/steps/7' })).toBe(
      '1: /steps/7 is not there',
    );
    expect(edited({ op: 'move', from: '/steps', path: '/steps/0' })).toBe('0: /steps cannot go into itself');
  });

  it('says what RFC 6902 says, or refuses, in YAML and in JSON', () => {
    const value = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.constant(null),
      fc.constant({ id: 'x', a: [1, { b: 'c' }] }),
      fc.constant([]),
    );
    const path = fc.constantFrom(
      '/title',
      '/steps/0',
      '/steps/1',
      '/steps/-',
      '/steps/0/title',
      '/tags/0',
      '/tags/-',
      '/new',
      '/steps/0/prompt',
      '/steps',
    );
    const operation = fc.oneof(
      fc.record({ op: fc.constantFrom('add' as const, 'replace' as const), path, value }),
      fc.record({ op: fc.constant('remove' as const), path }),
    );
    const json = JSON.stringify(parsed(release), undefined, 2);
    let [done, refused] = [0, 0];
    fc.assert(
      fc.property(
        fc.constantFrom(['x.yaml', release], ['x.json', json]),
        fc.array(operation, { minLength: 1, maxLength: 3 }),
        ([file = '', text = ''], operations) => {
          const result = editedText(text, file, operations);
          let meant: JsonValue | undefined = parsed(text);
          for (const one of operations) {
            const before: JsonValue | undefined = meant;
            meant = before === undefined ? undefined : patchedValue(before, asStanding(before, one));
          }
          if (!result.ok) {
            refused += 1;
            return;
          }
          done += 1;
          expect(parsed(result.value)).toEqual(meant);
        },
      ),
      { numRuns: 300 },
    );
    expect(done).toBeGreaterThan(refused / 3);
  });
});

function parsed(text: string): JsonValue {
  const source = parseSource(text, 'x.yaml');
  if (!source.ok) throw new Error(text);
  return source.value.value;
}

/** To add a member that is there is to replace it. */
function asStanding(value: JsonValue, operation: PatchOperation): PatchOperation {
  if (operation.op !== 'add' || /\/(?:\d+|-)$/u.test(operation.path)) return operation;
  const isThere = patchedValue(value, { op: 'remove', path: operation.path }) !== undefined;
  return isThere ? { ...operation, op: 'replace' } : operation;
}
