import { isJsonObject, type JsonValue } from '../base/json-value.js';
import { maskedSecret } from './masked-secret.js';
import type { SecretFound } from './secret-shapes.js';
import { secretByName, secretsInText } from './secrets-in-text.js';

export interface SecretAt extends SecretFound {
  /** JSON pointer; a key that is a secret itself stands in it masked. */
  readonly pointer: string;
}

/** `{ name: 'API_KEY', value: '…' }`, as lists of variables are written. */
const naming = ['name', 'key', 'variable'] as const;

/** The credentials in a value and in its keys. A key that tells speaks for the text under it. */
export function secretsInValue(value: JsonValue, pointer: string): readonly SecretAt[] {
  const found: SecretAt[] = [];
  const open: { readonly value: JsonValue; readonly pointer: string; readonly name?: string | undefined }[] = [
    { value, pointer },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value: inner, pointer: at, name } = next;
    if (typeof inner === 'string')
      found.push(...secretsInOne(inner, name).map(({ name: kind, text }) => ({ name: kind, text, pointer: at })));
    else if (isJsonObject(inner)) {
      const named = naming.map((key) => inner[key]).find((candidate) => typeof candidate === 'string');
      const entries = Object.entries(inner);
      for (const [key, child] of entries.toReversed()) {
        const inKey = secretsInText(key);
        found.push(...inKey.map(({ name: kind, text }) => ({ name: kind, text, pointer: at })));
        open.push({
          value: child,
          pointer: `${at}/${segment(key, inKey)}`,
          name: key === 'value' && named !== undefined ? named : key,
        });
      }
    } else if (Array.isArray(inner)) {
      for (const [index, child] of [...(inner as readonly JsonValue[]).entries()].toReversed())
        open.push({ value: child, pointer: `${at}/${index}`, name });
    }
  }
  return found;
}

function secretsInOne(text: string, name: string | undefined): readonly SecretFound[] {
  const found = secretsInText(text);
  const named = found.length === 0 && name !== undefined ? secretByName(name, text) : undefined;
  return named === undefined ? found : [named];
}

function segment(key: string, inKey: readonly SecretFound[]): string {
  const shown = inKey.reduce((text, secret) => text.replaceAll(secret.text, maskedSecret(secret.text)), key);
  return shown.replaceAll('~', '~0').replaceAll('/', '~1');
}
