import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { inWords } from './workrail-texts.js';

/** Text under a key that the format does not have; a key that begins like those of comments is for people. */
export const isUnknownText = (key: string, value: JsonValue): boolean => !/^[$_/#]/u.test(key) && holdsText(value);

function holdsText(value: JsonValue): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  return typeof value === 'object' && value !== null && Object.values(value as JsonObject).some(holdsText);
}

/** What is said under a key, below the name that the author gave it. */
export function toldByName(key: string, value: JsonValue): string {
  const text = told(value);
  return `**${inWords(key)}**:${typeof value === 'object' && value !== null ? '\n' : ' '}${text}`;
}

function told(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const items: readonly string[] = isJsonObject(value)
    ? Object.entries(value).map(
        ([name, item]) => `${name}:${typeof item === 'object' && item !== null ? '\n' : ' '}${told(item)}`,
      )
    : value.map(told);
  return items.map((item) => `- ${item.replaceAll('\n', '\n  ')}`).join('\n');
}
