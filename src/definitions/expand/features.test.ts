import { describe, expect, it } from 'vitest';
import { closestName } from '../../base/closest-name.js';
import { features } from './features.js';

describe('features', () => {
  it('are a closed set, found by their exact id', () => {
    expect([...features.keys()]).toEqual([
      'wr.features.subagent_guidance',
      'wr.features.capabilities',
      'wr.features.memory_context',
    ]);
    for (const [id, feature] of features) expect(feature.id).toBe(id);
    expect(features.get('wr.features.capability')).toBeUndefined();
    expect(closestName('wr.features.capability', features.keys())).toBe('wr.features.capabilities');
  });

  it.each([...features.values()].map((feature) => [feature.id, feature] as const))(
    '%s has something to say in each part, in lines that fit a list',
    (_, { guidance, constraints, verify }) => {
      for (const lines of [guidance, constraints, verify]) expect(lines).not.toEqual([]);
      const lines = [...guidance, ...constraints, ...verify];
      expect(new Set(lines).size).toBe(lines.length);
      for (const line of lines) {
        expect(line).toMatch(/^[A-Z][^\n]{20,300}\.$/u);
        expect(line, 'a feature is no template').not.toMatch(/\$\{\{|\{\{/u);
      }
    },
  );
});
