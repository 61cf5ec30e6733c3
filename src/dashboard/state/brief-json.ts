import { isJsonObject, type JsonValue } from '../../base/json-value.js';
import { isArray } from '../../base/patch/json-pointer.js';

/** As much as stands on one line beside a name, in characters. */
const most = 90;

/** How a value begins, as JSON; what comes after that is not looked at. */
export function briefJson(value: JsonValue): string {
  const text = begin(value, most);
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

function begin(value: JsonValue, room: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, room + 1));
  const parts = isArray(value) ? value.entries() : isJsonObject(value) ? Object.entries(value) : undefined;
  if (parts === undefined) return JSON.stringify(value);
  const [open, close] = isArray(value) ? ['[', ']'] : ['{', '}'];
  let text = '';
  for (const [key, inner] of parts) {
    if (text.length > room) return `${open}${text}`;
    const name = typeof key === 'number' ? '' : `${key.slice(0, room)}: `;
    text += `${text === '' ? '' : ', '}${name}${begin(inner, room - text.length)}`;
  }
  return text === '' ? `${open}${close}` : `${open} ${text} ${close}`;
}
