import type { DocumentFold } from '../compiled/compiled-workflow.js';
import { contractPack, type ContractPack, type PackDocument } from './contract-pack.js';
import { count, described, line, listOf, oneOf, openRecord, record, text } from './contract-pack-schema.js';

const location = described(
  'Where in the change, as it is after it',
  record({ file: text(500), line, endLine: line }, ['file']),
);
const severity = oneOf('Critical', 'Major', 'Minor', 'Nit');

const finding = record(
  {
    severity,
    location,
    title: text(300),
    rationale: described('How it goes wrong: the input or the sequence, and what comes of it', text(4000)),
    suggestion: text(4000),
    evidence: described('What was run or read that shows it; an open Critical or Major needs it', text(4000)),
    preExisting: described('True where it was so before the change', { type: 'boolean' }),
    status: described('open where it is left out', oneOf('open', 'fixed', 'dismissed')),
  },
  ['severity', 'location', 'title', 'rationale'],
);
const comment = record(
  {
    location: described('Left out where the comment is about the change as a whole', location),
    severity,
    title: text(300),
    body: described('Ready to be posted as it is', text(8000)),
  },
  ['title', 'body'],
);
const comments = listOf(comment, 300);
const logEntry = described('One line for whoever follows the review', text(1000));

const log: DocumentFold = { document: 'review.revision_log', fold: 'log', field: 'revisionLogEntry' };
/** The same thing said again of the same file takes the place of what was said before, be it of another line. */
const inPlace = {
  fold: 'table',
  key: ['location.file', 'location.line', 'title'],
  moves: ['location.line'],
} satisfies Partial<DocumentFold>;
const findingTable: PackDocument = {
  document: 'review.findings',
  field: 'findings',
  ...inPlace,
  shownAs: 'findings',
};
const commentTable: PackDocument = {
  document: 'review.comments',
  field: 'mrComments',
  ...inPlace,
  shownAs: 'comments',
};

const exampleComment = {
  location: { file: 'src/export.ts', line: 41 },
  severity: 'Major',
  title: 'An empty list fails',
  body: 'With no rows, `rows[0]` is undefined and the header is never written. Could the header come from the columns instead? A test with an empty list would keep it so.',
};

/** What a review is made of. */
export const reviewPacks: readonly ContractPack[] = [
  contractPack({
    name: 'review_header',
    kind: 'mr_review.phase_0_triage',
    title: 'What is being reviewed, and where to look hardest',
    required: ['review'],
    properties: {
      review: record(
        {
          mrTitle: text(300),
          classification: described('How much review it needs, such as Small, Medium or Large', text(60)),
          focusAreas: described('Where it is most likely to go wrong, most likely first', listOf(text(300), 20)),
          purpose: described('What the change is for, in a sentence or two', text(1000)),
          author: text(200),
          link: text(1000),
          base: text(200),
          head: text(200),
          filesChanged: count,
          testsRun: oneOf('passed', 'failed', 'not_possible'),
        },
        ['mrTitle', 'classification', 'focusAreas'],
      ),
      revisionLogEntry: logEntry,
    },
    example: {
      review: {
        mrTitle: 'fix(export): write the header of an empty list',
        classification: 'Medium',
        focusAreas: ['lists without rows', 'files that were exported before', 'callers that relied on the failure'],
        purpose: 'Exporting an empty list gives a file with the header alone instead of failing.',
        base: 'main',
        filesChanged: 3,
      },
      revisionLogEntry: 'Triage done: a medium change, three areas to read.',
    },
    documents: [{ document: 'review.header', fold: 'header', field: 'review' }, log],
  }),
  contractPack({
    name: 'changed_files',
    kind: 'mr_review.changed_files',
    title: 'The changed files, each with what changed and how risky it is',
    required: ['changedFiles'],
    properties: {
      changedFiles: listOf(
        record(
          {
            path: described('From the top of the repository', text(500)),
            summary: text(1000),
            risk: oneOf('L', 'M', 'H'),
            change: oneOf('added', 'modified', 'deleted', 'renamed'),
            previousPath: text(500),
            reviewed: { type: 'boolean' },
          },
          ['path', 'summary', 'risk'],
        ),
        2000,
      ),
      revisionLogEntry: logEntry,
    },
    example: {
      changedFiles: [
        {
          path: 'src/export.ts',
          summary: 'Writes the header before the first row is read',
          risk: 'M',
          change: 'modified',
        },
        { path: 'src/export.test.ts', summary: 'Covers a list without rows', risk: 'L', change: 'modified' },
      ],
    },
    documents: [{ document: 'review.changed_files', fold: 'table', field: 'changedFiles', key: ['path'] }, log],
  }),
  contractPack({
    name: 'findings',
    kind: 'mr_review.findings',
    title: 'Findings, and the comments that tell the author of them',
    required: ['findings'],
    properties: {
      findings: described('May be empty: nothing found is a result', listOf(finding, 300)),
      mrComments: comments,
      revisionLogEntry: logEntry,
    },
    example: {
      findings: [
        {
          severity: 'Major',
          location: { file: 'src/export.ts', line: 41 },
          title: 'An empty list fails',
          rationale:
            'With no rows, rows[0] is undefined and reading its keys throws; the user gets an error instead of a file.',
          suggestion: 'Take the header from the columns, which are known without any row.',
          evidence: 'exportRows([]) in a scratch test: TypeError at line 41.',
        },
      ],
    },
    documents: [findingTable, commentTable, log],
  }),
  contractPack({
    name: 'mr_comments',
    kind: 'mr_review.mr_comments',
    title: 'Comments on the change, ready to be posted',
    required: ['mrComments'],
    properties: { mrComments: comments, revisionLogEntry: logEntry },
    example: {
      mrComments: [
        exampleComment,
        { title: 'Thank you', body: 'The split into reader and writer makes this far easier to follow; keep it.' },
      ],
    },
    documents: [commentTable, log],
  }),
  contractPack({
    name: 'revision_log',
    kind: 'mr_review.revision_log',
    title: 'What happened in the review since the last entry',
    required: ['entries'],
    properties: { entries: listOf(text(1000), 50, 1) },
    example: {
      entries: [
        'Second round: both major findings are fixed and have tests.',
        'One question on naming is left to the author.',
      ],
    },
    documents: [{ document: 'review.revision_log', fold: 'log', field: 'entries' }],
  }),
  contractPack({
    name: 'review_verdict',
    kind: 'wr.review_verdict',
    title: 'The verdict of a review, and what it rests on',
    open: true,
    required: ['verdict', 'summary'],
    properties: {
      verdict: oneOf('approve', 'approve_with_changes', 'request_changes', 'cannot_judge'),
      summary: described('Why, in a few sentences the author can use', text(4000)),
      confidence: oneOf('low', 'medium', 'high'),
      findings: described(
        'The findings the verdict rests on',
        listOf(openRecord({ severity: text(60), summary: text() }, ['severity', 'summary']), 300),
      ),
      notChecked: described('What could not be looked at', listOf(text(), 50)),
    },
    example: {
      verdict: 'request_changes',
      summary: 'The approach is right. Lists without rows still fail, which is what the change set out to mend.',
      confidence: 'high',
      findings: [{ severity: 'Major', summary: 'An empty list fails (src/export.ts:41).' }],
      notChecked: ['The old export service, which cannot be run here.'],
    },
    documents: [{ document: 'review.verdict', fold: 'header' }],
  }),
];
