import { expect, it } from 'vitest';
import type { JsonObject } from '../../base/json-value.js';
import { compileSource } from '../compile-source.js';
import { evaluate } from './expression.js';
import { scopeAt } from './scope-at.js';

it('shows of each step that is done its notes as text and its artifacts as a list, and nothing else', () => {
  const result = compileSource('workflow: team.x\nsteps: [ { id: a, prompt: p } ]', 'x');
  if (!result.ok) throw new Error(JSON.stringify(result.violations));
  const outputs: JsonObject = { none: {}, noted: { notes: 'n' }, made: { artifacts: [{ kind: 'k' }] } };
  const scope = scopeAt(result.workflow, { inputs: {}, context: {}, outputs, lists: {} }, []);
  expect(evaluate('outputs', scope)).toEqual({
    ok: true,
    value: {
      none: { notes: '', artifacts: [] },
      noted: { notes: 'n', artifacts: [] },
      made: { notes: '', artifacts: [{ kind: 'k' }] },
    },
  });
  expect(evaluate('outputs.none.notes.contains("x") || size(outputs.none.artifacts) > 0', scope)).toEqual({
    ok: true,
    value: false,
  });
});
