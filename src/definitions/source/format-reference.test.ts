import { describe, expect, it } from 'vitest';
import { byteLength } from '../../base/byte-budget.js';
import { limits } from '../../base/limits.js';
import { contractPacks } from '../contracts/contract-packs.js';
import { compileSource } from '../compile-source.js';
import { formatExample, formatReference } from './format-reference.js';
import { bodyFields, loopFields, loopKeys, promptFields, ruleFields, workflowSource } from './workflow-format.js';

const text = formatReference([...contractPacks.keys()]);

describe('the format in short', () => {
  it('has every key of a file, a step and a rule, and every contract', () => {
    const keys = [
      ...Object.keys(workflowSource.shape),
      'id',
      'if',
      'with',
      'as',
      ...bodyFields,
      ...promptFields,
      ...loopFields,
      ...loopKeys,
      ...ruleFields,
    ];
    for (const key of keys) expect(text).toMatch(new RegExp(`^- ${key}(?: \\(.*\\))?: .`, 'mu'));
    for (const ref of contractPacks.keys()) expect(text).toContain(ref.slice('wr.contracts.'.length));
  });

  it('fits into one answer, with the call that comes next', () => {
    expect(byteLength(text)).toBeLessThan(limits.answer - 128);
  });

  it('ends with an example that compiles without a warning', () => {
    expect(text.endsWith(formatExample)).toBe(true);
    expect(compileSource(formatExample, 'example.yaml')).toMatchObject({ ok: true, warnings: [] });
  });
});
