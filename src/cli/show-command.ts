import { atDesk } from './at-desk.js';
import { exitCodes } from './exit-codes.js';
import { jsonLine } from './json-line.js';
import { givenAgain, openPage } from './page.js';
import { pickNode, pickRuns } from './pick-run.js';
import { printNode } from './print-node.js';
import { printStory, whenFor } from './print-story.js';

export const runShow = atDesk('show', async ({ requests, parsed, surroundings, json, reject }) => {
  const told = await requests.desk.readStory({ session: parsed.words[0] });
  if (!told.ok) return reject(told.error);
  const story = told.value;
  const runs = pickRuns(story, parsed.text('run'));
  if (!runs.ok) return reject(runs.error);
  const code = story.findings.some(({ level }) => level === 'damage' || level === 'newer')
    ? exitCodes.damage
    : exitCodes.done;
  const page = openPage(surroundings, { again: givenAgain(parsed) });
  const wanted = parsed.text('node');
  if (wanted !== undefined) {
    const node = pickNode(story, runs.value, wanted);
    if (!node.ok) return reject(node.error);
    if (json) surroundings.out(jsonLine(node.value));
    else printNode(page, node.value, whenFor(surroundings));
  } else if (json) surroundings.out(jsonLine({ ...story, runs: runs.value }));
  else printStory(page, surroundings, story, runs.value);
  return code;
});
