import type { RunStory } from '../contract/session-story.js';
import { type AtDesk, atDesk } from './at-desk.js';
import { exitCodes } from './exit-codes.js';
import { jsonLine } from './json-line.js';
import { givenAgain, openPage } from './page.js';
import { pickRuns } from './pick-run.js';
import { findingText } from './print-findings.js';
import { printTree } from './print-tree.js';
import { shellWord } from './shell-word.js';
import { ago } from './time-words.js';

export const runGraph = atDesk('graph', async (desk) => {
  const { requests, parsed, surroundings, json, reject } = desk;
  const story = await requests.desk.readStory({ session: parsed.words[0] });
  if (!story.ok) return reject(story.error);
  const { sessionId, findings } = story.value;
  const runs = pickRuns(story.value, parsed.text('run'));
  if (!runs.ok) return reject(runs.error);
  const code = findings.some(({ level }) => level === 'damage' || level === 'newer')
    ? exitCodes.damage
    : exitCodes.done;
  if (json) {
    surroundings.out(jsonLine({ sessionId, runs: runs.value, findings }));
    return code;
  }
  const page = openPage(surroundings, { again: givenAgain(parsed) });
  for (const finding of findings) page.say(findingText(finding), page.style.bad);
  if (runs.value.length === 0) {
    page.say(`Session ${sessionId} holds notes alone: there is no run to draw.`);
    page.command('', ['workrail', 'show', shellWord(sessionId)]);
  }
  runs.value.forEach((run, index) => {
    if (index > 0) page.gap();
    page.say(runHead(desk, run), page.style.dim);
    printTree(run, surroundings, { whole: parsed.has('whole') });
  });
  return code;
});

export function runHead(
  { surroundings: { now, stdoutIsTerminal } }: AtDesk,
  { runId, startedAt, lastAt, tips }: RunStory,
): string {
  const when = (at: string): string => (stdoutIsTerminal ? ago(at, now()) : at);
  return `${runId}, begun ${when(startedAt)}, last work ${when(lastAt)}${tips.length > 1 ? `, ${tips.length} branches` : ''}`;
}
