import { withRequests } from '../shell/with-requests.js';
import { exitCodes } from '../shell/exit-codes.js';
import { jsonLine } from '../print/json-line.js';
import { pickNode, pickRuns } from './pick-run.js';
import { isReadOnly } from '../print/print-findings.js';
import { printNode } from '../print/print-node.js';
import { printStory, whenFor } from '../print/print-story.js';

export const runShow = withRequests('show', async ({ requests, parsed, environment, tell, reject }) => {
  const told = await requests.people.readStory({ session: parsed.words[0] });
  if (!told.ok) return reject(told.error);
  const runs = pickRuns(told.value, parsed.text('run'));
  if (!runs.ok) return reject(runs.error);
  const story = { ...told.value, runs: runs.value };
  const code = isReadOnly(story.findings) ? exitCodes.damage : exitCodes.done;
  const wanted = parsed.text('node');
  if (wanted === undefined) return tell(story, (page) => printStory(page, environment, story), code, jsonLine);
  const node = pickNode(story, wanted);
  if (!node.ok) return reject(node.error);
  return tell(node.value, (page, shown) => printNode(page, shown, whenFor(environment)), code, jsonLine);
});
