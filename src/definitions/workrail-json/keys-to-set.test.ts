import { expect, it, test } from 'vitest';
import { keysToSet } from './keys-to-set.js';

const keys = ['riskLevel', 'reviewMode', 'verdict', 'processed', 'errors', 'items', 'batches'];

test.each<[string, readonly string[]]>([
  ['Set riskLevel to exactly one of: Low, High.', ['riskLevel']],
  ['Set the riskLevel context variable by what you saw.', ['riskLevel']],
  [
    'Set these keys in context: `riskLevel` (where known), `reviewMode`, and `verdict`.',
    ['riskLevel', 'reviewMode', 'verdict'],
  ],
  ['Capture:\n- `riskLevel`: Low / High\n- `verdict`', ['riskLevel', 'verdict']],
  [
    'Set context variables:\n1. riskLevel\n2. verdict, items\n\nThen mind `reviewMode`.',
    ['riskLevel', 'verdict', 'items'],
  ],
  ['Set the following context variables\n\n- riskLevel\n- verdict', ['riskLevel', 'verdict']],
  ['- Look.\n- Set these keys:\n  - `riskLevel`: Low / High\n  - verdict\n- `items` matter.', ['riskLevel', 'verdict']],
  [
    '## Output Required\n- **notes**: of the `verdict`\n- **context**: `riskLevel`, items (a list)',
    ['riskLevel', 'items'],
  ],
  ['Confirm or adjust `riskLevel`, and reclassify `reviewMode` where that follows.', ['riskLevel', 'reviewMode']],
  ['Update processed or errors counter', ['processed', 'errors']],
  ["Initialize counters: processed=0, errors = 0; store in 'items'", ['processed', 'errors', 'items']],
  ['riskLevel and reviewMode are all set.', ['riskLevel', 'reviewMode']],
  ['If nothing is left, set `verdict = "clean"`.', ['verdict']],
  ['**Record** batches and batchCount in the context.', ['batches']],
])('%s names %j', (text, named) => {
  expect(keysToSet([text], keys)).toEqual(named);
});

test.each([
  'Mind the `riskLevel` of the change.',
  'Set the depth based on `riskLevel`, and choose reviewers from `items`.',
  'Record what you did when `riskLevel` is High.',
  'If `riskLevel` was set before, go on.',
  'Do not set `verdict` here, and never change `riskLevel`.',
  'Select the errors that matter, and record the verdict of each reviewer.',
  'Prints ${{ context.riskLevel }}, and sets context.riskLevel.depth',
  'Look into these before selecting the items of the context.',
  'Consider:\n- `riskLevel`: how bad it is\n- `verdict`',
  'Set context variables:\n- what you know of `riskLevel`',
  'Set riskLevels and my-riskLevel.',
])('%s names none', (text) => {
  expect(keysToSet([text], keys)).toEqual([]);
});

it('finds a key whatever it is called', () => {
  expect(keysToSet(['Set `a.b*(c`.'], ['a.b*(c', '$x', 'constructor'])).toEqual(['a.b*(c']);
});
