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
  const { title, command, state, status, ms, tries, reused, message } = step;
  const facts = [
    title,
    ...(command === undefined ? [] : [command]),
    ...(reused === true ? ['not sent again'] : []),
    ...(status === undefined || status === 0 ? [] : [String(status)]),
    ...(ms === undefined ? [] : [requestTook(ms)]),
    ...(tries === undefined ? [] : [`${tries} tries`]),
    ...(message === undefined || state === 'succeeded' ? [] : [message]),
  ];
  const paint = state === 'succeeded' ? page.style.good : state === 'failed' ? page.style.bad : undefined;
  page.item(`${glyphs[state]} `, facts.join('  '), paint);
}
