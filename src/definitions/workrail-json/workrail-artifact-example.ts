import { isJsonObject, isJsonValue, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { jsonWithComments } from '../source/json-with-comments.js';
import { inWords } from './workrail-texts.js';

/**
 * What an author asks for in an artifact, as an example of it: an object that stands in the text, else the fields that are
 * listed or named where the text speaks of the artifact. Undefined where no field is named.
 */
export function authoredExample(kind: string, texts: readonly string[]): JsonObject | undefined {
  for (const text of texts) {
    const written = objectOfKind(text, kind);
    if (written !== undefined) return written;
  }
  const fields = Object.fromEntries(texts.flatMap((text) => [...listedFields(text, kind), ...namedFields(text, kind)]));
  return Object.keys(fields).length === 0 ? undefined : { kind, ...fields };
}

/** So many places that look like an artifact are read; an author shows one or two. */
const places = 4;

function objectOfKind(text: string, kind: string): JsonObject | undefined {
  const found = Array.from(text.matchAll(/\bkind["']?\s*:\s*["'`]([\w.]+)["'`]/gu)).filter(([, name]) => name === kind);
  for (const { index } of found.slice(0, places)) {
    const from = openingBefore(text, index);
    const end = from < 0 ? -1 : closingAfter(text, from);
    const value = end < 0 ? undefined : looseJson(text.slice(from, end + 1));
    if (value !== undefined) return { ...value, kind };
  }
  return undefined;
}

function openingBefore(text: string, at: number): number {
  let open = 0;
  for (let before = at - 1; before >= 0; before -= 1) {
    if (text[before] === '}') open += 1;
    else if (text[before] === '{') {
      if (open === 0) return before;
      open -= 1;
    }
  }
  return -1;
}

function closingAfter(text: string, from: number): number {
  let open = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '{') open += 1;
    else if (text[at] === '}') {
      open -= 1;
      if (open === 0) return at;
    }
  }
  return -1;
}

const inQuotes = /"(?:[^"\\\n]|\\.)*"/u.source;
const choices = new RegExp(`<?${inQuotes}(?:\\s*\\|\\s*(?:${inQuotes}|[\\w.]+))+>?`, 'gu');

/** Values of which one is meant: to show one alone would be to choose it. */
const oneOf = (values: Iterable<string>): string => [...values].join(' | ');

/** JSON as people write it where it is only to be read. */
function looseJson(text: string): JsonObject | undefined {
  const chosen = (of: string): string =>
    of.replaceAll(choices, (found) =>
      JSON.stringify(oneOf(Array.from(found.matchAll(/[^"|<>\s][^"|<>]*/gu), ([one]) => one.trim()))),
    );
  for (const attempt of [() => text, () => chosen(text), () => chosen(quoted(text))])
    try {
      const made = attempt();
      const value: unknown = JSON.parse(jsonWithComments(made) ?? made);
      if (isJsonValue(value) && isJsonObject(value)) return value;
    } catch {
      // What is only like JSON shows no example.
    }
  return undefined;
}

/** With double quotes around its keys and its words. */
function quoted(text: string): string {
  return text
    .replaceAll(/(?<![\w"])'([^'"\n]*)'(?!\w)/gu, '"$1"')
    .replaceAll(/([{,]\s*)([A-Za-z_]\w*)(?=\s*:)/gu, '$1"$2"')
    .replaceAll(
      /(:\s*)([A-Za-z_][\w.]*(?:\[\])?|<[^<>"\n]*>)(?=\s*(?:[,}\n|]))/gu,
      (whole: string, sign: string, word: string) =>
        ['true', 'false', 'null'].includes(word) ? whole : `${sign}"${word}"`,
    )
    .replaceAll(/\[\s*(?:\.{3}|…)\s*\]/gu, '[]');
}

type Field = readonly [name: string, example: JsonValue];

/** The list below a line that speaks of the artifact: a name with what the author says of it. */
function listedFields(text: string, kind: string): readonly Field[] {
  const found: Field[] = [];
  let within = false;
  for (const line of text.split('\n')) {
    const item =
      /^\s*(?:[-*]|\d+\.)\s+[*_`"']*([A-Za-z_]\w*)[*_`"']*\s*(?:\([^)]*\)\s*)?(?::|--?|–|—)[*_]*\s*(\S.*)$/u.exec(line);
    if (within && item) found.push([item[1]!, exampleOf(item[2]!)]);
    else if (/\S/u.test(line) && !/^\s*(?:[-*]|\d+\.)\s/u.test(line))
      within = /:\s*$/u.test(line) && (line.includes(kind) || /\bartifact\b/iu.test(line));
  }
  return found.filter(([name]) => name !== 'kind');
}

const value = /[`"']+[^`"'\n]+[`"']+|[\w.-]+/u.source;
const between = /\s*(?:,\s*or\b|,|\bor\b|\||\/)\s*/u.source;
const listOfValues = new RegExp(`^(?:${value})(?:${between}(?:${value}))*\\s*(?:$|[.;(–—])`, 'u');

/** The values that are listed, else the author's words. */
function exampleOf(said: string): string {
  const words = said.trim();
  const [listed] = listOfValues.exec(words) ?? [];
  return listed === undefined
    ? words
    : oneOf(
        Array.from(listed.matchAll(/[^`"',|/\s.;(–—][^`"',|/\s;(]*/gu), ([one]) => one).filter((one) => one !== 'or'),
      );
}

const named =
  /`([A-Za-z_]\w*)`(?:\s*(?:is|as|set to|to|one of|of|:|=|\()\s*(`[^`\n]+`(?:(?:\s*,\s*`[^`\n]+`)*\s*,?\s*(?:or|\||\/)\s*`[^`\n]+`)*))?/gu;

/** Names in a sentence about the artifact, each with the values that stand after it. */
function namedFields(text: string, kind: string): readonly Field[] {
  return text.split(/(?<=[.!?;])\s+|\n/u).flatMap((sentence) => {
    const at = sentence.indexOf(`\`${kind}\``);
    if (at < 0) return [];
    return Array.from(sentence.slice(at + kind.length + 2).matchAll(named), ([, name, values]): Field => [
      name!,
      values === undefined ? inWords(name!) : oneOf(Array.from(values.matchAll(/`([^`]+)`/gu), ([, one]) => one!)),
    ]);
  });
}
