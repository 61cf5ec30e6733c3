import { describe, expect, it } from 'vitest';
import type { JsonValue } from './json-value.js';
import { agentWords, readAgentName } from './agent-name.js';

describe('the name of an agent’s program', () => {
  it('is told with its version, where it says one', () => {
    expect(readAgentName({ name: 'some-client', version: '1.2.3', title: 'Some client' })).toEqual({
      name: 'some-client',
      version: '1.2.3',
    });
    expect(agentWords({ name: 'some-client', version: '1.2.3' })).toBe('some-client 1.2.3');
    expect(agentWords(readAgentName({ name: 'some-client' })!)).toBe('some-client');
  });

  it('is one line that is not too long and steers nothing', () => {
    const said = { name: `a\u001B[31m\nb\u202Ec\u2028d ${'x'.repeat(500)}`, version: '\u0007' };
    const told = readAgentName(said)!;
    expect(told.name).toMatch(/^a \[31m b c d x{67,71}$/u);
    expect([...told.name].length).toBeLessThanOrEqual(80);
    expect(told.version).toBeUndefined();
  });

  it.each<JsonValue>([
    null,
    'client',
    7,
    [],
    {},
    { name: '' },
    { name: 7 },
    { name: '\u0000 \u0001' },
    { version: '1' },
  ])('is none where nothing names one: %j', (said) => {
    expect(readAgentName(said)).toBeUndefined();
  });
});
