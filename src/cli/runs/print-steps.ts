import { requestTook } from '../../base/time-spent.js';
import type { CommandTold } from '../../contract/command-told.js';
import type { Page } from '../print/page.js';

export const glyphs: { readonly [state in CommandTold['state']]: string } = {
  pending: '○',
  running: '◌',
  succeeded: '✓',
  failed: '✗',
  unknown: '?',
  blocked: '■',
  canceled: '–',
};

/** A step that WorkRail does itself, in a line: how it stands, what it is, and what came back. */
export function printStep(page: Page, step: CommandTold): void {
  const { state, command, tries } = step;
  const facts = [
    stepName(step),
    ...(command === undefined ? [] : [command]),
    ...answerFacts(step),
    ...(tries === undefined ? [] : [`${tries} tries`]),
    ...messageFacts(step),
  ];
  const paint = state === 'succeeded' ? page.style.good : state === 'failed' ? page.style.bad : undefined;
  page.item(`${glyphs[state]} `, facts.join('  '), paint);
}

/** Its title, and in a loop the round. */
export function stepName({ title, path }: Pick<CommandTold, 'title' | 'path'>): string {
  const around = path
    .split('/')
    .slice(0, -1)
    .filter((part) => part.includes('@'));
  return around.length === 0 ? title : `${title} (${around.join('/')})`;
}

function answerFacts({ state, status, ms, reused, command }: CommandTold): readonly string[] {
  if (reused === true) return ['not sent again'];
  if (status === undefined) return state === 'succeeded' && command !== undefined ? ['settled as done'] : [];
  return [...(status === 0 ? [] : [String(status)]), ...(ms === undefined ? [] : [requestTook(ms)])];
}

/** The command stands in the line already. */
function messageFacts({ state, command, message }: CommandTold): readonly string[] {
  if (message === undefined || state === 'succeeded') return [];
  const lead = `${command ?? ''}: `;
  return [message.startsWith(lead) ? message.slice(lead.length) : message];
}
