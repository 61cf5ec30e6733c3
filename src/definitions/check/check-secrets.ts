import { isJsonObject, type JsonValue } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import { secretsInValue } from '../../secrets/secrets-in-value.js';
import { templateParts } from '../expression/template.js';
import { type Finding, warning } from '../source/finding.js';
import type { SourcePath } from '../source/source-path.js';
import type { CommandSite } from './command-sites.js';

/** Credentials that a file itself would send: whoever reads the file has them, and they are never repeated here. */
export function checkSecrets({ path, source, step }: CommandSite): readonly Finding[] {
  const sent = step === undefined ? ['with'] : ['with', 'body'];
  return sent.flatMap((key) =>
    secretsInValue({ [key]: withoutHoles(own(source, key) ?? null) }, '').map(({ name, pointer }) =>
      warning(
        [...path, ...pathOf(pointer, source)],
        'secret',
        `this seems to be ${name}; write it as \`\${{ secrets.NAME }}\`, and the user gives its value with \`workrail catalogs secret\``,
        { expected: '${{ secrets.NAME }}' },
      ),
    ),
  );
}

/** What only a run fills in is nobody's secret yet. */
function withoutHoles(value: JsonValue): JsonValue {
  if (typeof value === 'string')
    return templateParts(value)
      .map((part) => ('text' in part ? part.text : ' '))
      .join('')
      .trim();
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(withoutHoles);
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutHoles(inner)]))
    : value;
}

/** A pointer as a path, in which the places of a list are numbers. */
function pathOf(pointer: string, value: JsonValue): SourcePath {
  let inside: JsonValue | undefined = value;
  return pointer
    .split('/')
    .slice(1)
    .map((part) => {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
      const at = Array.isArray(inside) ? Number(key) : key;
      inside =
        typeof inside === 'object' && inside !== null
          ? own(inside as { readonly [key: string]: JsonValue }, String(at))
          : undefined;
      return at;
    });
}
