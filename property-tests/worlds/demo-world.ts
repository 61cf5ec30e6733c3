import { fileURLToPath } from 'node:url';
import type { ExecutionAnswer } from '../../src/contract/answer.js';
import type { RequestName } from '../../src/contract/request-schemas.js';
import { executionOf, type Player, playerOn, playTale, requestToAck } from '../../src/cli/demo/demo-player.js';
import type { DemoTale } from '../../src/cli/demo/demo-tale.js';
import { lostRows } from '../../src/cli/demo/lost-rows.js';
import { lostRowsEnd } from '../../src/cli/demo/lost-rows-end.js';
import { lostRowsHunt } from '../../src/cli/demo/lost-rows-hunt.js';
import { receiptTimes } from '../../src/cli/demo/receipt-times.js';
import { webhookReview } from '../../src/cli/demo/webhook-review.js';
import type { Requests } from '../../src/requests/requests.js';
import { serveRequests, type ServedWorld } from './http-world.js';
import { builtPage } from './page-world.js';
import { call, makeRequestsWorld } from './requests-world.js';

/** The sessions of `workrail demo` on a clock of their own, on which a step takes half a minute. */
export interface DemoWorld {
  readonly folder: string;
  readonly requests: Requests;
  readonly served: ServedWorld;
  readonly agent: Player;
  /** Where the bug stands: its cause is shown and to be explained. */
  readonly shown: ExecutionAnswer;
  /** Where the review waits for the user. */
  readonly review: ExecutionAnswer;
  /** Plays the bug to its end, with a colleague's branch and the answer of the user. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

export async function makeDemoWorld({
  pageFolder = builtPage,
}: { readonly pageFolder?: string } = {}): Promise<DemoWorld> {
  const world = makeRequestsWorld({
    seed: 482,
    bundled: fileURLToPath(new URL('../../workflows', import.meta.url)),
    tick: 30_000,
  });
  const requests = world.open();
  const agent = playerOn({
    async call(tool, args) {
      const { reply, answer } = await call(requests, tool as RequestName, args);
      return { isError: reply.failed, text: reply.text, answer: JSON.parse(JSON.stringify(answer)) };
    },
  });
  const label = ({ session, label: words }: Pick<DemoTale, 'session' | 'label'>): Promise<unknown> =>
    requests.people.labelSession({ session, ...words });
  await playTale(agent, receiptTimes);
  await label(receiptTimes);
  const shown = await playHunt(agent, requests);
  await label(lostRows);
  const { answer: review } = await playTale(agent, webhookReview);
  await agent.call('continue_workflow', requestToAck(review, webhookReview.waits.asked));
  await label(webhookReview);
  const served = await serveRequests(requests, { pageFolder });
  return {
    folder: world.folder,
    requests,
    served,
    agent,
    shown,
    review,
    finish: () => finish(agent, requests, shown),
    close: async () => {
      await served.close();
      await world.close();
    },
  };
}

async function playHunt(agent: Player, requests: Requests): Promise<ExecutionAnswer> {
  const { session, workflowId, symptom, branch, frame, reproduce, checkpoint, suspects } = lostRows;
  const context = { symptom, branch };
  const first = await playTale(agent, { session, label: lostRows.label, workflowId, context, steps: [frame] });
  const second = await agent.play(first.answer, reproduce(first.answer.gaps?.[0]?.id ?? ''));
  const { stateToken } = second.answer;
  await agent.call('checkpoint_workflow', { stateToken, output: { notesMarkdown: checkpoint } });
  const { answer: hunt } = await agent.play(second.answer, suspects);
  let { answer: at } = await agent.play(hunt, lostRowsHunt.writer[0]);
  await agent.play(at, lostRowsHunt.writer[1]);
  await requests.people.addNote({ session, text: lostRowsHunt.personNote });
  at = executionOf(await agent.call('continue_workflow', { stateToken: hunt.stateToken }));
  for (const handedIn of lostRowsHunt.border) ({ answer: at } = await agent.play(at, handedIn));
  return at;
}

async function finish(agent: Player, requests: Requests, shown: ExecutionAnswer): Promise<void> {
  await agent.play(shown, lostRowsEnd.explainApart);
  const back = executionOf(await agent.call('continue_workflow', { stateToken: shown.stateToken }));
  const { answer: at } = await agent.play(back, lostRowsEnd.explain);
  await agent.call('continue_workflow', requestToAck(at, lostRowsEnd.propose));
  const asked = await requests.people.readQuestions({ session: lostRows.session });
  const question = asked.ok ? asked.value.waiting[0]?.questions[0] : undefined;
  if (question === undefined) throw new Error('the proposal waits for nobody');
  const { block, question: name } = question;
  await requests.people.answerQuestion({
    session: lostRows.session,
    block,
    question: name,
    answer: 'value',
    value: 'make',
  });
  const fixed = await agent.play(at, lostRowsEnd.propose);
  const told = await agent.play(fixed.answer, lostRowsEnd.fix);
  await agent.play(told.answer, lostRowsEnd.handOver);
}
