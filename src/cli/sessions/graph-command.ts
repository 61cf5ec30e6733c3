import { withRequests } from '../shell/with-requests.js';
import { exitCodes } from '../shell/exit-codes.js';
import { jsonLine } from '../print/json-line.js';
import { pickRuns } from './pick-run.js';
import { findingText, isReadOnly } from '../print/print-findings.js';
import { whenFor } from '../print/print-story.js';
import { printTree } from '../print/print-tree.js';

export const runGraph = withRequests('graph', async ({ requests, parsed, environment, tell, reject }) => {
  const story = await requests.people.readStory({ session: parsed.words[0] });
  if (!story.ok) return reject(story.error);
  const { sessionId, findings } = story.value;
  const picked = pickRuns(story.value, parsed.text('run'));
  if (!picked.ok) return reject(picked.error);
  const runs = picked.value;
  const when = whenFor(environment);
  return tell(
    { sessionId, runs, findings },
    (page) => {
      for (const finding of findings) page.say(findingText(finding), page.style.bad);
      if (runs.length === 0) {
        page.say(`Session ${sessionId} only has notes; there is no run to draw.`);
        page.command('', ['show', sessionId]);
      }
      for (const [index, run] of runs.entries()) {
        const { runId, startedAt, lastAt, tips } = run;
        if (index > 0) page.gap();
        page.say(
          `${runId}, started ${when(startedAt)}, last active ${when(lastAt)}${tips.length > 1 ? `, ${tips.length} branches` : ''}`,
          page.style.dim,
        );
        printTree(run, environment, parsed.has('whole'));
      }
    },
    isReadOnly(findings) ? exitCodes.damage : exitCodes.done,
    jsonLine,
  );
});
