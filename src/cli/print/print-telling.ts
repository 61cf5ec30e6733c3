import type { JsonObject } from '../../base/json-value.js';
import type { Sentence } from '../../base/sentence.js';
import { quoteLines, type Missing, type Telling, type Told } from '../../render/telling.js';
import { commandOfCall } from './command-of-call.js';
import { optionAt } from './option-at.js';
import type { Page } from './page.js';

const howInTerminal: ReadonlyMap<string, string> = new Map([
  [' (where known)', ' (if known)'],
  [' (where there is one)', ' (optional)'],
]);

/** A telling as a person reads it at a terminal: calls are commands to copy, fields are options. */
export function printTelling(page: Page, telling: Telling): void {
  for (const block of telling) {
    page.gap();
    for (const line of block) printLine(page, line);
  }
}

function printLine(page: Page, line: Told): void {
  switch (line.kind) {
    case 'text':
      return page.say(line.text, line.tone === undefined ? undefined : page.style[line.tone]);
    case 'heading':
      return page.say(line.text, page.style.bold);
    case 'item':
      // What belongs to something wanted stands below its text.
      return page.item(
        line.lead.startsWith(' ') ? `    ${line.lead}` : line.lead,
        `${line.text}${line.json === undefined ? '' : spaced(line.json)}`,
      );
    case 'quote':
      return quoteLines(line.text).forEach((text) => page.say(text));
    case 'entry':
      page.item(line.lead, line.name, page.style.bold);
      return line.facts.forEach((fact) => page.item(' '.repeat(line.lead.length), fact));
    case 'wanted':
      page.item(`  ${optionWanted(line.pointer)}${howInTerminal.get(line.how) ?? line.how}: `, line.text.trimEnd());
      return line.json === undefined ? undefined : page.item('      ', spaced(line.json));
    case 'missing':
      return page.item(
        `${line.index + 1}. `,
        line.need === undefined
          ? missingText(page, line.blocker)
          : `${optionAt(line.blocker.pointer)}: ${line.need.ask} (${line.need.reason})`,
      );
    case 'call':
      return printCall(page, line.lead, line.call);
  }
}

/** An option with what goes into it. */
function optionWanted(pointer: string): string {
  if (pointer === '/output/artifacts') return '--artifact @file';
  return `${optionAt(pointer)}${pointer.startsWith('/context/') ? '=' : ''}`;
}

/** JSON that a line can break in, and that can still be copied. */
const spaced = (value: JsonObject): string => JSON.stringify(value, undefined, 1).replaceAll(/\n */gu, ' ');

/** What is missing and how to mend it. What only the user can settle needs no advice to ask the user. */
export function missingText(page: Page, { code, pointer, message, fix }: Missing): string {
  const at = optionAt(pointer);
  if (code === 'CONFIRMATION_REQUIRED') return `${at}: this step waits for your agreement.`;
  const said = saidOf(page, at, message);
  return code === 'USER_ONLY_DEPENDENCY' ? said : `${said.replace(/[.…?!]$/u, '')}. Fix: ${page.words(fix)}.`;
}

/** What is said of a place, which a sentence may begin with itself. */
export function saidOf(page: Page, place: string, sentence: Sentence): string {
  const [first, ...rest] = typeof sentence === 'string' ? [] : sentence;
  return typeof first === 'object' && 'field' in first
    ? `${place}${page.words(rest)}`
    : `${place}: ${page.words(sentence)}`;
}

const longestLead = 28;

/** The command that makes an offered call, where there is one; below its lead where that is long. */
export function printCall(page: Page, lead: string, call: Parameters<typeof commandOfCall>[0] | undefined): void {
  const words = call === undefined ? undefined : commandOfCall(call);
  if (words === undefined) return;
  if (lead.length > longestLead) page.say(lead.trimEnd());
  page.command(lead.length > longestLead ? '  ' : lead, words);
}
