import { fenced, type HandedIn, lines } from './demo-tale.js';

export const missing = 'Three orders of June are not in the export';

export const writerSuspect = {
  claim: 'The writer does not quote a note with a line break, so its row is cut in two',
  test: 'Write one order whose note has a line break, and read the file back',
  predicts: 'Two rows, one of them without an id',
};
export const cursorSuspect = {
  claim: 'The query of the next page skips orders of the same second as the last order of the page before',
  test: 'Export two orders of one second with a page size of 1',
  predicts: 'One row instead of two',
};

const frame: HandedIn = {
  output: {
    notesMarkdown: lines(
      '**Reported** by support: the June export of shop 114 has 1,998 rows, the dashboard counts 2,001 orders.',
      '',
      '**What is right:** `docs/export.md` says “An export holds every order of the month, one row each.” Three rows short is a bug.',
      '',
      '**The path:** `POST /exports` → `src/export/run-export.ts:18` → `all-orders.ts` reads pages of 500 → `csv-writer.ts` writes them.',
      '',
      fenced(
        'console',
        '$ git log --oneline -3 -- src/export',
        '9c1e07d export: read orders in pages of 500',
        '41b88fa export: add the order note as a column',
        'e02d6c3 export: stream the file',
      ),
      '',
      'The two newest commits touch the path. Nothing is proposed yet.',
    ),
    gaps: [
      {
        category: 'agent_disclosed',
        reason: 'assumed',
        detail: 'The dashboard’s 2,001 was not compared with the database.',
        severity: 'warning',
        assumption: 'The dashboard counts right.',
      },
    ],
  },
  context: {
    claims: [
      {
        claim: `${missing}; one row for each order was expected`,
        verdict: 'right',
        says: 'docs/export.md: “An export holds every order of the month, one row each.”',
      },
    ],
    complexity: 'Medium',
  },
};

/** Resolves the gap of the step before. */
const reproduce = (gap: string): HandedIn => ({
  output: {
    notesMarkdown: lines(
      'It happens on every run, on a copy of the shop’s data, without the HTTP server and the scheduler.',
      '',
      fenced(
        'console',
        '$ scripts/copy-shop.sh 114 2026-06 june.db',
        '$ sqlite3 june.db "select count(*) from orders"',
        '2001',
        '$ npm run --silent export -- --db june.db > june.csv',
        '$ cut -d, -f1 june.csv | grep -cE "^[0-9]+$"',
        '1998',
      ),
      '',
      'Five runs, and the same three orders are missing each time: **88213**, **88714** and **89216**.',
    ),
    artifacts: [
      {
        kind: 'wr.bug.reproduction',
        how: 'npm run --silent export -- --db june.db, then count the ids in the first column',
        observed: '1,998 ids of 2,001; orders 88213, 88714 and 89216 are missing',
        runs: 5,
        failures: 5,
      },
    ],
    gaps: [
      {
        category: 'agent_disclosed',
        reason: 'verified',
        detail: 'The database has 2,001 orders for June: the dashboard counts right.',
        severity: 'info',
        resolves: gap,
      },
    ],
  },
  context: { reproduction: 'always', complexity: 'Medium' },
});

const checkpoint = lines(
  'Read the three missing orders in the database:',
  '',
  '| order | created_at | total | note |',
  '|---|---|--:|---|',
  '| 88213 | 2026-06-06 19:42:11 | 23.50 | “no onions⏎table 4” |',
  '| 88714 | 2026-06-14 20:15:37 | 18.00 | “window⏎” |',
  '| 89216 | 2026-06-21 19:58:02 | 41.20 | |',
  '',
  'Two of three have a line break in the note. All three are of a busy evening.',
);

const suspects: HandedIn = {
  output: {
    notesMarkdown: lines(
      'Two explanations fit all facts, the cheaper test first:',
      '',
      '1. **The writer.** `quote()` may not know line breaks; two of the three notes have one.',
      '2. **The page border.** The export reads pages of 500, and 2,001 orders have four borders.',
      '',
      'Not listed: orders edited while the export runs. The copy stands still and loses the same three.',
    ),
  },
  context: { suspects: [writerSuspect, cursorSuspect], unexplained: [missing] },
};

/** The bug of the demonstration, up to its suspects: an export that loses a row wherever two orders of one second meet a page border. */
export const lostRows = {
  session: 'TILL-482',
  label: { title: 'Orders are missing from the monthly export', tags: ['export', 'customer'] },
  workflowId: 'wr.bug_investigation',
  symptom: 'The June export of shop 114 has 1,998 rows; the dashboard counts 2,001 orders. No error is logged.',
  branch: 'fix/export-rows',
  /** Words by which a later chat looks for it. */
  query: 'export page border same second',
  frame,
  reproduce,
  checkpoint,
  suspects,
};
