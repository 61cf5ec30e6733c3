import type { NodeStory } from '../../contract/session-story.js';
import {
  agreedWords,
  bytesWords,
  requestWords,
  settledWords,
  stoppedWords,
  triedWords,
} from '../../render/command-words.js';
import type { Page } from './page.js';
import { indented } from './print-story.js';

/** A step that WorkRail does itself: what it sends, each try, what came, and why the run ended there. */
export function printCommand(page: Page, { command: told, stopped }: NodeStory, when: (at: string) => string): void {
  if (told !== undefined) {
    const { catalog, command, says, request, tries, triesOmitted = 0, until, response, settled, agreed } = told;
    page.gap();
    page.say(`Command ${catalog} ${command}`, page.style.bold);
    page.item('  ', says);
    if (request !== undefined) page.item('  request: ', requestWords(request));
    if (request?.body !== undefined)
      page.item(`  body sent (${bytesWords(request.body.bytes)}): `, request.body.preview);
    if (until !== undefined) page.item('  waits until: ', until);
    if (triesOmitted > 0) page.say(`  ${triesOmitted} earlier tries`, page.style.dim);
    for (const one of tries) page.item(`  try ${one.try}, ${when(one.at)}: `, triedWords(one));
    if (response?.cut !== undefined) {
      page.say(`  answer, the beginning of ${bytesWords(response.cut.bytes)}`, page.style.dim);
      page.say(indented(response.cut.text, 4));
    } else if ((response?.body ?? null) !== null) {
      page.say('  answer', page.style.dim);
      page.say(indented(JSON.stringify(response?.body, undefined, 2), 4));
    }
    if (settled !== undefined) page.item('  ', `${settledWords(settled)}, ${when(settled.at)}`);
    if (agreed !== undefined) page.item('  ', `${agreedWords(agreed)}, ${when(agreed.at)}`);
  }
  if (stopped === undefined) return;
  page.gap();
  const { head, then } = stoppedWords(stopped);
  page.say(`${head}, ${when(stopped.at)}`, page.style.bold);
  page.item('  ', stopped.message, page.style.bad);
  if (then !== undefined) page.item('  ', then);
}
