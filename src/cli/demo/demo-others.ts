import type { SessionsPage } from '../../contract/session-list.js';
import type { StdioClient } from '../../mcp/stdio-client.js';
import type { Claims } from './demo-claims.js';
import type { Person } from './demo-colleague.js';
import { playerOn, playTale, requestToAck, titleOf } from './demo-player.js';
import { commandToLabel, type DemoTale } from './demo-tale.js';
import { receiptTimes } from './receipt-times.js';
import { webhookReview } from './webhook-review.js';

/** A small task beside the story, so that there is more than one session to look at. */
export async function finishATask(client: StdioClient, me: Person, { scene, claim }: Claims): Promise<void> {
  scene('A small task, from start to end');
  const { said, answer } = await playTale(playerOn(client), receiptTimes);
  claim(`${receiptTimes.session} is complete after ${answer.stepsDone} steps`, answer.status === 'complete', said.text);
  label(me, receiptTimes);
}

/** A review that nobody answers: it is what waits for whoever looks at the page. */
export async function waitForTheUser(client: StdioClient, me: Person, { scene, claim }: Claims): Promise<void> {
  scene('A review waits for the user');
  const { session, waits } = webhookReview;
  const player = playerOn(client);
  const { answer } = await playTale(player, webhookReview);
  const asked = await player.call('continue_workflow', requestToAck(answer, waits.asked));
  const title = titleOf(answer);
  claim(`“${title}” is kept, and waits`, asked.answer['kind'] === 'blocked', asked.text);
  label(me, webhookReview);
  const listed = me.run(['sessions', 'is:waiting', '--json']);
  const page = listed.code === 0 ? (JSON.parse(listed.text) as SessionsPage) : undefined;
  claim(
    `workrail sessions is:waiting lists ${session} alone`,
    page?.sessions.length === 1 && page.sessions[0]?.sessionId === session,
    listed.text,
  );
  const shown = me.run(['answer', session]);
  claim('workrail answer shows what is asked', shown.code === 0 && shown.text.includes(title), shown.text);
}

export function label({ run }: Person, tale: Pick<DemoTale, 'session' | 'label'>): void {
  const { code, text } = run(commandToLabel(tale));
  if (code !== 0) throw new Error(`${tale.session} got no label: ${text}`);
}
