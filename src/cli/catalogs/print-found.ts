import type { CommandListed, FoundCommand } from '../../contract/tools/catalog-answers.js';
import type { Page } from '../print/page.js';

/** A command in a list of them: what it is called, and below it what it does. */
export function printFound(page: Page, found: CommandListed | FoundCommand): void {
  const { command, summary, method = '', path = '', safety = '' } = found;
  const request = method === '' ? 'a workflow' : `${method} ${path} · ${safety}`;
  page.item('', command, page.style.bold);
  if (summary !== '') page.item('  ', summary);
  page.item('  ', request, page.style.dim);
}
