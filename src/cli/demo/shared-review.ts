import type { JsonObject } from '../../base/json-value.js';
import { webhookReview } from './webhook-review.js';

const place = (line: number): JsonObject => ({ file: 'src/webhooks/deliver.ts', line });

/** What two reviewers of one change share, and what each of them writes there. */
export const sharedReview = {
  session: webhookReview.session,
  schemaName: 'review-board',
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    required: ['status', 'reviewers', 'findings'],
    properties: {
      status: { enum: ['reading', 'trying', 'waiting', 'done'] },
      reviewers: { type: 'object', additionalProperties: { type: 'string' } },
      findings: {
        type: 'object',
        additionalProperties: {
          type: 'object',
          required: ['severity', 'says', 'holds'],
          properties: { severity: { enum: ['Major', 'Minor', 'Nit'] }, holds: { type: ['boolean', 'null'] } },
        },
      },
      verdict: { type: 'string' },
    },
  },
  begun: {
    status: 'reading',
    reviewers: { correctness: 'reads the retry', load: 'reads the queue' },
    findings: {
      twice: {
        severity: 'Major',
        says: 'A slow receiver gets the same event twice',
        at: place(52),
        holds: null,
      },
      queue: { severity: 'Minor', says: 'Retries of one shop hold up all others', at: place(70), holds: null },
    },
  },
  /** Written from the same version. */
  byLoad: [
    { op: 'replace', path: '/findings/queue/holds', value: false },
    { op: 'replace', path: '/reviewers/load', value: 'done: each shop has a queue of its own' },
  ],
  byCorrectness: [
    { op: 'replace', path: '/status', value: 'trying' },
    { op: 'replace', path: '/findings/twice/holds', value: true },
    {
      op: 'add',
      path: '/findings/endless',
      value: { severity: 'Minor', says: 'A 4xx is tried again for a day', at: place(61), holds: true },
    },
  ],
  wrong: [{ op: 'replace', path: '/status', value: 'nearly done' }],
  last: [
    { op: 'replace', path: '/status', value: 'waiting' },
    { op: 'replace', path: '/reviewers/correctness', value: 'waits for the user' },
    { op: 'remove', path: '/findings/queue' },
    { op: 'add', path: '/verdict', value: 'approve_with_changes' },
  ],
} satisfies JsonObject;
