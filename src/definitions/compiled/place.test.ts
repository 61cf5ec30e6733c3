import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Compilation, Routines } from '../expand/compilation.js';
import { compileSource } from '../compile-source.js';
import type { CompiledWorkflow } from './compiled-workflow.js';
import { pathOf, placesOf } from './place.js';

const sources: { readonly [id: string]: string } = {
  'team.r':
    'workflow: team.r\nkind: routine\ndescription: D\nsteps:\n  - { id: check, prompt: p }\n  - { id: rounds, repeat: 2, steps: [ { id: look, prompt: p }, { id: rounds-look, prompt: p } ] }\n  - { id: deep, steps: [ { id: deep-look, prompt: p } ] }\n',
  'team.s':
    'workflow: team.s\nkind: routine\ndescription: D\nsteps:\n  - { id: check, call: team.r }\n  - { id: rest, repeat: 2, steps: [ { id: again, call: team.r } ] }\n',
};
const routines: Routines = (id) =>
  Object.hasOwn(sources, id)
    ? { file: id, source: () => undefined, compile: (): Compilation => compileSource(sources[id]!, id, routines) }
    : undefined;
const compiled = (steps: string): CompiledWorkflow => {
  const result = compileSource(`workflow: team.x\ndescription: D\nsteps:\n${steps}`, 'x', routines);
  if (!result.ok) throw new Error(JSON.stringify(result.violations));
  return result.workflow;
};
const pathsOf = (workflow: CompiledWorkflow): readonly string[] =>
  [...placesOf(workflow)]
    .filter(([, { step }]) => step.kind === 'prompt')
    .map(([id, { around }]) =>
      pathOf(
        around,
        around.filter(({ kind }) => kind === 'loop').map(({ id: loop }) => ({ loop, iteration: 3 })),
        id,
      ),
    );

describe('pathOf', () => {
  it('says once what the ids of a routine’s steps begin with', () => {
    expect(pathsOf(compiled('  - { id: check, call: team.r }\n'))).toEqual([
      'check/check',
      'check/rounds@3/look',
      'check/rounds@3/rounds-look',
      'check/deep/deep-look',
    ]);
    expect(pathsOf(compiled('  - { id: check, call: team.s }\n')).slice(3)).toEqual([
      'check/check/deep/deep-look',
      'check/rest@3/again/check',
      'check/rest@3/again/rounds@3/look',
      'check/rest@3/again/rounds@3/rounds-look',
      'check/rest@3/again/deep/deep-look',
    ]);
  });

  it('leaves the ids of an author’s own steps as they are', () => {
    expect(
      pathsOf(compiled('  - { id: check, steps: [ { id: check-check, prompt: p }, { id: check_two, prompt: p } ] }\n')),
    ).toEqual(['check/check-check', 'check/check_two']);
  });

  it('gives no two steps one path', () => {
    const id = fc.constantFrom('a', 'b', 'a-b', 'a-a', 'check', 'a-check');
    const inner = fc.uniqueArray(id, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.record({ id, call: fc.constantFrom('team.r', 'team.s', undefined), inner }), {
          selector: (one) => one.id,
          minLength: 1,
          maxLength: 4,
        }),
        (steps) => {
          const text = JSON.stringify({
            workflow: 'team.x',
            steps: steps.map(({ id: name, call, inner: ids }) =>
              call === undefined
                ? { id: name, steps: ids.map((one) => ({ id: `${name}-in-${one}`, prompt: 'p' })) }
                : { id: name, call },
            ),
          });
          const result = compileSource(text, 'x', routines);
          fc.pre(result.ok);
          const paths = result.ok ? pathsOf(result.workflow) : [];
          expect(new Set(paths).size).toBe(paths.length);
        },
      ),
    );
  });
});
