import { describe, expect, it } from 'vitest';
import { compileSource } from '../compile-source.js';

const steps = (text: string): string => `workflow: team.x\ndescription: D\nsteps:\n${text}`;
const violationsOf = (text: string): readonly { readonly message: string; readonly closest?: string | undefined }[] => {
  const result = compileSource(steps(text), 'x.yaml');
  return result.ok ? [] : result.violations;
};
const first =
  '  - { id: a, prompt: p, sets: { l: { type: array, items: { type: object } }, s: { type: string }, n: { type: integer }, o: { type: object } } }\n';

describe('a member that a value cannot have', () => {
  it.each<[string, string, string | undefined]>([
    ['outputs.a.notesMarkdown.contains("x")', '`notes` and `artifacts`', 'outputs.a.notes'],
    ['has(outputs.a.notesMarkdown)', '`notes` and `artifacts`', 'outputs.a.notes'],
    ['outputs.a.gaps.size() > 0', '`notes` and `artifacts`', undefined],
    ['outputs["a"].lvl == "hi"', '`notes` and `artifacts`', 'outputs.a.artifacts[0].lvl'],
    ['outputs.a.artifacts.length > 0', 'use `size(outputs.a.artifacts)`', 'size(outputs.a.artifacts)'],
    ['context.l.length > 0', 'use `size(context.l)`', 'size(context.l)'],
    ['context.l.name == "x"', 'an element of it is `context.l[0]`', undefined],
    ['context.s.foo == "x"', 'which is text and has none', undefined],
    ['context.s.length > 3', 'use `size(context.s)`', 'size(context.s)'],
    ['context.n.foo == "x"', 'which is a number and has none', undefined],
    [
      'context.l.exists(x, x.name.length > 1) && context.l[0].name.x && context.s[0] == "x"',
      'which is text and has none',
      undefined,
    ],
  ])('%s is told', (source, message, closest) => {
    const [found, ...more] = violationsOf(`${first}  - { id: b, if: '${source}', prompt: p }\n`);
    expect(found?.message).toContain(message);
    expect(found?.closest).toBe(closest);
    expect(more).toEqual([]);
    // In a text as well.
    expect(violationsOf(`${first}  - { id: b, prompt: '\${{ ${source} }}' }\n`)).toHaveLength(1);
  });

  it.each([
    'outputs.a.notes.contains("x")',
    'size(outputs.a.artifacts) > 0',
    'outputs.a.artifacts[0].lvl == "hi"',
    'has(outputs.a)',
    'context.o.any.thing == 1',
    'context.l[0].name == "x"',
    'outputs.a.artifacts.exists(x, x.kind == "k")',
  ])('%s is in order', (source) => {
    expect(violationsOf(`${first}  - { id: b, if: '${source}', prompt: p }\n`)).toEqual([]);
  });
});

describe('the output of a step', () => {
  it.each<[string, string, string]>([
    [
      'that only comes later',
      '  - { id: a, prompt: "${{ outputs.b.notes }}" }\n  - { id: b, prompt: p }\n',
      'step `b`, which only comes later',
    ],
    [
      'that reads it itself',
      '  - { id: a, if: outputs.a.notes == "", prompt: p }\n',
      'step `a`, which only comes later',
    ],
    [
      'inside of what is asked for first',
      '  - { id: a, foreach: outputs.b.artifacts, steps: [ { id: b, prompt: p } ] }\n',
      'step `b`, which only comes later',
    ],
    [
      'that holds steps',
      '  - { id: a, steps: [ { id: b, prompt: p } ] }\n  - { id: c, prompt: "${{ outputs.a }}" }\n',
      'which holds steps and has none itself',
    ],
  ])('%s is refused', (_, text, message) => {
    expect(violationsOf(text).map((violation) => violation.message)).toEqual([expect.stringContaining(message)]);
  });

  it.each([
    [
      'that came before',
      '  - { id: a, prompt: p }\n  - { id: g, steps: [ { id: b, prompt: "${{ outputs.a.notes }}" } ] }\n  - { id: c, if: outputs.b.notes != "", prompt: p }\n',
    ],
    [
      'of the round before',
      '  - { id: l, repeat: 3, steps: [ { id: a, prompt: "${{ iteration > 1 ? outputs.b.notes : outputs.a.notes }}" }, { id: b, prompt: p } ] }\n',
    ],
    [
      'that ends its loop',
      '  - { id: l, until: outputs.a.notes.contains("done"), max: 3, steps: [ { id: a, prompt: p } ] }\n',
    ],
  ])('%s is read', (_, text) => {
    expect(violationsOf(text)).toEqual([]);
  });
});
