import { setTimeout as sleep } from 'node:timers/promises';
import { isJsonObject } from '../../base/json-value.js';
import type { StdioClient } from '../../mcp/stdio-client.js';
import { executionOf, playerOn } from './demo-player.js';
import { webhookReview } from './webhook-review.js';

const betweenLooks = 500;
/** So that whoever answered sees it go on. */
const betweenSteps = 2000;
const { session, waits } = webhookReview;

/** The agent of the review that waits: it looks again and again, and goes on once somebody has answered. */
export async function waitForAnswer(client: StdioClient, signal: AbortSignal): Promise<void> {
  const pause = (milliseconds: number): Promise<void> =>
    sleep(milliseconds, undefined, { signal }).catch(() => undefined);
  const player = playerOn(client);
  const found = await player.call('resume_session', { sessionId: session });
  const { candidates } = found.answer;
  const best: unknown = Array.isArray(candidates) ? candidates[0] : undefined;
  const stateToken = isJsonObject(best) && typeof best['stateToken'] === 'string' ? best['stateToken'] : '';
  // Whoever started us may be killed, and says nothing then.
  const startedBy = process.ppid;
  while (!signal.aborted && process.ppid === startedBy) {
    const here = executionOf(await player.call('continue_workflow', { stateToken }));
    if (here.draft?.refused !== undefined) {
      await player.call('checkpoint_workflow', { stateToken, output: { notesMarkdown: waits.refused } });
      return;
    }
    if (here.draft?.settled === true) {
      let { answer: at } = await player.play(here, waits.asked);
      for (const handedIn of waits.agreed) {
        await pause(betweenSteps);
        ({ answer: at } = await player.play(at, handedIn));
      }
      return;
    }
    await pause(betweenLooks);
  }
}
