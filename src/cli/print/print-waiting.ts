import { agentWords } from '../../base/agent-name.js';
import type { QuestionTold, WaitingTold } from '../../contract/question-told.js';
import type { Page } from './page.js';

/** The session by its id, and by its name where that is known. */
type WorkThatWaits = WaitingTold & { readonly sessionId: string; readonly name?: string };

/** Work that waits for a person: what was handed in, and what is asked of them. */
export function printWaiting(page: Page, waiting: WorkThatWaits): void {
  printWork(page, waiting);
  for (const question of waiting.questions) {
    page.item('  asks       ', sentenceOf(question), page.style.bad);
    printChoices(page, question);
    page.item('             ', question.question, page.style.dim);
  }
}

/** What was handed in, and since when it waits. */
export function printWork(
  page: Page,
  { sessionId, name = sessionId, branch, workflow, step, since, agent, handedIn, command }: WorkThatWaits,
): void {
  page.gap();
  page.say(`${name} is waiting for you, since ${since}.`, page.style.bold);
  if (name !== sessionId) page.item('  session    ', sessionId);
  page.item('  step       ', `${step.title}${branch === undefined ? '' : `, on branch ${branch}`} (${workflow})`);
  if (agent !== undefined) page.item('  asked by   ', agentWords(agent));
  const { notes, artifacts = [], context, gaps = [] } = handedIn;
  if (command === undefined) page.item('  handed in  ', notes ?? 'no notes');
  else {
    page.item('  command    ', command);
    if (notes !== undefined) page.item('  sends      ', notes);
  }
  for (const artifact of artifacts) page.item('  artifact   ', JSON.stringify(artifact));
  if (context !== undefined) page.item('  context    ', JSON.stringify(context));
  for (const gap of gaps) page.item('  gap        ', gap);
}

/** What may be said, and what comes of each. */
export function printChoices(page: Page, { choices = [] }: QuestionTold): void {
  for (const { value, label, says } of choices) page.item(`  ${value.padEnd(10)} `, `${label}: ${says}`);
}

export const sentenceOf = ({ text, wanted }: QuestionTold): string =>
  `${text}${wanted === undefined ? '' : ` (${wanted})`}`;
