import { describe, expect, it } from 'vitest';
import { closestName } from '../../base/closest-name.js';
import { snippets } from './snippets.js';

describe('snippets', () => {
  it('are a closed set, found by their exact id', () => {
    expect([...snippets.keys()]).toEqual([
      'wr.refs.notes_first_durability',
      'wr.refs.parallelize_cognition_serialize_synthesis',
      'wr.refs.synthesis_under_disagreement',
      'wr.refs.adversarial_challenge_rules',
      'wr.refs.evidence_over_opinion',
      'wr.refs.explicit_assumptions',
      'wr.refs.stop_conditions',
    ]);
    for (const [id, snippet] of snippets) expect(snippet.id).toBe(id);
    expect(snippets.get('wr.refs.notes_first')).toBeUndefined();
    expect(closestName('wr.refs.adversarial_challenge', snippets.keys())).toBe('wr.refs.adversarial_challenge_rules');
  });

  it.each([...snippets.values()].map((snippet) => [snippet.id, snippet] as const))(
    '%s is one short paragraph of plain text',
    (_, { title, text }) => {
      expect(title).toMatch(/^[A-Z][^.\n]{5,60}$/u);
      expect(text).toMatch(/^[A-Z][^\n]{100,600}\.$/u);
      expect(text, 'a snippet is no template').not.toMatch(/\$\{\{|\{\{/u);
    },
  );
});
