import type { RunStory } from '../../contract/session-story.js';
import { type RequestsContext, withRequests } from '../shell/with-requests.js';
import { exitCodes } from '../shell/exit-codes.js';
import { jsonLine } from '../print/json-line.js';
import { openPage } from '../print/page.js';
import { pickRuns } from './pick-run.js';
import { findingText } from '../print/print-findings.js';
import { printTree } from '../print/print-tree.js';
import { ago } from '../print/time-words.js';

export const runGraph = withRequests('graph', async (command) => {
  const { requests, parsed, environment, json, reject } = command;
  const story = await requests.people.readStory({ session: parsed.words[0] });
  if (!story.ok) return reject(story.error);
  const { sessionId, findings } = story.value;
  const runs = pickRuns(story.value, parsed.text('run'));
  if (!runs.ok) return reject(runs.error);
  const code = findings.some(({ level }) => level === 'damage' || level === 'newer')
    ? exitCodes.damage
    : exitCodes.done;
  if (json) {
    environment.out(jsonLine({ sessionId, runs: runs.value, findings }));
    return code;
  }
  const page = openPage(environment, { given: parsed });
  for (const finding of findings) page.say(findingText(finding), page.style.bad);
  if (runs.value.length === 0) {
    page.say(`Session ${sessionId} holds notes alone: there is no run to draw.`);
    page.command('', ['show', sessionId]);
  }
  runs.value.forEach((run, index) => {
    if (index > 0) page.gap();
    page.say(runHead(command, run), page.style.dim);
    printTree(run, environment, parsed.has('whole'));
  });
  return code;
});

export function runHead(
  { environment: { now, stdoutIsTerminal } }: RequestsContext,
  { runId, startedAt, lastAt, tips }: RunStory,
): string {
  const when = (at: string): string => (stdoutIsTerminal ? ago(at, now()) : at);
  return `${runId}, begun ${when(startedAt)}, last work ${when(lastAt)}${tips.length > 1 ? `, ${tips.length} branches` : ''}`;
}
