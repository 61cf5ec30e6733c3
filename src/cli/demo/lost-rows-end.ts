import type { JsonObject } from '../../base/json-value.js';
import { fenced, type HandedIn, lines } from './demo-tale.js';
import { missing } from './lost-rows.js';

const cause = {
  claim: missing,
  summary: 'The next page begins after the time of the last order, and skips others of the same second.',
  location: 'src/export/all-orders.ts:22',
  lineIsFor: 'Reads the next page without OFFSET; commit 9c1e07d, tested with one order a second.',
  confidence: 'shown',
  evidence: [
    'Compared by (created_at, id): 2,001 rows. Line 22 put back: 1,998 rows, 5 of 5.',
    'Order 88213 is in the database before the query and not in the page after it.',
  ],
};

const causes = (sameMistake: readonly string[]): JsonObject => ({
  kind: 'wr.bug.causes',
  reproduction: 'npx vitest run all-orders -t "two orders of one second": failed 5 of 5',
  causes: [{ ...cause, sameMistake: [...sameMistake] }],
});

const explain: HandedIn = {
  output: {
    notesMarkdown: lines(
      '1. `all-orders.ts:26` keeps the time of the last order of a page.',
      '2. `all-orders.ts:22` asks for orders **later** than that time. One of the same second is not later.',
      '3. Where a split bill meets a page border, its second half is in no page, and in no file.',
      '',
      'Not caught, because the test’s orders are a second apart. Searched for `created_at >`: the refund export has the same query.',
      '',
      '**Proposed:** order and compare by `(created_at, id)` in both. Nothing changes for readers of the file but the missing rows.',
    ),
    artifacts: [causes(['src/export/all-refunds.ts:19'])],
    gaps: [
      {
        category: 'agent_disclosed',
        reason: 'not_checked',
        detail: 'Exports since 9c1e07d (12 May) were not counted again; others of them may lack rows.',
        severity: 'warning',
      },
    ],
  },
  context: { change: 'ask' },
};

const explainApart: HandedIn = {
  output: {
    notesMarkdown: lines(
      'Read the chain from the other end: who else pages by a time?',
      '',
      fenced(
        'console',
        '$ grep -rn "created_at > ?" src',
        'src/export/all-orders.ts:22',
        'src/export/all-refunds.ts:19',
        'src/invoices/open-invoices.ts:54',
      ),
      '',
      'The invoice run has it too: an order it skips is **never billed**. That weighs more than the export, and belongs to the billing team. I change nothing here.',
    ),
    artifacts: [causes(['src/export/all-refunds.ts:19', 'src/invoices/open-invoices.ts:54'])],
  },
  context: { change: 'none' },
};

const propose: HandedIn = {
  output: {
    notesMarkdown: lines(
      '**Cause:** the export skips an order when it shares its second with the last order of a page.',
      '',
      '**Change:** order and compare by `(created_at, id)` in `all-orders.ts` and `all-refunds.ts`; one index, `(shop, created_at, id)`.',
      '',
      '**Shown by:** the new test, and June of shop 114 with 2,001 rows.',
      '',
      '**Left as it is:** the quoting of line breaks, which is a bug of its own.',
    ),
  },
};

const fix: HandedIn = {
  output: {
    notesMarkdown: lines(
      fenced(
        'diff',
        '-  `SELECT * FROM orders WHERE shop = ? AND created_at > ?',
        '-   ORDER BY created_at LIMIT ?`, [shop, after, size]);',
        '+  `SELECT * FROM orders WHERE shop = ? AND (created_at, id) > (?, ?)',
        '+   ORDER BY created_at, id LIMIT ?`, [shop, after.time, after.id, size]);',
      ),
      '',
      'The same in `all-refunds.ts`, and the index in migration 0041.',
      '',
      fenced(
        'console',
        '$ npx vitest run src/export     # before: 2 failed',
        ' Tests  31 passed (31)',
        '$ npm test',
        ' Tests  412 passed (412)',
      ),
      '',
      'Verified: June of shop 114 has 2,001 rows, and 88213, 88714 and 89216 are among them. An export of 200,000 orders takes 3.1 s, as before.',
    ),
  },
};

const handOver: HandedIn = {
  output: {
    notesMarkdown: lines(
      '**Wrong:** the export lost an order at a page border when two orders shared a second. **Why:** the next page began after a time, not after an order.',
      '',
      '**Changed:** `all-orders.ts`, `all-refunds.ts`, migration 0041; two new tests. **Verified:** June of shop 114 is whole, 412 tests pass.',
      '',
      '**Open:** count the exports since 12 May again, and quote line breaks in notes (see the other branch).',
      '',
      '**Would have caught it:** a test that compares the rows of an export with the count of the database.',
    ),
  },
};

/** The cause, as the agent and a colleague's explain it, and what was done about it. */
export const lostRowsEnd = { explain, explainApart, propose, fix, handOver };
