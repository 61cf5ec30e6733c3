import { escapePattern } from '../../base/escape-pattern.js';

/** Words by which an author says that a key is to be handed back. `reset` and `reclassify` count like `set` and `classify`. */
const verbs = [
  'set(?:s|ting)?(?! of\\b)',
  'updat(?:e|es|ing)',
  'captur(?:e|es|ing)',
  'record(?:s|ing)?(?! of\\b)',
  'stor(?:e|es|ing)',
  'sav(?:e|es|ing)',
  'initiali[sz](?:e|es|ing)',
  'init',
  'increment(?:s|ing)?',
  'decrement(?:s|ing)?',
  'increas(?:e|es|ing)',
  'decreas(?:e|es|ing)',
  'classif(?:y|ies|ying)',
  'comput(?:e|es|ing)',
  'calculat(?:e|es|ing)',
  'assign(?:s|ing)?',
  'adjust(?:s|ing)?',
  'mark(?:s|ing)?',
  'defin(?:e|es|ing)',
  'establish(?:es|ing)?',
  'append(?:s|ing)?',
  'cap',
  'choos(?:e|es|ing)',
  'select(?:s|ing)?',
  'determin(?:e|es|ing)',
  'persist(?:s|ing)?',
].join('|');
const setting = new RegExp(`(?<![\\w-])(?:re-?)?(?:${verbs})(?![\\w-])`, 'giu');
/** What comes after these is read, and not set. */
const readAfter =
  /\b(?:if|when|where|whenever|unless|while|whether|based on|depend(?:s|ing) on|from|using|because|since|until|after|before|against|per|than|according to|given|so that|as long as|for each)\b/iu;
const isSet =
  /^[^.;:!?]{0,80}?\b(?:is|are|be|been)\s+(?:\w+\s+){0,2}?(?:set|captured|recorded|updated|stored|initiali[sz]ed|classified|computed|defined)\b/iu;
const negated = /\b(?:not|never|don't|without)\s+(?:\w+\s+)?$/iu;
const bullet = /^\s*(?:[-*•]|\d+[.)])\s+/u;

/** Which of some keys a step's texts name as to be set or updated. */
export function keysToSet(texts: readonly string[], keys: Iterable<string>): readonly string[] {
  const clauses = texts.flatMap(clausesOf);
  return [...keys].filter((key) =>
    clauses.some(
      (clause) =>
        clause.text.includes(key) &&
        Array.from(clause.text.matchAll(asWord(key))).some(({ index }) => names(clause, key, index)),
    ),
  );
}

/** Which of some keys a step's texts speak of in any way. */
export function keysMentioned(texts: readonly string[], keys: readonly string[]): readonly string[] {
  return keys.filter((key) => texts.some((text) => text.includes(key) && asWord(key).test(text)));
}

/** Where a hole prints a key, the text does not speak of it. */
const asWord = (key: string): RegExp =>
  new RegExp(`(?<![\\w.$\\-/])${escapePattern(key)}(?![\\w(\\-/])(?!\\.\\w)`, 'gu');

interface Clause {
  readonly text: string;
  /** The line that a list of keys stands under says that they are to be set. */
  readonly listed: boolean;
}

/** Of what is to be handed back, the block that says so. */
const contextBlock = /^\s*[-*•]\s+\*\*context\*\*:\s*/iu;

/** Sentences; entries of a list with what is said above them, be it by an entry of the list around. */
function clausesOf(text: string): readonly Clause[] {
  const clauses: Clause[] = [];
  // How far the entries stand in that are listed as keys to set.
  let listedFrom = Infinity;
  for (const written of text.split('\n')) {
    const line = written.replace(contextBlock, 'Set in the context: ');
    const depth = bullet.test(line) ? line.search(/\S/u) : -1;
    const isListed = depth >= listedFrom;
    if (line.trim() !== '' && !isListed) listedFrom = isHeading(line, depth >= 0) ? depth + 1 : Infinity;
    const said = line.replace(bullet, '').split(/(?<=[.!?;])\s+/u);
    clauses.push(...said.map((sentence, at) => ({ text: sentence, listed: isListed && at === 0 })));
  }
  return clauses;
}

const isHeading = (line: string, isEntry: boolean): boolean =>
  lastSetting(line) !== undefined &&
  (/:\**\s*$/u.test(line) || (!isEntry && /\b(?:keys|variables)\b[^.]*$/iu.test(line)));

function names({ text, listed }: Clause, key: string, index: number): boolean {
  const [before, after] = [text.slice(0, index), text.slice(index + key.length)];
  // A word that anybody may use is a key where it is marked as one.
  const isMarked =
    /[A-Z_\d]/u.test(key) ||
    (/[`'"]$/u.test(before) && /^[`'"=]/u.test(after)) ||
    /^\s*:?=(?!=)/u.test(after) ||
    /\b(?:variables?|counters?|context)\b/iu.test(text);
  if (!isMarked && !listed) return false;
  if (listed && !/[:=(—–]| - |\w\s+\w/u.test(before)) return true;
  if (!readAfter.test(before) && isSet.test(after.replaceAll(/[`'"]/gu, ''))) return true;
  const verb = lastSetting(before);
  return verb !== undefined && !readAfter.test(before.slice(verb).replaceAll(/\([^()]*\)/gu, ''));
}

/** Where the last of the words that set something stands, unless it is what is not to be done. */
function lastSetting(text: string): number | undefined {
  const last = Array.from(text.matchAll(setting)).at(-1);
  if (last === undefined) return undefined;
  const before = text.slice(0, last.index);
  // Before selecting a list there is none to be handed back.
  const isAside = last[0].endsWith('ing') && /\b(?:before|after|when|while|without|by|instead of)\s+$/iu.test(before);
  return isAside || negated.test(before) ? undefined : last.index;
}
