import { type DemoTale, fenced, lines } from './demo-tale.js';

/** A small task that is complete. */
export const receiptTimes = {
  session: 'TILL-466',
  label: { title: 'Receipts show the time of the shop', tags: ['receipts'] },
  workflowId: 'wr.coding_task',
  context: {
    task: 'Print the time of an order on its receipt in the time zone of the shop, not of the server.',
    branch: 'feat/receipt-zone',
  },
  steps: [
    {
      output: {
        notesMarkdown: lines(
          'The time is printed in one place, `src/receipts/header.ts:24`, with `toLocaleString()` in the zone of the server. The shop has its zone already: `shop.timeZone`, an IANA name.',
          '',
          'Three callers: print, e-mail and reprint. All pass the shop.',
        ),
        artifacts: [
          {
            kind: 'wr.coding.criteria',
            criteria: [
              'A receipt shows the order’s time in the time zone of its shop.',
              'A reprint shows the same time as the first print.',
              'The stored time stays UTC.',
            ],
            assumptions: ['Every shop has a zone: the column is not null.'],
            outOfScope: ['The language of the date.'],
          },
        ],
      },
      context: { complexity: 'Small' },
    },
    {
      output: {
        notesMarkdown: lines(
          fenced(
            'ts',
            '// src/receipts/header.ts',
            "const time = new Intl.DateTimeFormat(shop.locale, { dateStyle: 'short', timeStyle: 'short', timeZone: shop.timeZone });",
            'return time.format(order.createdAt);',
          ),
          '',
          'The new test prints an order of 23:30 UTC for shops in Lisbon, Berlin and Tokyo; it failed before, as it should.',
          '',
          'Verified: `npx vitest run src/receipts`: 22 passed, two of them new. A reprint from last winter keeps its hour.',
        ),
      },
      context: { complexity: 'Small' },
    },
    {
      output: {
        notesMarkdown: 'Ready for review on `feat/receipt-zone`.',
        artifacts: [
          {
            kind: 'wr.coding_handoff',
            summary: 'Receipts print the time of an order in the time zone of its shop. What is stored stays UTC.',
            branch: 'feat/receipt-zone',
            filesChanged: ['src/receipts/header.ts', 'src/receipts/header.test.ts'],
            decisions: [
              {
                decision: 'The zone is that of the shop today, not of the day of the order.',
                why: 'No shop has moved between zones, and the old zone is not stored.',
              },
            ],
            verified: [
              { criterion: 'The time of the shop', by: 'header.test.ts, Lisbon, Berlin and Tokyo' },
              { criterion: 'A reprint keeps its time', by: 'header.test.ts, an order of last winter' },
            ],
            notVerified: ['The thermal printer itself; the text that it gets was compared.'],
            lookFirst: ['src/receipts/header.ts:24'],
            followUps: ['The daily report still prints UTC.'],
          },
        ],
      },
    },
  ],
} satisfies DemoTale;
