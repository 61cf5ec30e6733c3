import { errorCatalogue } from '../../contract/error-catalogue.js';
import type { JsonValue } from '../../base/json-value.js';
import type { Rejection } from '../../base/rejection.js';
import { limits } from '../../base/limits.js';
import { optionAt } from './option-at.js';
import type { Page } from './page.js';
import { missingText, printCall, saidOf } from './print-telling.js';

/** What was refused and why, and the one command to use next. */
export function printRejection(page: Page, name: string, rejection: Rejection, correlationId?: JsonValue): void {
  const { code, message, action, nextCall, violations = [], blockers = [], context } = rejection;
  // Agents hear which tool it was; here the command is named.
  const tool = context?.['tool'];
  const own = typeof tool === 'string' && message.startsWith(`${tool}: `) ? message.slice(tool.length + 2) : message;
  page.say(`workrail ${name}: ${own}`, page.style.bad);
  const shown = blockers.slice(0, limits.blockers);
  shown.forEach((blocker, index) => page.item(`  ${index + 1}. `, missingText(page, blocker)));
  if (blockers.length > shown.length) page.say(`  and ${blockers.length - shown.length} more`);
  for (const { path, message: wrong, expected = '' } of violations) {
    // What a start is given are inputs first of all.
    const option = name === 'start' && path.startsWith('/context/') ? `--input ${path.slice(9)}` : optionAt(path, name);
    const isOfAll = path === '' && typeof wrong === 'string';
    // What is wrong with all of it is said above.
    if (isOfAll && own.includes(wrong)) continue;
    const said = isOfAll ? wrong : saidOf(page, path.includes(':') ? path.trim() : option, wrong);
    page.item('  - ', `${said}${said.includes(expected) ? '' : ` (expected ${expected})`}`);
  }
  page.say(`Next: ${page.words(action)}`);
  printCall(page, '  ', nextCall);
  if (errorCatalogue[code].category === 'internal' && typeof correlationId === 'string')
    page.say(`Correlation id: ${correlationId}. With --verbose the same call says more on stderr.`);
}
