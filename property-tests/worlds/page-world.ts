import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../../src/base/json-value.js';
import type { Requests } from '../../src/requests/requests.js';
import { serveRequests, type ServedWorld } from './http-world.js';
import { call, type Called, makeRequestsWorld, type RequestsWorld, textOf } from './requests-world.js';
import { writePick } from './pick-world.js';
import { shopDocument, writeCatalog } from './shop-catalog.js';
import { playReview } from './story-of-a-review.js';

const bundledWorkflows = fileURLToPath(new URL('../../workflows', import.meta.url));
/** The page as it was built. */
export const builtPage = fileURLToPath(new URL('../../dist/dashboard', import.meta.url));

/** What the page is tried on: sessions of every kind, a library with something wrong in it, and a server. */
export interface PageWorld {
  readonly world: RequestsWorld;
  readonly requests: Requests;
  readonly served: ServedWorld;
  /** The session that has everything in it. */
  readonly review: string;
  close(): Promise<void>;
}

const broken = `workflow: team.release
title: Release what is merged
description: Use this to bring what is merged to the users.
version: 0.3.0
tags: [release]
steps:
  - id: build
    titel: Build it
    prompt: Build it and say what came out.
  - id: deploy
    title: Bring it out
    promt: Bring it out, a tenth of the users first.
    confirm: yes, please
`;

const ownFollowUp = `workflow: team.follow_up
title: Follow up on a review, as we do it
description: Use this to see that what a review asked for was done, and that the author knows.
version: 1.1.0
tags: [review]
steps:
  - id: check
    title: Check what was asked for
    prompt: Check each comment against the newest commit.
  - id: tell
    title: Tell the author
    prompt: Tell them, and thank them.
`;

const warehouse = {
  openapi: '3.1.0',
  info: { title: 'Warehouse', version: '0.9.0' },
  paths: { '/shelves': { get: { operationId: 'listShelves', responses: { 200: { description: 'Shelves' } } } } },
};

const refund = `workflow: team.refund
title: Refund an order
description: Use this to refund an order, once somebody has agreed.
version: 1.0.0
tags: [payments]
inputs:
  order: { type: integer, required: true, description: Number of the order }
steps:
  - id: look
    title: Look at the order
    run: shop orders/get
    with: { orderId: "${'${{ inputs.order }}'}" }
  - id: decide
    title: Decide how much is refunded
    prompt: Look at the order, and say how much is to be refunded.
`;

interface Piece {
  readonly session: string;
  readonly title?: string;
  readonly tags?: readonly string[];
  readonly workflowId: string;
  readonly context: JsonObject;
  readonly steps: readonly JsonObject[];
}

const pieces: readonly Piece[] = [
  {
    session: 'PAY-88',
    title: 'Refunds are sent twice',
    tags: ['payments'],
    workflowId: 'wr.bug_investigation',
    context: {
      symptom: 'A refund is sent twice when the button is pressed twice within a second.',
      branch: 'fix/refund-twice',
    },
    steps: [
      {
        output: {
          notesMarkdown:
            'The handler has no key of idempotence; two presses are two requests. Expected: one refund. Observed: two. Ran: npm test -- refunds',
        },
      },
      {
        output: {
          notesMarkdown: 'Reproduced with two parallel calls in a test. Ran: npm test -- refunds. Observed: two rows.',
        },
      },
    ],
  },
  {
    session: 'DOCS-7',
    title: 'Say how keys are rotated',
    tags: ['docs'],
    workflowId: 'wr.documentation',
    context: { subject: 'How keys are rotated', branch: 'docs/keys' },
    steps: [],
  },
  {
    session: 'ses-research',
    workflowId: 'wr.research',
    context: { question: 'Which queue keeps order across partitions?' },
    steps: [{ output: { notesMarkdown: 'Three candidates are left after reading their papers.' } }],
  },
];

async function play(requests: Requests, { session, title, tags, workflowId, context, steps }: Piece): Promise<void> {
  await call(requests, 'start_session', {
    session,
    ...(title !== undefined && { title }),
    ...(tags !== undefined && { tags }),
  });
  let at: Called = await call(requests, 'start_workflow', { workflowId, session, mode: 'auto_never_stop', context });
  if (at.reply.failed) throw new Error(at.reply.text);
  for (const step of steps)
    at = await call(requests, 'continue_workflow', {
      stateToken: textOf(at.answer['stateToken']),
      ackToken: textOf(at.answer['ackToken']),
      ...step,
    });
}

/** Bytes of a session that no program wrote. */
function damage(data: string, session: string): void {
  const folder = join(data, 'sessions', session, 'segments');
  const [segment = ''] = readdirSync(folder);
  const lines = readFileSync(join(folder, segment), 'utf8').split('\n');
  lines[lines.length - 3] = (lines.at(-3) ?? '').replace('"at"', '"AT"');
  writeFileSync(join(folder, segment), lines.join('\n'));
}

export async function makePageWorld({
  pageFolder = builtPage,
}: { readonly pageFolder?: string } = {}): Promise<PageWorld> {
  const world = makeRequestsWorld({ seed: 7, tick: 140_000 });
  cpSync(bundledWorkflows, world.bundled, { recursive: true });
  const { requests, session: review } = await playReview(world);
  for (const piece of pieces) await play(requests, piece);
  await call(requests, 'start_session', { session: 'OLD-1', title: 'The import that lost its accents' });
  const old = await call(requests, 'start_workflow', { workflowId: 'wr.follow_up', session: 'OLD-1' });
  await call(requests, 'continue_workflow', {
    stateToken: textOf(old.answer['stateToken']),
    ackToken: textOf(old.answer['ackToken']),
    output: { notesMarkdown: 'Checked.' },
  });
  await call(requests, 'start_session', { session: 'NOTES-3', title: 'What came up in the retrospective' });
  await requests.people.addNote({ session: 'NOTES-3', text: 'Nobody knew who **owns** the export.' });
  await requests.people.addNote({ session: review, text: 'Talked to Ann: an empty file may have a header.' });
  damage(world.data, 'OLD-1');
  const project = join(world.data, 'workflows');
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, 'release.yaml'), broken);
  writeFileSync(join(project, 'follow-up.yaml'), ownFollowUp);
  writeFileSync(join(project, 'refund.yaml'), refund);
  writeCatalog(world.data, 'shop', shopDocument, {
    auth: { kind: 'bearer', token: '${{ secrets.SHOP_KEY }}' },
    idempotencyHeader: 'Idempotency-Key',
    vendor: 'The Shop',
  });
  const forge = await writePick(world);
  writeCatalog(world.data, 'warehouse', warehouse, { enabled: false });
  writeCatalog(world.data, 'weather', 'openapi: cut off', {});
  const own = join(world.folder, 'config', 'workrail', 'workflows');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'follow-up.yaml'), ownFollowUp.replace('as we do it', 'as I do it'));
  // What the review was played by is another version now.
  const reviewFile = join(world.bundled, 'review-story.yaml');
  writeFileSync(
    reviewFile,
    readFileSync(reviewFile, 'utf8')
      .replace('version: 1.2.0', 'version: 1.3.0')
      .replace('Is it built the right way?', 'Is it built the right way, and would you keep it?'),
  );
  const served = await serveRequests(requests, { pageFolder });
  return {
    world,
    requests,
    served,
    review,
    close: async () => {
      await served.close();
      await forge.close();
      await world.close();
    },
  };
}

/** What another process of the same installation would find, in its environment. */
export const environmentOf = ({ world }: PageWorld): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: world.folder,
  XDG_CONFIG_HOME: join(world.folder, 'config'),
  XDG_DATA_HOME: join(world.folder, 'user'),
});
