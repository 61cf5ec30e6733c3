import { expect, test } from 'vitest';
import { modes } from '../../src/base/preferences.js';
import type { AttemptId, EventSum, KeyId, NodeId, RunId, WorkflowHash, WriterId } from '../../src/base/ids.js';
import { contractPacks, packContract } from '../../src/definitions/contracts/contract-packs.js';
import { documentForm } from '../../src/definitions/contracts/document-form.js';
import type { Event } from '../../src/events/event.js';
import { foldDocuments } from '../../src/sessions/documents.js';
import { foldSession } from '../../src/sessions/fold-session.js';
import { emptySession } from '../../src/sessions/folded-session.js';

const packs = [...contractPacks.values()];
const [run, root, tip] = ['run_00000001' as RunId, 'n_000000000000' as NodeId, 'n_000000000001' as NodeId];
const envelope = { v: 1, by: 'writer00' as WriterId, at: '2026-01-01T00:00:00.000Z', prev: '' } as const;
const made = { key: 'k_00000000' as KeyId, engine: '1', preferences: modes.guided };

test('the example of every contract folds into its documents, and nothing of it is left out', () => {
  const events: readonly Event[] = [
    {
      ...envelope,
      seq: 1,
      sum: '0000000000000001' as EventSum,
      kind: 'run_started',
      run,
      node: root,
      data: {
        workflowId: 'wr.x',
        workflowHash: '0'.repeat(64) as WorkflowHash,
        title: 'X',
        version: '1',
        source: '',
        inputs: {},
        context: {},
        request: '',
        ...made,
      },
    },
    {
      ...envelope,
      seq: 2,
      sum: '0000000000000002' as EventSum,
      kind: 'step_acked',
      run,
      node: tip,
      data: {
        parent: root,
        attempt: 'a_0000000000' as AttemptId,
        step: 'All',
        brought: '',
        output: {
          artifacts: [...packs.map(({ example }) => example), contractPacks.get('wr.contracts.mr_comments')!.example],
        },
        ...made,
      },
    },
  ];
  const session = foldSession(emptySession(), events);
  const documents = foldDocuments(session, session.nodes.get(tip)!, packs);
  expect(documents.map(({ name }) => name)).toEqual(
    [...new Set(packs.flatMap((pack) => pack.documents.map(({ document }) => document)))].toSorted(),
  );
  for (const document of documents) {
    expect(document.leftOut, document.name).toBe(0);
    expect(document.from, document.name).not.toEqual([]);
  }
  const shown = Object.fromEntries(
    documents.map((document) => [
      document.name,
      document.fold === 'header' ? document.header : document.fold === 'table' ? document.rows : document.entries,
    ]),
  );
  expect(shown).toMatchObject({
    'review.header': { classification: 'Medium' },
    'review.changed_files': [{ path: 'src/export.test.ts' }, { path: 'src/export.ts' }],
    // A comment that is brought again is there once; the one on the whole change has no place and comes first.
    'review.comments': [{ title: 'Thank you' }, { title: 'An empty list fails' }],
    open_questions: [{ text: 'May the file of an empty export have a header and nothing else?' }],
    working_agreement: { commits: 'One commit for each finding, tests included.' },
  });
});

test('a pack says how its document is shown, no pin keeps it, and what no pack knows is shown by its fold', () => {
  const pinned = (...refs: readonly string[]) => refs.map((ref) => packContract(ref, true)!);
  const review = pinned('wr.contracts.review_header', 'wr.contracts.findings', 'wr.contracts.mr_comments');
  expect(JSON.stringify(review)).not.toContain('shownAs');
  const forms = ['review.findings', 'review.comments', 'review.header'].map((document) =>
    documentForm(review, { document, fold: document === 'review.header' ? 'header' : 'table' }),
  );
  expect(forms).toEqual(['findings', 'comments', undefined]);
  expect(documentForm(review, { document: 'review.findings', fold: 'log' })).toBeUndefined();
  const own = { ...review[1]!, contract: undefined } as never;
  expect(documentForm([own], { document: 'review.findings', fold: 'table' })).toBeUndefined();
  expect(documentForm([], { document: 'review.findings', fold: 'table' })).toBeUndefined();
});
