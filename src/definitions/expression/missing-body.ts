import type { JsonValue } from '../../base/json-value.js';

/** Why the body of what a command left cannot be read here, where there is none; undefined of anything else. */
export function missingBody(left: { readonly [key: string]: unknown }, path: string): string | undefined {
  if (!Object.hasOwn(left, 'ok') || Object.hasOwn(left, 'body')) return undefined;
  const { file, noBody } = left as { readonly file?: JsonValue; readonly noBody?: JsonValue };
  if (noBody === 'secret')
    return `${path} is secret: only \`with\` and \`body\` of later steps read it, in the process that it came to; run the workflow again`;
  if (noBody === 'too_long')
    return `${path} is not there: the answer was longer than \`limits.answerBytes\` of the catalog allows`;
  if (file === undefined) return undefined;
  const { bytes, type } = file as { readonly bytes: number; readonly type: string };
  return `${path} is kept as a file (${bytes} bytes, ${type}); say with \`keep\` what of it is read, or send it as \`{ file: … }\``;
}
