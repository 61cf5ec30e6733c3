import { byteLength } from '../../base/byte-budget.js';
import { limits } from '../../base/limits.js';
import { oncePerObject } from '../../base/once-per-object.js';
import type { Rule } from '../compiled/compiled-workflow.js';
import { JudgingWork, TooMuchWork } from './judging-work.js';
import { keepsRules, lengthOf } from './notes-rules.js';
import { patternExample } from './pattern-example.js';

/** What notes look like where nothing more is asked of them. */
export const plainNotes = 'Done: what happened, in a few lines. Next: what follows.';

/**
 * Notes that keep all of the rules, so that whoever writes them has something to go by. Found by writing what the rules
 * name and trying it against them; undefined where nothing that was tried keeps them all.
 */
export const notesExample = oncePerObject((rules: readonly Rule[]) => findNotes(rules, new JudgingWork()));

const waysTried = 48;
/** Of the work there is: about as much as is looked at within a tenth of a second. */
const share = 1 / 4;

/** The same for rules that are looked at with others. What suffices here suffices where there is work for these alone. */
export function findNotes(rules: readonly Rule[], work: JudgingWork): string | undefined {
  return work.tryWith(share, (part) => {
    try {
      return search(rules, part);
    } catch (cause) {
      if (!(cause instanceof TooMuchWork)) throw cause;
      return undefined;
    }
  });
}

function search(rules: readonly Rule[], work: JudgingWork): string | undefined {
  const size = JSON.stringify(rules).length;
  for (const notes of candidates(rules, () => work.spend(size * 4))) {
    if (notes.trim() !== '' && byteLength(notes) <= limits.notes && keepsRules(rules, notes, work)) return notes;
    work.spend(notes.length + size / 4);
  }
  return undefined;
}

function* candidates(rules: readonly Rule[], begin: () => void): Generator<string> {
  yield plainNotes;
  yield* rules.flatMap(examplesIn);
  begin();
  for (const way of waysTo({ all: rules })) yield* written(way);
}

function examplesIn(rule: Rule): readonly string[] {
  const inner = 'all' in rule ? rule.all : 'any' in rule ? rule.any : [];
  return [...(rule.example === undefined ? [] : [rule.example]), ...inner.flatMap(examplesIn)];
}

/** One way of keeping rules: texts that stand in the notes, and how long they may be. */
interface Way {
  readonly pieces: readonly string[];
  readonly least: number;
  readonly most: number;
}

const free: Way = { pieces: [], least: 0, most: limits.notes };

function waysTo(rule: Rule): readonly Way[] {
  if ('contains' in rule) return [{ ...free, pieces: [rule.contains] }];
  if ('matches' in rule) {
    const text = rule.example ?? patternExample(rule.matches);
    return text === undefined ? [] : [{ ...free, pieces: [text] }];
  }
  if ('minLength' in rule) return [{ ...free, least: rule.minLength }];
  if ('maxLength' in rule) return [{ ...free, most: rule.maxLength }];
  if ('all' in rule) return rule.all.reduce<readonly Way[]>((ways, part) => together(ways, waysTo(part)), [free]);
  if ('any' in rule) return rule.any.flatMap(waysTo).slice(0, waysTried);
  return waysAround(rule.not);
}

/** Of not keeping a rule. What must not stand there is left to the trial. */
function waysAround(rule: Rule): readonly Way[] {
  if ('minLength' in rule) return [{ ...free, most: rule.minLength - 1 }];
  if ('maxLength' in rule) return [{ ...free, least: rule.maxLength + 1 }];
  if ('all' in rule) return rule.all.flatMap(waysAround).slice(0, waysTried);
  if ('any' in rule) return rule.any.reduce<readonly Way[]>((ways, part) => together(ways, waysAround(part)), [free]);
  return 'not' in rule ? waysTo(rule.not) : [free];
}

function together(some: readonly Way[], others: readonly Way[]): readonly Way[] {
  return some
    .flatMap((a) =>
      others.map((b): Way => ({
        pieces: [...a.pieces, ...b.pieces],
        least: Math.max(a.least, b.least),
        most: Math.min(a.most, b.most),
      })),
    )
    .filter(({ least, most }) => least <= most)
    .slice(0, waysTried);
}

/** A pattern may want its text first, last or alone, and have an opinion of what fills up the rest. */
function* written({ pieces, least, most }: Way): Generator<string> {
  const needed = [...new Set(pieces)].filter(
    (piece, _, all) => !all.some((other) => other.length > piece.length && other.includes(piece)),
  );
  const orders = [
    needed,
    needed.toReversed(),
    ...needed.slice(0, 3).map((piece) => [...needed.filter((one) => one !== piece), piece]),
  ];
  for (const order of orders)
    for (const lead of leads)
      for (const texts of lead === ''
        ? [order]
        : [
            [lead, ...order],
            [...order, lead],
          ])
        yield* fitted(texts, order, { pieces, least, most });
}

function* fitted(texts: readonly string[], order: readonly string[], { least, most }: Way): Generator<string> {
  const text = texts.join('\n');
  const lacking = least - lengthOf(text);
  if (lengthOf(text) <= most && lacking <= 0) yield text;
  // Nothing has to stand there, so that it may be cut.
  if (lengthOf(text) > most && order.length === 0) yield letters(text).slice(0, most).join('');
  if (lacking <= 0) return;
  for (const filler of fillers(text, order)) {
    const more = filled(filler, lacking);
    yield* [
      text + more,
      more + text,
      letters([texts[0], more, ...texts.slice(1)].join('\n'))
        .slice(0, most)
        .join(''),
    ];
  }
}

const leads = [plainNotes, 'What was seen, and what comes of it.', 'x', ''];

const fillers = (text: string, order: readonly string[]): readonly string[] =>
  [...new Set([' and more', 'x', order[0] ?? '', text.slice(-1)])].filter((filler) => filler !== '');

function filled(filler: string, characters: number): string {
  return letters(filler.repeat(Math.ceil(characters / lengthOf(filler))))
    .slice(0, characters)
    .join('');
}

const letters = (text: string): readonly string[] => Array.from(text);
