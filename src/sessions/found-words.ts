import { firstWords } from '../base/byte-budget.js';
import type { NodeId } from '../base/ids.js';
import { limits } from '../base/limits.js';
import { compareEvents } from '../events/event.js';
import { type AskedWords, askedWords } from './asked-words.js';
import type { FoldedSession, RunNode } from './folded-session.js';
import type { Candidate } from './rank-sessions.js';
import { bitsIn } from './ranking-facts.js';
import { isIn, type Scale, sumOf } from './score-words.js';
import { everythingIn, type SaidAt } from './searchable-text.js';

/** What was recorded with words that were asked for, quoted around the first of them. */
export interface Quote {
  readonly where: string;
  readonly words: readonly string[];
  readonly quote: string;
}

/** And where it can be read. */
export interface PlacedQuote extends Quote {
  /** Absent for what lies beside the runs. */
  readonly stepNode: NodeId | undefined;
}

interface Said extends SaidAt {
  readonly bits: number;
}

export interface FoundWords {
  /** Of words that `shown` does not show. */
  readonly quotes: readonly Quote[];
  /** A tip of the run on whose way there is more of what was asked for than on the way to the one that is told. */
  readonly closer: { readonly tip: RunNode; readonly words: readonly string[] } | undefined;
}

const quotesTold = 3;
const quoteBytes = 160;
const before = 50;
/** So many places of a text are weighed against each other. */
const hitsWeighed = 200;

/** Where in a place the words stand that were asked for. */
export function foundWords(candidate: Candidate, query: string, scale: Scale, shown: string): FoundWords {
  const asked = askedWords(query);
  const said = saidWith(candidate, asked);
  return {
    quotes: quotesOf(said, asked, scale.worth, bitsIn(shown, asked)).map(({ stepNode: _stepNode, ...quote }) => quote),
    closer: closerTip(candidate, said, asked, scale),
  };
}

/** The same for who only looks at one place: each word counts alike, and nothing is shown yet. */
export function quotesWith(candidate: Candidate, query: string): readonly PlacedQuote[] {
  const asked = askedWords(query);
  const worth = asked.terms.map(({ isLight }) => Number(!isLight));
  return quotesOf(saidWith(candidate, asked), asked, worth, 0);
}

/** The texts that have any of the words, as far as a search looks. */
function saidWith({ session, run }: Candidate, asked: AskedWords): readonly Said[] {
  const found: Said[] = [];
  let room: number = limits.searchDeep;
  for (const one of asked.terms.length === 0 ? [] : everythingIn(session, run)) {
    const bits = bitsIn(one.text, asked);
    if (bits !== 0) found.push({ ...one, bits });
    room -= one.text.length;
    if (room <= 0) break;
  }
  return found;
}

/** The newest of those that together have the most of what is not shown yet. */
function quotesOf(
  said: readonly Said[],
  asked: AskedWords,
  worth: Scale['worth'],
  shown: number,
): readonly PlacedQuote[] {
  const quotes: PlacedQuote[] = [];
  const known = new Set(asked.terms.filter((term) => isIn(shown, term)));
  while (quotes.length < quotesTold) {
    const left = asked.terms.map((term, at) => (known.has(term) ? 0 : worth[at]!));
    let [most, best]: [number, Said | undefined] = [0, undefined];
    for (const one of said) {
      const sum = sumOf(one.bits, asked.terms, left);
      if (sum >= most && sum > 0) [most, best] = [sum, one];
    }
    if (best === undefined) break;
    const { bits, text, where, node, stepNode = node?.id } = best;
    const terms = asked.terms.filter((term, at) => left[at]! > 0 && isIn(bits, term));
    for (const term of terms) known.add(term);
    const sought = terms.reduce((all, { words }) => all | words, 0);
    quotes.push({ where, words: terms.map((term) => term.text), quote: around(text, sought, asked), stepNode });
  }
  return quotes;
}

/** The text where the most of the words stand close to each other, the first such place of several. */
function around(text: string, sought: number, asked: AskedWords): string {
  const hits: { readonly index: number; readonly bits: number }[] = [];
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    const bits = bitsIn(word, asked) & sought;
    if (bits !== 0) hits.push({ index, bits });
    if (hits.length >= hitsWeighed) break;
  }
  let [most, best]: [number, number | undefined] = [0, undefined];
  hits.forEach(({ index }, at) => {
    let near = 0;
    for (const hit of hits.slice(at)) {
      if (hit.index > index + quoteBytes - 2 * before) break;
      near |= hit.bits;
    }
    const count = bitCount(near);
    if (count > most) [most, best] = [count, index];
  });
  if (best === undefined) return firstWords(text, quoteBytes);
  const space = text.lastIndexOf(' ', Math.max(0, best - before));
  const from = best <= before ? 0 : space < 0 || best - space > 2 * before ? best : space + 1;
  return firstWords(`${from === 0 ? '' : '… '}${text.slice(from, from + 4 * quoteBytes)}`, quoteBytes);
}

const bitCount = (bits: number): number => bits.toString(2).replaceAll('0', '').length;

function closerTip(
  { session, run, tip }: Candidate,
  said: readonly Said[],
  { terms }: AskedWords,
  { worth }: Scale,
): FoundWords['closer'] {
  if (run === undefined || tip === undefined || run.tips.size < 2) return undefined;
  const bitsAt = new Map<NodeId, number>();
  for (const { node, bits } of said) if (node !== undefined) bitsAt.set(node.id, (bitsAt.get(node.id) ?? 0) | bits);
  const bitsTo = onTheWay(session, bitsAt);
  let [most, closest]: [number, RunNode] = [sumOf(bitsTo(tip), terms, worth), tip];
  for (const id of run.tips) {
    const other = session.nodes.get(id);
    if (other?.whole !== true) continue;
    const sum = sumOf(bitsTo(other), terms, worth);
    const isNewer = closest !== tip && sum === most && compareEvents(other.touched, closest.touched) > 0;
    if (sum > most || isNewer) [most, closest] = [sum, other];
  }
  if (closest === tip) return undefined;
  const [there, here] = [bitsTo(closest), bitsTo(tip)];
  const words = terms.filter((term) => !term.isLight && isIn(there, term) && !isIn(here, term));
  return { tip: closest, words: words.map(({ text }) => text) };
}

/** What stands on the way to a node; ways that part late are walked once. */
function onTheWay(session: FoldedSession, bitsAt: ReadonlyMap<NodeId, number>): (node: RunNode) => number {
  const known = new Map<NodeId, number>();
  return (from) => {
    const way: NodeId[] = [];
    let bits = 0;
    for (let node: RunNode | undefined = from; node !== undefined;) {
      const above = known.get(node.id);
      if (above !== undefined) {
        bits = above;
        break;
      }
      way.push(node.id);
      node = node.parent === undefined ? undefined : session.nodes.get(node.parent);
    }
    for (const id of way.toReversed()) {
      bits |= bitsAt.get(id) ?? 0;
      known.set(id, bits);
    }
    return bits;
  };
}
