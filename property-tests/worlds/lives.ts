import fc from 'fast-check';
import type { Life } from './grown-sessions.js';
import { actions } from './random-actions.js';
import { tinyWorkflow } from './tiny-workflow.js';

/** Sessions that one installation made, and sessions that two or three clones went on with before they were merged. */
export const lives: fc.Arbitrary<Life> = fc.record({
  workflows: fc.tuple(tinyWorkflow('one'), tinyWorkflow('two', 2)),
  before: actions(8, 25),
  apart: fc.oneof(fc.constant([]), fc.array(actions(5, 15), { minLength: 2, maxLength: 3 })),
  after: actions(2, 12),
});
