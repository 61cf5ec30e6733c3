import type { JsonObject } from '../../src/base/json-value.js';
import type { Requests } from '../../src/requests/requests.js';
import { call, type Called, type RequestsWorld, textOf } from './requests-world.js';

/** A review with everything in it that a story tells: loops, skips, forks, gaps, refusals, documents of every fold. */
const reviewWorkflow = `workflow: wr.review_story
title: Review a change
description: Use this to review a change before it is merged.
version: 1.2.0
tags: [review]
inputs:
  change: { type: string, required: true, description: What to review, example: branch fix/empty-export }
steps:
  - id: triage
    title: Understand the change
    prompt: Say what \${{ inputs.change }} does and why.
    sets:
      complexity: { type: string, enum: [Small, Large], description: How much review it needs }
      areas: { type: array, description: The parts to read, items: { type: object, example: { name: export } } }
    output:
      - contract: wr.contracts.review_header
      - contract: wr.contracts.changed_files
  - id: design
    if: context.complexity == "Large"
    title: Judge the design first
    prompt: Is it built the right way?
  - id: read
    title: Read every area
    foreach: context.areas
    as: area
    max: 4
    steps:
      - id: read_area
        title: "Read: \${{ area.name }}"
        prompt: Read \${{ area.name }}.
        output: { contract: wr.contracts.findings }
  - id: access
    title: Run it against the staging data
    prompt: Export the list that failed.
    needs:
      - { reason: needs_user_account_access, key: stagingAccess, ask: May I use the staging account? }
  - id: verdict
    title: Give the verdict
    prompt: Decide.
    output: { contract: wr.contracts.review_verdict }
    confirm: true
  - id: handoff
    title: Hand it over
    prompt: Say what is left.
    output: { contract: wr.contracts.discovery_handoff }
`;

const chatWorkflow = `workflow: wr.follow_up
title: Follow up on a review
description: Use this to see that what a review asked for was done.
version: 1.0.0
steps:
  - id: check
    title: Check what was asked for
    prompt: Check it.
  - id: tell
    title: Tell the author
    prompt: Tell them.
`;

const location = { file: 'src/export.ts', line: 41, endLine: 44 };

const triage: JsonObject[] = [
  {
    kind: 'mr_review.phase_0_triage',
    review: {
      mrTitle: 'fix(export): write the header of an empty list',
      classification: 'Standard',
      focusAreas: ['lists without rows', 'files that were exported before', 'callers that relied on the failure'],
      purpose: 'Exporting an empty list gives a file with the header alone instead of failing.',
      base: 'main',
      filesChanged: 3,
    },
    revisionLogEntry: 'Triage done: standard change, two areas to read.',
  },
  {
    kind: 'mr_review.changed_files',
    changedFiles: [
      {
        path: 'src/export.ts',
        summary: 'Writes the header before the first row is read',
        risk: 'M',
        change: 'modified',
      },
      { path: 'src/export.test.ts', summary: 'Covers a list without rows', risk: 'L', change: 'modified' },
      { path: 'src/columns.ts', summary: 'New: the columns of a query', risk: 'H', change: 'added' },
    ],
  },
];

const finding = (severity: string, title: string, besides: JsonObject = {}): JsonObject => ({
  severity,
  location,
  title,
  rationale:
    'With no rows, `rows[0]` is undefined and reading its keys throws; the user gets an error instead of a file.',
  suggestion: 'Take the header from the columns, which are known without any row.',
  evidence: 'exportRows([]) in a scratch test: TypeError at line 41.',
  ...besides,
});

const triageNotes = `## What it does

It writes the header of an export **before** it asks for the first row, so that an empty list gives a file; see [the issue](https://example.org/issues/212).

- \`src/export.ts\` is where it happens.
- Two callers change:
  1. the scheduled job
  2. the button

| caller | rows | before | after |
|---|--:|---|---|
| job | 0 | error | header |
| button | 0 | error | header |

\`\`\`ts
const header = columns.map(({ name }) => name); // rows[0] no more
\`\`\`

> The description and the diff agree.
`;

/** Plays it, always the same, and gives the session's key. */
export async function playReview(
  world: RequestsWorld,
): Promise<{ readonly requests: Requests; readonly session: string }> {
  world.writeWorkflow('review-story', reviewWorkflow);
  world.writeWorkflow('follow-up', chatWorkflow);
  const requests = world.open();
  const session = 'EXPORT-212';
  await call(requests, 'start_session', {
    session,
    title: 'Empty exports <fail> & nobody "knows" why',
    tags: ['export', 'review'],
  });
  const at = (place: Called): JsonObject => ({
    stateToken: textOf(place.answer['stateToken']),
    ackToken: textOf(place.answer['ackToken']),
  });
  const step = (place: Called, besides: JsonObject): Promise<Called> =>
    call(requests, 'continue_workflow', { ...at(place), ...besides });

  const first = await call(requests, 'start_workflow', {
    workflowId: 'wr.review_story',
    session,
    mode: 'auto_stop',
    context: { change: 'branch fix/empty-export against main', branch: 'fix/empty-export' },
  });
  const area = await step(first, {
    output: { notesMarkdown: triageNotes, artifacts: triage },
    context: { complexity: 'Small', areas: [{ name: 'the writer' }, { name: 'the columns' }] },
  });
  await call(requests, 'checkpoint_workflow', {
    stateToken: textOf(area.answer['stateToken']),
    output: {
      notesMarkdown: 'Half of the writer is read. *Nothing found so far.*',
      gaps: [
        {
          category: 'agent_disclosed',
          reason: 'not_run',
          detail: 'The old export service cannot be run here.',
          severity: 'info',
        },
      ],
    },
  });
  const second = await step(area, {
    output: {
      notesMarkdown: 'Read the writer and both callers. One thing goes wrong.',
      artifacts: [
        {
          kind: 'mr_review.findings',
          findings: [
            finding('Major', 'An empty list fails'),
            finding('Nit', 'The name `cols` says little', {
              location: { file: 'src/columns.ts' },
              suggestion: 'columns',
            }),
          ],
          revisionLogEntry: 'The writer is read.',
        },
      ],
      gaps: [
        {
          category: 'agent_disclosed',
          reason: 'assumed',
          detail: 'Nobody said which encoding the file has.',
          severity: 'warning',
          assumption: 'UTF-8 without a mark, as the other exports.',
        },
      ],
    },
  });
  const third = await step(second, {
    output: {
      notesMarkdown:
        'The columns are read.\n\n# A heading of the agent\n\n<b>bold?</b> and an image ![a chart](https://example.org/chart.png)',
      artifacts: [
        {
          kind: 'mr_review.findings',
          findings: [
            finding('Critical', 'Two exports at once share one file', {
              location: { file: 'src/columns.ts', line: 7 },
            }),
            finding('Minor', 'A column without a name', {
              status: 'dismissed',
              location: { file: 'src/columns.ts', line: 12 },
            }),
          ],
          mrComments: [
            {
              location,
              severity: 'Major',
              title: 'An empty list fails',
              body: 'Could the header come from the columns instead?',
            },
          ],
        },
      ],
    },
    preferences: { riskPolicy: 'aggressive' },
  });
  // What only the user can give is missing: it is blocked, then goes on; and once more in another way.
  await step(third, { output: { notesMarkdown: 'I would need the account.' } });
  const verdict = await step(third, {
    output: { notesMarkdown: 'Exported the list that failed: it has a header now.' },
    context: { stagingAccess: 'granted by the user' },
  });
  await call(requests, 'continue_workflow', { stateToken: textOf(third.answer['stateToken']) }).then(async (again) => {
    const other = await step(again, {
      output: {
        notesMarkdown: 'Without the account: read the log of the failure instead.',
        gaps: [
          {
            category: 'agent_disclosed',
            reason: 'not_verified',
            detail: 'The fix was never run on real data.',
            severity: 'critical',
          },
        ],
      },
      context: { stagingAccess: 'refused; the log will do', complexity: null },
    });
    await call(requests, 'checkpoint_workflow', {
      stateToken: textOf(other.answer['stateToken']),
      output: { notesMarkdown: 'The log speaks for it.' },
    });
  });
  const handoff = await step(verdict, {
    confirmed: true,
    output: {
      notesMarkdown: 'Changes are needed.',
      artifacts: [
        {
          kind: 'wr.review_verdict',
          verdict: 'request_changes',
          summary: 'The approach is right. Two exports at once still share a file.',
          confidence: 'high',
          notChecked: ['The old export service, which cannot be run here.'],
        },
      ],
    },
  });
  const end = await step(handoff, {
    output: {
      notesMarkdown: 'Handed over.',
      artifacts: [
        {
          kind: 'wr.discovery_handoff',
          summary: 'Exports fail because the header is taken from the first row.',
          findings: [
            {
              claim: 'Every failure of the last month had no rows.',
              evidence: 'All 212 entries of the error log carry "0 rows".',
              confidence: 'high',
            },
          ],
          recommendation: 'Hand the columns to the writer: two callers change, and nothing that is stored.',
          confidence: 'high',
          openQuestions: ['May the file of an empty export have a header and nothing else?', 'Who reads these files?'],
        },
      ],
    },
  });
  await call(requests, 'checkpoint_workflow', {
    stateToken: textOf(end.answer['stateToken']),
    output: { notesMarkdown: 'Posted the comments.' },
  });
  const follow = await call(requests, 'start_workflow', { workflowId: 'wr.follow_up', session });
  await step(follow, { output: { notesMarkdown: 'The file is no longer shared.' } });
  return { requests, session };
}
