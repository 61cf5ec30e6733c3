import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../base/digest.js';
import type { WorkflowHash } from '../base/ids.js';
import { compileSource } from './compile-source.js';
import type { CompiledWorkflow } from './compiled-workflow.js';
import { pinWorkflow, readPin } from './pin.js';

const compiled = (text: string): CompiledWorkflow => {
  const result = compileSource(text, 'x');
  if (!result.ok) throw new Error(JSON.stringify(result.violations));
  return result.workflow;
};
const hashOf = (text: string): string => pinWorkflow(compiled(text)).hash;

describe('a pin', () => {
  const source = 'workflow: team.x\ntitle: T\ndescription: D\nsteps:\n  - id: a\n    prompt: Go.\n    sets: { k: { type: string, enum: [x, y] } }\n';

  it('is read back as it was', () => {
    const workflow = compiled(source);
    const { hash, text } = pinWorkflow(workflow);
    expect(readPin(text, hash)).toEqual({ ok: true, value: workflow });
  });

  it('does not change with comments, order of keys or spelling of defaults', () => {
    const other = '# a comment\n{"steps": [{"sets": {"k": {"enum": ["x", "y"], "type": "string"}}, "prompt": "Go.", "confirm": false, "id": "a", "title": "A"}], "title": "T", "description": "D", "workflow": "team.x", "recommends": {}, "kind": "workflow"}';
    expect(hashOf(other)).toBe(hashOf(source));
  });

  it.each([['Go.', 'Go!'], ['[x, y]', '[y, x]'], ['id: a', 'id: b'], ['title: T', 'title: U']])('changes with meaning: %s to %s', (from, to) => {
    expect(hashOf(source.replace(from, to))).not.toBe(hashOf(source));
  });

  it('does not depend on the order of keys in any schema', () => {
    const objects = fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/u), fc.oneof(fc.integer(), fc.string()), { maxKeys: 6 });
    fc.assert(fc.property(objects, (example) => {
      const turned = Object.fromEntries(Object.entries(example).toReversed());
      const withExample = (value: unknown): string => JSON.stringify({ workflow: 'team.x', steps: [{ id: 'a', prompt: 'p', output: { kind: 't.k', schema: {}, example: { ...(value as object), kind: 't.k' } } }] });
      expect(hashOf(withExample(turned))).toBe(hashOf(withExample(example)));
    }));
  });

  it('is refused when its bytes, its form or its version are not what they should be', () => {
    const { hash, text } = pinWorkflow(compiled(source));
    const pinned = (value: string): ReturnType<typeof readPin> => readPin(value, sha256Hex(value) as WorkflowHash);
    expect(readPin(`${text} `, hash)).toMatchObject({ ok: false, error: expect.stringContaining('digest') });
    expect(pinned(text.replace('"compiled":1', '"compiled":2'))).toMatchObject({ ok: false, error: expect.stringContaining('newer WorkRail') });
    expect(pinned(text.replace('"compiled":1', '"compiled":1,"more":1'))).toMatchObject({ ok: false });
    expect(pinned('nonsense')).toMatchObject({ ok: false });
    expect(pinned('null')).toMatchObject({ ok: false });
  });

  it('keeps a __proto__ key as the plain key it is', () => {
    const text = pinWorkflow(compiled('{"workflow":"team.x","steps":[{"id":"a","prompt":"p","output":{"kind":"t.k","schema":{},"example":{"own":1}}}]}')).text.replace('"kind":"t.k","own":1', '"__proto__":{"a":1},"kind":"t.k"');
    const read = readPin(text, sha256Hex(text) as WorkflowHash);
    expect(read.ok && pinWorkflow(read.value).text).toBe(text);
  });
});
