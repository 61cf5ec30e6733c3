import { withRequests } from '../shell/with-requests.js';
import { exitCodes } from '../shell/exit-codes.js';
import { jsonLine } from '../print/json-line.js';
import { openPage } from '../print/page.js';
import { pickNode, pickRuns } from './pick-run.js';
import { printNode } from '../print/print-node.js';
import { printStory, whenFor } from '../print/print-story.js';

export const runShow = withRequests('show', async ({ requests, parsed, environment, json, reject }) => {
  const told = await requests.people.readStory({ session: parsed.words[0] });
  if (!told.ok) return reject(told.error);
  const story = told.value;
  const runs = pickRuns(story, parsed.text('run'));
  if (!runs.ok) return reject(runs.error);
  const code = story.findings.some(({ level }) => level === 'damage' || level === 'newer')
    ? exitCodes.damage
    : exitCodes.done;
  const page = openPage(environment, { given: parsed });
  const wanted = parsed.text('node');
  if (wanted !== undefined) {
    const node = pickNode(story, runs.value, wanted);
    if (!node.ok) return reject(node.error);
    if (json) environment.out(jsonLine(node.value));
    else printNode(page, node.value, whenFor(environment));
  } else if (json) environment.out(jsonLine({ ...story, runs: runs.value }));
  else printStory(page, environment, story, runs.value);
  return code;
});
