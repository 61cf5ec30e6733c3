import { type DemoTale, fenced, lines } from './demo-tale.js';

const location = (line: number, endLine?: number): { file: string; line: number; endLine?: number } => ({
  file: 'src/webhooks/deliver.ts',
  line,
  ...(endLine !== undefined && { endLine }),
});
const twice = 'A slow receiver gets the same event twice';
const endless = 'A 4xx is tried again for a day';

/** A review that waits for the user before anything is posted. */
export const webhookReview = {
  session: 'TILL-479',
  label: { tags: ['review', 'webhooks'] },
  workflowId: 'wr.review_change',
  context: { change: 'Pull request 351: retry failed webhooks', post: true, branch: 'feat/webhook-retry' },
  steps: [
    {
      output: {
        notesMarkdown: lines(
          'The change tries a failed webhook again, up to six times in a day. One file and its test, 140 lines: small.',
          '',
          'The description says “a receiver never gets an event twice”. Nothing in the diff keeps that.',
        ),
      },
      context: {
        complexity: 'Small',
        suspicions: [
          `Major src/webhooks/deliver.ts:52 ${twice}: the timeout counts as a failure`,
          `Minor src/webhooks/deliver.ts:61 ${endless}, though it will never succeed`,
          'Minor src/webhooks/deliver.ts:70 Retries of one shop hold up all others',
        ],
      },
    },
    {
      output: {
        notesMarkdown: lines(
          'Ran: `npm test -- webhooks` on both sides, 18 and 24 passed; then old and new against a receiver that answers after 12 s.',
          '',
          fenced(
            'console',
            '$ node scripts/slow-receiver.mjs --delay 12s',
            '19:02:10 evt_7f31 order.paid',
            '19:02:25 evt_7f31 order.paid   # again',
          ),
          '',
          'Two of three suspicions hold. The third fell: `queue.ts:33` runs each shop by itself.',
        ),
        artifacts: [
          {
            kind: 'mr_review.findings',
            findings: [
              {
                severity: 'Major',
                location: location(52, 58),
                title: twice,
                rationale:
                  'A receiver that answers after 10 s has taken the event, and the timeout counts as a failure: it is sent again.',
                suggestion: 'Send an `Idempotency-Key` that stays the same for all tries of one event.',
                evidence: 'A receiver with a delay of 12 s logged evt_7f31 twice, 15 s apart.',
              },
              {
                severity: 'Minor',
                location: location(61),
                title: endless,
                rationale: 'A 404 or 410 will not change, and each try writes a line to the log of the shop.',
                suggestion: 'Try again after a 5xx, a 429 or a timeout only.',
                evidence: 'A receiver that answers 410 was called six times.',
              },
              {
                severity: 'Nit',
                location: location(12),
                title: '`maxTry` counts from zero',
                rationale: 'It reads as six tries and makes seven.',
              },
            ],
            revisionLogEntry: 'Ran it against a slow receiver: two suspicions hold, one fell.',
          },
        ],
      },
      context: { testsRun: 'passed' },
    },
    {
      output: {
        notesMarkdown: 'The retry itself is right and well tested. What decides is that an event can arrive twice.',
        artifacts: [
          {
            kind: 'wr.review_verdict',
            verdict: 'approve_with_changes',
            summary:
              'The backoff and its tests are good and should stay. An event can arrive twice, which the description rules out; a key for each event mends it.',
            confidence: 'high',
            notChecked: ['Receivers behind a proxy, which may answer before the shop does.'],
          },
        ],
      },
    },
  ],
  waits: {
    asked: {
      output: {
        notesMarkdown: lines(
          'Would post on pull request 351, each at its line:',
          '',
          `1. **Major**, line 52: ${twice}.`,
          `2. **Minor**, line 61: ${endless}.`,
          '3. **Nit**, line 12: `maxTry` counts from zero.',
          '',
          'With them a question, how long a receiver is given, and a word of thanks for the test.',
        ),
        artifacts: [
          {
            kind: 'mr_review.mr_comments',
            mrComments: [
              {
                location: location(58),
                title: 'How long is a receiver given?',
                body: 'Is 10 s a promise to shops, or may it grow? With 30 s most of the second tries would not happen.',
              },
              {
                title: 'Thank you',
                body: 'The table of delays in the test makes the whole policy readable at a glance; please keep it.',
              },
            ],
          },
        ],
      },
    },
    agreed: [
      {
        output: {
          notesMarkdown:
            'Posted: 5 comments on pull request 351, three at their lines, one question and one on the whole. Looked at the first where it stands.',
        },
      },
    ],
    refused: 'The user said no, so nothing was posted. The findings stay in this session.',
  },
} satisfies DemoTale;
