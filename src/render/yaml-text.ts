import { isJsonObject, type JsonValue } from '../base/json-value.js';

/** A value as YAML that people would write, without a line end behind it: in blocks, with quotes only where they are needed. */
export const yamlText = (value: JsonValue): string =>
  typeof value === 'string' ? scalar(value) : linesOf(value).join('\n');

function linesOf(value: JsonValue): readonly string[] {
  if (Array.isArray(value) && value.length > 0)
    return (value as readonly JsonValue[]).flatMap((item) => hung('- ', linesOf(item)));
  if (isJsonObject(value) && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([name, inner]) => {
      const lead = `${scalar(name)}:`;
      const isBlock = typeof inner === 'object' && inner !== null && Object.keys(inner).length > 0;
      return isBlock ? hung(lead, ['', ...linesOf(inner)]) : hung(`${lead} `, linesOf(inner));
    });
  return typeof value === 'string' ? textLines(value) : [JSON.stringify(value)];
}

/** The first line behind a lead, the others below it. */
const hung = (lead: string, [first = '', ...rest]: readonly string[]): readonly string[] => [
  `${lead}${first}`,
  ...rest.map((line) => (line === '' ? '' : `  ${line}`)),
];

/** A text of several plain lines stands as a block, as prompts do. */
const isPlainBlock = (text: string): boolean => /^[^\s\p{C}][^\p{C}]*(?:\n+[^\s\p{C}][^\p{C}]*)+$/u.test(text);

const textLines = (text: string): readonly string[] =>
  isPlainBlock(text) ? ['|-', ...text.split('\n')] : [scalar(text)];

/** What YAML reads as anything but this text is written as JSON, which YAML reads as it is. */
const isPlain = (text: string): boolean =>
  /^[\p{L}$/_][^\p{C}\p{Zl}\p{Zp}\u00a0]*$/u.test(text) &&
  !/: |:$| #|\s$/u.test(text) &&
  !/^(?:true|false|yes|no|on|off|null|y|n)$/iu.test(text);

const scalar = (text: string): string => (isPlain(text) ? text : JSON.stringify(text));
