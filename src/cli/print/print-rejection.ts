import type { JsonObject, JsonValue } from '../../base/json-value.js';
import { isJsonObject } from '../../base/json-value.js';
import { blockerSentence } from './blocker-sentence.js';
import { inOwnWords, optionAt } from './command-wording.js';
import type { Page } from './page.js';
import { printCall } from './print-call.js';

const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
const objects = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : [];

/** What a start is given are inputs first of all. */
const optionOf = (name: string, pointer: string): string =>
  name === 'start' ? optionAt(pointer).replace(/^--context /u, '--input ') : optionAt(pointer);

/** What was refused and why, and the one command to use next. */
export function printRejection(page: Page, name: string, payload: JsonObject): void {
  const {
    message,
    suggested_action: action,
    nextCall,
    violations,
    blockers,
    blockersOmitted,
    error_code: code,
    correlation_id: id,
  } = payload;
  page.say(`workrail ${name}: ${inOwnWords(text(message).replace(/^\w+_\w+: /u, ''))}`, page.style.bad);
  objects(blockers).forEach(({ code, pointer, message: wrong, fix }, index) =>
    page.item(
      `  ${index + 1}. `,
      `${optionAt(text(pointer))}: ${blockerSentence({ code: text(code), message: text(wrong), fix: text(fix) })}`,
    ),
  );
  if (typeof blockersOmitted === 'number') page.say(`  and ${blockersOmitted} more`);
  for (const { path, message: wrong, expected } of objects(violations)) {
    const at = text(path);
    page.item(
      '  - ',
      `${at.includes(':') ? at : optionOf(name, at)}: ${inOwnWords(text(wrong))}${text(expected) === '' || text(wrong).includes(text(expected)) ? '' : ` (expected ${text(expected)})`}`,
    );
  }
  const call =
    isJsonObject(nextCall) && typeof nextCall['tool'] === 'string' && isJsonObject(nextCall['arguments'])
      ? { tool: nextCall['tool'], arguments: nextCall['arguments'] }
      : undefined;
  page.say(
    `Next: ${inOwnWords(text(action))
      .replace(' with these inputs in context', ' with these inputs')
      .replace(/^call (?=workrail)/u, '')}`,
  );
  printCall(page, '  ', call);
  if (code === 'INTERNAL') page.say(`Correlation id: ${text(id)}. With --verbose the same call says more on stderr.`);
}
