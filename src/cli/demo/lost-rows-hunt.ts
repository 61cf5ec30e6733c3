import { fenced, type HandedIn, lines } from './demo-tale.js';
import { cursorSuspect, missing, writerSuspect } from './lost-rows.js';

const testWriter: HandedIn = {
  output: {
    notesMarkdown: lines(
      'Verdict: strengthened. The writer breaks a row. Whether it is why an order is missing is the next test: 89216 has no note.',
      '',
      'Expected, if it is the writer: two rows come back for one order.',
      '',
      fenced(
        'ts',
        "const file = writeRows([{ id: 88213, note: 'no onions\\ntable 4' }]);",
        'expect(readRows(file)).toHaveLength(1);',
        '// AssertionError: expected length 1, received 2',
      ),
      '',
      '`src/export/csv-writer.ts:27` quotes a field for `,` and `"` only. RFC 4180 asks for it with line breaks too; commit 41b88fa brought the note column without a test for one.',
    ),
  },
  context: {
    suspects: [writerSuspect, cursorSuspect],
    unexplained: [missing],
    shown: ['A note with a line break cuts its row in two: src/export/csv-writer.ts:27 does not quote it'],
  },
};

const clearWriter: HandedIn = {
  output: {
    notesMarkdown: lines(
      'Verdict: refuted for the missing orders. The line break is a bug of its own.',
      '',
      'Turned off: quoted line breaks as well, and exported June again.',
      '',
      fenced(
        'console',
        '$ npm run --silent export -- --db june.db > june.csv',
        '$ cut -d, -f1 june.csv | grep -cE "^[0-9]+$"',
        '1998',
      ),
      '',
      'The 37 rows that were cut in two are whole now. The same three orders are missing. Put it back.',
    ),
    gaps: [
      {
        category: 'agent_disclosed',
        reason: 'not_checked',
        detail: 'How many files with rows cut in two went to customers is not known.',
        severity: 'warning',
      },
    ],
  },
  context: { suspects: [cursorSuspect], unexplained: [missing] },
};

/** What a person writes beside the session, which turns the work to the other suspect. */
const personNote =
  'Asked the shop: they split bills since May, so most tables give two orders in the **same second**. Please test the page border first.';

const testCursor: HandedIn = {
  output: {
    notesMarkdown: lines(
      'Verdict: strengthened. Two orders of one second at a page border lose one, 5 of 5. June itself comes next.',
      '',
      'The shop splits bills, so orders of one second are common. Expected, if it is the border: one of two is lost.',
      '',
      fenced(
        'ts',
        '// src/export/all-orders.ts',
        'const page = await db.all(',
        '  `SELECT * FROM orders WHERE shop = ? AND created_at > ?',
        '   ORDER BY created_at LIMIT ?`, [shop, after, size]);',
        'if (page.length === 0) return;',
        'yield* page;',
        'after = page.at(-1).created_at;',
      ),
      '',
      fenced(
        'console',
        '$ npx vitest run all-orders -t "two orders of one second"',
        'AssertionError: expected [ 1 ] to deeply equal [ 1, 2 ]',
      ),
    ),
  },
  context: { suspects: [cursorSuspect, writerSuspect], unexplained: [missing] },
};

const showCursor: HandedIn = {
  output: {
    notesMarkdown: lines(
      'Verdict: shown. The page border loses the order, and nothing else does.',
      '',
      'Right before the line, wrong after it: row 500 is order 88212 of 19:42:11, row 501 is 88213 of the same second. The next page asks for `created_at > 19:42:11`, and 88213 is never read.',
      '',
      '| `all-orders.ts:22` | rows | missing |',
      '|---|--:|---|',
      '| as it is | 1998 | 88213, 88714, 89216 |',
      '| `(created_at, id) > (?, ?)`, ordered by both | 2001 | none |',
      '| put back | 1998 | 88213, 88714, 89216 |',
      '',
      'Three of the four borders cut a split bill; the fourth does not, and loses nothing. `9c1e07d` replaced OFFSET by this query for speed and tested it with one order a second.',
    ),
  },
  context: {
    suspects: [],
    unexplained: [],
    shown: [`${missing}: src/export/all-orders.ts:22 goes on after a time that two orders share`],
  },
};

/** Two branches that find different things, and the note of a person between them. */
export const lostRowsHunt = {
  writer: [testWriter, clearWriter],
  personNote,
  border: [testCursor, showCursor],
} as const;
