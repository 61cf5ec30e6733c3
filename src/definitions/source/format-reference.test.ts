import { describe, expect, it } from 'vitest';
import { byteLength } from '../../base/byte-budget.js';
import { limits } from '../../base/limits.js';
import { contractPacks } from '../contracts/contract-packs.js';
import { paginateSource, providerSource, retrySource } from './command-source.js';
import { compileSource } from '../compile-source.js';
import { commandExample, commandReference, formatExample, formatReference } from './format-reference.js';
import { bodyFields, loopFields, loopKeys, promptFields, runFields } from './step-keys.js';
import { ruleFields, workflowSource } from './workflow-format.js';

const text = formatReference([...contractPacks.keys()]);
const commands = commandReference();

describe('the format in short', () => {
  it('has every key of a file, a step and a rule, and every contract', () => {
    const keys = [
      ...Object.keys(workflowSource.shape).filter((key) => key !== 'returns' && key !== 'meta'),
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

  it('has every key of commands on a page of their own, and says so', () => {
    const shapes = [retrySource, paginateSource, providerSource].flatMap(({ shape }) => Object.keys(shape));
    for (const key of ['returns', 'meta', 'run', 'fail', 'with', 'until', 'max', 'confirm', ...runFields, ...shapes])
      expect(commands).toMatch(new RegExp(`^- ${key}(?: \\(.*\\))?: .`, 'mu'));
    expect(text).toContain('"format.commands"');
  });

  it('fits into one answer, with the call that comes next', () => {
    for (const page of [text, commands]) expect(byteLength(page)).toBeLessThan(limits.answer - 128);
  });

  it('ends the page of commands with an example that compiles, but for catalogs that nobody looked at', () => {
    expect(commands.endsWith(commandExample)).toBe(true);
    const compiled = compileSource(commandExample, 'example.yaml');
    expect(compiled).toMatchObject({ ok: true, warnings: [{ rule: 'catalogs_not_read' }] });
    expect(compileSource(commandExample, 'example.yaml', undefined, () => undefined)).toMatchObject({ warnings: [] });
  });

  it('ends with an example that compiles without a warning', () => {
    expect(text.endsWith(formatExample)).toBe(true);
    expect(compileSource(formatExample, 'example.yaml')).toMatchObject({ ok: true, warnings: [] });
  });
});
