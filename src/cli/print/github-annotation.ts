import type { JsonObject } from '../../base/json-value.js';

/** A workflow command of GitHub Actions for one violation. What its reader takes for its own signs is escaped as it wants. */
export function githubAnnotation(file: string, { severity, rule, line, column, message }: JsonObject): string {
  const place = typeof line === 'number' ? `,line=${line}${typeof column === 'number' ? `,col=${column}` : ''}` : '';
  const title = typeof rule === 'string' ? `,title=${property(rule)}` : '';
  const kind = severity === 'warning' ? 'warning' : 'error';
  return `::${kind} file=${property(file.replaceAll('\\', '/'))}${place}${title}::${typeof message === 'string' ? escaped(message) : ''}`;
}

const escaped = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string): string => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
