import { closestName } from '../../base/closest-name.js';
import { isJsonObject, type JsonValue } from '../../base/json-value.js';
import { asTemplate } from '../expression/template.js';
import { has, type Part, textAt } from './workrail-part.js';
import { mark, snippetText, type Surroundings, worded } from './workrail-surroundings.js';
import { inWords } from './workrail-texts.js';
import { warning } from '../source/finding.js';

const sections = {
  goal: ['Goal', ''],
  constraints: ['Constraints', '-'],
  procedure: ['Procedure', '1.'],
  outputRequired: ['Output Required', '-'],
  verify: ['Verify', '-'],
} as const;
type Section = keyof typeof sections;

/** A prompt in blocks as one Markdown text, the blocks always in the same order, with what the features add. */
export function blocksPrompt(blocks: Part, id: string, around: Surroundings): string {
  const known = Object.keys(sections) as readonly Section[];
  const others = Object.keys(blocks.value).filter((key) => !known.includes(key as Section) && has(blocks, key));
  for (const key of others)
    blocks.say(
      warning(
        [...blocks.path, key],
        'unknown_key',
        `\`${key}\` is not one of the blocks ${known.join(', ')}; it comes after them, under its own name`,
        { of: 'key', actual: key, closest: closestName(key, known) },
      ),
    );
  const more = others.flatMap((key) => {
    const items = itemsOf(blocks, key, id, around);
    const text = typeof items === 'string' ? items : listed(items, '-');
    return text.trim() === '' ? [] : [`## ${asTemplate(inWords(key))}\n${text}`];
  });
  return [...known.flatMap((key) => knownBlock(blocks, key, id, around)), ...more].join('\n\n');
}

function knownBlock(blocks: Part, key: Section, id: string, around: Surroundings): readonly string[] {
  const own = itemsOf(blocks, key, id, around);
  const added = featureItems(key, id, around);
  const [heading, sign] = sections[key];
  // What the author wrote as one text stays one; what a feature adds to it is a list after it.
  const texts = typeof own === 'string' ? [own, listed(added, sign)] : [listed([...own, ...added], sign)];
  const text = texts.filter((some) => some !== '').join('\n\n');
  return text === '' ? [] : [`## ${heading}\n${text}`];
}

/** The author's lines stay as they are: who looks for them finds them. */
function listed(items: readonly string[], sign: '' | '-' | '1.'): string {
  const numbers = sign === '1.' && !items.some(isNumbered);
  return items
    .map((item, index) => (sign === '1.' && isNumbered(item) ? item : `${numbers ? `${index + 1}.` : '-'} ${item}`))
    .join('\n');
}

/** An author may have numbered the steps of a procedure. */
const isNumbered = (item: string): boolean => /^\s*\d+[.)]\s/u.test(item);

function itemsOf(blocks: Part, key: string, id: string, around: Surroundings): string | readonly string[] {
  if (!has(blocks, key)) return [];
  const value = blocks.value[key]!;
  const read = (item: JsonValue, at: Part['path']): string => blockText(item, { ...blocks, path: at }, key, id, around);
  const path = [...blocks.path, key];
  if (isJsonObject(value) && !isPiece(value))
    return Object.entries(value).map(([name, item]) => `**${asTemplate(name)}**: ${read(item, [...path, name])}`);
  // A list of pieces is one text where a text is asked for, and a list of texts elsewhere.
  if (!Array.isArray(value) || key === 'goal') return read(value, path);
  return (value as readonly JsonValue[]).map((item, index) => read(item, [...path, index]));
}

const isPiece = (value: JsonValue): boolean =>
  isJsonObject(value) && (Object.hasOwn(value, 'refId') || Object.hasOwn(value, 'text'));

function blockText(value: JsonValue, part: Part, key: string, id: string, around: Surroundings): string {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return worded(value.join('\n'), part, key, around);
  if (Array.isArray(value))
    return joined(
      (value as readonly JsonValue[]).map((item, index) =>
        blockText(item, { ...part, path: [...part.path, index] }, key, id, around),
      ),
    );
  if (isJsonObject(value) && isPiece(value)) {
    const piece: Part = { ...part, value };
    const ref = textAt(piece, 'refId');
    if (ref === undefined) return worded(textAt(piece, 'text') ?? '', piece, key, around);
    mark(around, id, 'prompt', `snippet ${ref}`);
    return snippetText(ref, part, [...part.path, 'refId']);
  }
  return worded(typeof value === 'string' ? value : JSON.stringify(value), part, key, around);
}

/** Pieces follow each other as they are written, but never run into each other. */
function joined(pieces: readonly string[]): string {
  return pieces.reduce(
    (text, piece) => (text === '' || /\s$/u.test(text) || /^\s/u.test(piece) ? text + piece : `${text} ${piece}`),
    '',
  );
}

/** How to go about it is guidance and stands with the step's own; see `promptFields`. */
function featureItems(key: Section, id: string, around: Surroundings): readonly string[] {
  if (key !== 'constraints' && key !== 'verify') return [];
  return around.book.features.flatMap((feature) => {
    if (feature[key].length > 0) mark(around, id, 'prompt', `feature ${feature.id}`);
    return feature[key];
  });
}
