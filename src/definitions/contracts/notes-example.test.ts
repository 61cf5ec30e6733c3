import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileSource } from '../compile-source.js';
import type { Rule } from '../compiled/compiled-workflow.js';
import { notesExample, plainNotes } from './notes-example.js';
import { checkNotes } from './notes-rules.js';
import { placesOf } from '../compiled/place.js';

describe('notesExample', () => {
  it.each<[string, readonly Rule[]]>([
    ['nothing', []],
    ['a text', [{ contains: 'Risk:' }]],
    ['a pattern', [{ matches: '(?i)\\bverified: (yes|no)\\b' }]],
    ['a pattern for all of it', [{ matches: '^Risk: \\w+$' }]],
    ['a pattern for all of it that is long', [{ matches: '^[a-z ]+$' }, { minLength: 300 }]],
    ['first and last', [{ matches: '^Done\\.' }, { matches: 'Over\\.$' }, { minLength: 200 }]],
    ['last and first', [{ matches: 'Over\\.$' }, { matches: '^Done\\.' }, { contains: 'Risk:' }]],
    ['a pattern in lines', [{ matches: '(?m)^Cause: .+$' }, { matches: '(?m)^Cure: .+$' }]],
    ['very short', [{ maxLength: 1 }]],
    ['very long', [{ minLength: 65_536 }]],
    ['not the words one would take', [{ not: { contains: 'Done' } }, { not: { matches: '^x' } }]],
    ['one of two', [{ any: [{ all: [{ contains: 'a' }, { not: { contains: 'a' } }] }, { contains: 'b' }] }]],
    ['neither of two', [{ not: { any: [{ minLength: 20 }, { matches: 'Done' }] } }]],
    ['not both of two', [{ not: { all: [{ contains: 'Done' }, { contains: 'Next' }] } }]],
    ['not not', [{ not: { not: { contains: 'Risk' } } }]],
    ['an example of the author', [{ matches: '^\\w+ \\b\\B?\\bis fine$', example: 'All is fine' }]],
    ['an example of the author for all of it', [{ all: [{ matches: 'a.$' }, { matches: '^.b' }], example: 'abba!' }]],
  ])('keeps %s', (_, rules) => {
    const notes = notesExample(rules);
    expect(notes).toBeDefined();
    expect(checkNotes(rules, notes!)).toEqual([]);
    expect(notes!.trim()).not.toBe('');
  });

  it.each<[string, readonly Rule[]]>([
    ['exclude each other', [{ contains: 'a' }, { not: { contains: 'a' } }]],
    ['leave no room', [{ contains: 'a long text' }, { maxLength: 5 }]],
    ['want a pattern that nothing matches', [{ matches: 'a^b' }]],
    ['are for blanks alone', [{ matches: '^ *$' }]],
  ])('is none where rules %s', (_, rules) => {
    expect(notesExample(rules)).toBeUndefined();
  });

  it('is the plain one wherever that keeps the rules', () => {
    expect(notesExample([{ minLength: 10 }, { contains: 'Next:' }])).toBe(plainNotes);
    expect(notesExample([{ contains: 'Risk:' }])).toBe(`${plainNotes}\nRisk:`);
  });

  const word = fc.stringMatching(/^[A-Z][a-z]{2,6}:$/u);
  const plain = fc.oneof(
    word.map((contains): Rule => ({ contains })),
    word.map((name): Rule => ({ matches: `(?m)^${name} \\S+` })),
    fc.integer({ min: 1, max: 400 }).map((minLength): Rule => ({ minLength })),
    fc.constant<Rule>({ not: { contains: 'should work' } }),
  );
  const composed = fc.letrec<{ rule: Rule }>((tie) => ({
    rule: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      plain,
      fc.array(tie('rule'), { minLength: 1, maxLength: 3 }).map((all): Rule => ({ all })),
      fc.array(tie('rule'), { minLength: 1, maxLength: 3 }).map((any): Rule => ({ any })),
    ),
  })).rule;

  it('is there for whatever asks for things and forbids little', () => {
    fc.assert(
      fc.property(fc.array(composed, { maxLength: 4 }), (rules) => {
        const notes = notesExample(rules);
        expect(notes).toBeDefined();
        expect(checkNotes(rules, notes!)).toEqual([]);
      }),
    );
  });

  it('is right wherever there is one', () => {
    const any = fc.letrec<{ rule: Rule }>((tie) => ({
      rule: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.oneof(
          plain,
          fc.constantFrom('^a', 'b$', '^[ab]*$', 'x{3}').map((matches): Rule => ({ matches })),
          fc.integer({ min: 1, max: 60 }).map((maxLength): Rule => ({ maxLength })),
        ),
        fc.array(tie('rule'), { minLength: 1, maxLength: 6 }).map((all): Rule => ({ all })),
        fc.array(tie('rule'), { minLength: 1, maxLength: 6 }).map((any_): Rule => ({ any: any_ })),
        tie('rule').map((not): Rule => ({ not })),
      ),
    })).rule;
    fc.assert(
      fc.property(fc.array(any, { maxLength: 8 }), (rules) => {
        const notes = notesExample(rules);
        if (notes !== undefined) expect(checkNotes(rules, notes)).toEqual([]);
      }),
    );
  });
});

describe('the rules of a workflow', () => {
  const compiled = (rules: string): ReturnType<typeof compileSource> =>
    compileSource(`workflow: team.x\ndescription: D\nsteps:\n  - id: a\n    prompt: p\n    rules: ${rules}\n`, 'x');

  it.each([
    ['exclude each other', '[ { contains: a }, { not: { contains: a } } ]', 6, 12, 'give one of them an `example`'],
    ['want what nothing matches', '[ { matches: "a^b" } ]', 6, 12, 'fix the rules'],
    [
      'have an example that breaks them',
      '[ { matches: "^[A-Z]+$", example: nope } ]',
      6,
      46,
      'the example does not keep its own rule: the notes must match',
    ],
    [
      'have a part whose example breaks it',
      '[ { any: [ { minLength: 9, example: short } ] } ]',
      6,
      48,
      'does not keep its own rule',
    ],
    ['say nothing', '[ { message: Be brief. } ]', 6, 14, 'at least one of contains'],
  ])('are refused where they %s', (_, rules, line, column, message) => {
    const result = compiled(rules);
    expect(result.ok ? [] : result.violations).toMatchObject([
      { severity: 'error', rule: 'notes_rule', line, column, message: expect.stringContaining(message) },
    ]);
  });

  it('keep the author’s words, which are told and said again when notes break a rule', () => {
    const result = compiled(
      '[ { contains: "Risk:", message: Name the risk. }, { minLength: 9, maxLength: 99, message: A few lines. }, { all: [ { contains: b, message: inner } ], message: outer } ]',
    );
    const step = result.ok ? placesOf(result.workflow).get('a')?.step : undefined;
    const rules = step?.kind === 'prompt' ? step.rules : [];
    expect(rules).toEqual([
      { contains: 'Risk:', message: 'Name the risk.' },
      { all: [{ minLength: 9 }, { maxLength: 99 }], message: 'A few lines.' },
      { all: [{ contains: 'b', message: 'inner' }], message: 'outer' },
    ]);
    expect(checkNotes(rules, 'b')).toEqual([
      'the notes must contain "Risk:": Name the risk.',
      'the notes must have at least 9 characters and have at most 99 characters: A few lines.',
    ]);
  });
});
