import { closestNames } from '../base/closest-name.js';
import { limits } from '../base/limits.js';
import { alikeWords, askedAction, isAction, spelledOutWords } from './alike-words.js';
import type { OperationEntry } from './openapi-catalog.js';
import { operationWords } from './operation-words.js';

export interface SearchableCatalog {
  readonly id: string;
  readonly title: string;
  readonly operations: readonly OperationEntry[];
}

export interface FoundOperation {
  readonly catalog: string;
  readonly operation: OperationEntry;
  /** Whether it has most of what was asked for, rather than one of the words. */
  readonly fits: boolean;
}

export interface OperationFilter {
  readonly catalog?: string | undefined;
  readonly safety?: OperationEntry['safety'] | undefined;
}

/** The operations of many catalogs, taken apart once and searched as often as somebody asks. */
export interface OperationSearch {
  /** The closest first; without words, all in their order. */
  find(query: string, filter?: OperationFilter): readonly FoundOperation[];
}

/** How much a word is worth by where it stands. What the method says without words comes with the names. */
const weights = { id: 3, summary: 3, path: 2, tags: 1, verb: 0.7, catalog: 0.7, description: 0.5 };
type Field = keyof typeof weights;

/** A word that stands often is not worth as many times more, and one in a long text is worth less. */
const saturation = 1.2;
const lengthShare = 0.6;
const alikeWorth = 0.75;
const guessWorth = 0.5;
/** A shorter word that is nowhere is another word, and no slip of the hand. */
const minGuess = 4;

interface Posting {
  readonly at: number;
  readonly weight: number;
}

type Postings = ReadonlyMap<string, readonly Posting[]>;

export function searchOperations(catalogs: readonly SearchableCatalog[]): OperationSearch {
  const all = catalogs.flatMap(({ id, operations }) => operations.map((operation) => ({ catalog: id, operation })));
  const words = catalogs.flatMap((catalog) => {
    const names = operationWords(`${catalog.id} ${catalog.title}`);
    return catalog.operations.map((operation) => fieldsOf(operation, names));
  });
  const postings = postingsOf(words);
  const names = words.map(({ id, summary, path }) => [new Set(id.length > 0 ? id : path), new Set(summary)] as const);
  const actions = names.map((both) => both.flatMap((one) => [...one].filter(isAction)));
  return {
    find: (query, { catalog, safety } = {}) => {
      const isWanted = (at: number): boolean => {
        const found = all[at]!;
        return (
          (catalog === undefined || found.catalog === catalog) &&
          (safety === undefined || found.operation.safety === safety)
        );
      };
      const asked = askedWords(query);
      if (asked.length === 0) return all.flatMap((one, at) => (isWanted(at) ? [{ ...one, fits: true }] : []));
      const named = query.trim();
      const { scores, shares } = scoresOf(asked, postings, names);
      const action = askedAction(query);
      if (action === undefined)
        for (const [at, { operation }] of all.entries()) scores[at]! *= unasked[operation.safety];
      else {
        const same = new Set([action.stem, ...alikeWords(action.stem)]);
        for (const [at, { operation }] of all.entries()) {
          if ((operation.safety === 'safe') === action.changes) scores[at]! *= otherIntent;
          else if (actions[at]!.length > 0 && !actions[at]!.some((stem) => same.has(stem))) scores[at]! *= otherAction;
        }
      }
      for (const [at, { operation }] of all.entries())
        if (operation.id === named || `${operation.method} ${operation.path}` === named) {
          scores[at] = Infinity;
          shares[at] = 1;
        }
      const ranked = [...scores.keys()]
        .filter((at) => scores[at]! > 0 && isWanted(at))
        .toSorted((one, other) => scores[other]! - scores[one]! || one - other);
      return spread(ranked, scores, (at) => all[at]!.catalog).map((at) => ({
        ...all[at]!,
        fits: shares[at]! >= fitting,
      }));
    },
  };
}

/**
 * Several APIs have what is asked for in few words, such as a deployment. Behind the closest two come the closest of each
 * other catalog, where they are nearly as close.
 */
function spread(ranked: readonly number[], scores: Float64Array, catalogOf: (at: number) => string): readonly number[] {
  const [first] = ranked;
  if (first === undefined) return ranked;
  const seen = new Set(ranked.slice(0, ahead).map(catalogOf));
  const others: number[] = [];
  for (const at of ranked.slice(ahead)) {
    if (others.length >= mostOthers || scores[at]! < scores[first]! * nearly) break;
    if (seen.has(catalogOf(at))) continue;
    seen.add(catalogOf(at));
    others.push(at);
  }
  if (others.length === 0) return ranked;
  const moved = new Set(others);
  return [...ranked.slice(0, ahead), ...others, ...ranked.slice(ahead).filter((at) => !moved.has(at))];
}

const ahead = 2;
const mostOthers = 2;
const nearly = 0.7;

function fieldsOf(operation: OperationEntry, catalog: readonly string[]): Readonly<Record<Field, readonly string[]>> {
  const { id, method, path, summary, description, tags } = operation;
  return {
    id: id === `${method} ${path}` ? [] : operationWords(id),
    summary: operationWords(summary),
    path: operationWords(path),
    tags: operationWords(tags.join(' ')),
    description: operationWords(description),
    verb: operationWords(verbsOf(operation)),
    catalog,
  };
}

/** What a method does where nothing else says it. */
function verbsOf({ method, path }: OperationEntry): string {
  switch (method) {
    case 'GET':
      return path.replace(/#.*$/su, '').endsWith('}') ? 'get' : 'list get';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update set';
    case 'PATCH':
      return 'update';
    case 'DELETE':
      return 'delete';
    default:
      return '';
  }
}

function postingsOf(all: readonly Readonly<Record<Field, readonly string[]>>[]): Postings {
  const fields = Object.keys(weights) as Field[];
  const usual = new Map(
    fields.map((field) => [field, all.reduce((sum, one) => sum + one[field].length, 0) / Math.max(1, all.length) || 1]),
  );
  const postings = new Map<string, Posting[]>();
  for (const [at, one] of all.entries()) {
    const sums = new Map<string, number>();
    for (const field of fields) {
      const share = weights[field] / (1 - lengthShare + (lengthShare * one[field].length) / usual.get(field)!);
      for (const word of one[field]) sums.set(word, (sums.get(word) ?? 0) + share);
    }
    for (const [word, sum] of sums) {
      const posting = { at, weight: sum / (saturation + sum) };
      const known = postings.get(word);
      if (known === undefined) postings.set(word, [posting]);
      else known.push(posting);
    }
  }
  return postings;
}

/** How much of the words, each by how few have it, an operation has that fits. */
const fitting = 0.6;

/** What is asked for by a verb that changes something is less likely one that only reads, and the other way round. */
const otherIntent = 0.75;

/** What does another thing than the verb says is less likely too: `cancel-workflow-run`, where one is to be started. */
const otherAction = 0.75;

/** Where nobody said what to do, what reads comes before what changes something, and what deletes after both. */
const unasked = { safe: 1, idempotent: 0.92, mutating: 0.92, destructive: 0.7 };

const askedWords = (query: string): readonly string[] =>
  [
    ...new Set(
      operationWords(query.slice(0, limits.query).replace(/\bwho am i\b/iu, 'whoami')).flatMap(spelledOutWords),
    ),
  ].slice(0, limits.searchWords);

type Names = readonly (readonly [id: ReadonlySet<string>, summary: ReadonlySet<string>])[];

function scoresOf(
  asked: readonly string[],
  postings: Postings,
  names: Names,
): { readonly scores: Float64Array; readonly shares: Float64Array } {
  const scores = new Float64Array(names.length);
  const shares = new Float64Array(names.length);
  let whole = 0;
  const forms = asked.map((word) => formsOf(word, postings));
  for (const form of forms) {
    const best = new Float64Array(names.length);
    let having = 0;
    for (const [word, worth] of form)
      for (const { at, weight } of postings.get(word)!) {
        if (best[at] === 0) having += 1;
        best[at] = Math.max(best[at]!, worth * weight);
      }
    // What few have tells more; a word that is nowhere tells nothing.
    const rarity = Math.log(1 + (names.length - having + 0.5) / (having + 0.5));
    whole += rarity;
    if (having === 0) continue;
    for (const [at, value] of best.entries()) {
      if (value === 0) continue;
      scores[at]! += rarity * value;
      shares[at]! += rarity;
    }
  }
  const known = new Set(forms.flatMap((form) => [...form.keys()]));
  for (const [at, score] of scores.entries())
    if (score > 0) scores[at] = score * (1 + closeness(names[at]!, known) / 2);
  return { scores, shares: shares.map((share) => share / whole) };
}

/** Which words of the operations count as one that was asked for, and how much. */
function formsOf(word: string, postings: Postings): ReadonlyMap<string, number> {
  const forms = new Map<string, number>();
  for (const alike of alikeWords(word)) if (postings.has(alike)) forms.set(alike, alikeWorth);
  if (postings.has(word)) forms.set(word, 1);
  if (forms.size > 0 || word.length < minGuess) return forms;
  const begun = [...postings.keys()].filter((known) => known.startsWith(word));
  for (const guess of begun.length > 0 || word.length === minGuess ? begun : closestNames(word, postings.keys()))
    forms.set(guess, guessWorth);
  return forms;
}

/** How much of what an operation is called was asked for: the plain operation comes before its special cases. */
function closeness([id, summary]: Names[number], known: ReadonlySet<string>): number {
  const share = (words: ReadonlySet<string>): number => {
    let count = 0;
    for (const word of words) if (known.has(word)) count += 1;
    return words.size === 0 ? 0 : count / words.size;
  };
  return Math.max(share(id), share(summary));
}
