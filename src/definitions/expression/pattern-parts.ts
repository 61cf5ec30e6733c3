import { limits } from '../../base/limits.js';

/** What making a program of one part costs, in what is counted while values are judged. */
const workOfPart = 30;

/** As far as it is made at all. */
export const workOfPattern = (source: string): number =>
  workOfPart * Math.min(patternParts(source), limits.patternWritten);

/**
 * About how many instructions a regular expression becomes with its repetitions written out: told from its text, since
 * writing them out is what takes long. Whether it is a right one is for the compiler to say.
 */
export function patternParts(source: string): number {
  /** Of each group that is open what stood before it. */
  const around: number[] = [];
  let sum = 0;
  let last = 0;
  for (let at = 0; at < source.length;) {
    const [token] = matchAt(atom, source, at) ?? [source[at]!];
    at += token.length;
    const times = timesOf(token);
    if (times !== undefined) {
      sum += last * (times - 1) + 1;
      last *= times;
    } else if (token.startsWith('(')) {
      around.push(sum);
      sum = 2;
    } else if (token === ')') {
      last = sum;
      sum += around.pop() ?? 0;
    } else {
      last = token.startsWith('\\Q') ? token.slice(2).replace(/\\E$/u, '').length : 1;
      sum += last;
    }
  }
  return around.reduce((total, before) => total + before, sum);
}

export const escapePattern =
  /\\(?:[pP](?:\{\^?\w+\}|\w)|x(?:\{[0-9a-fA-F]+\}|[0-9a-fA-F]{2})|u(?:\{[0-9a-fA-F]+\}|[0-9a-fA-F]{4})|[\s\S])/uy;
export const classPattern = /\[\^?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\]/uy;

/** A text taken as it stands, an escape, a class, the head of a group, a repetition; anything else is one character. */
const atom = new RegExp(
  [
    /\\Q[\s\S]*?(?:\\E|$)/u,
    escapePattern,
    classPattern,
    /\((?:\?(?:P?<\w+>|[a-zA-Z-]*:?))?/u,
    /\{\d+(?:,\d*)?\}/u,
    /[\s\S]/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'uy',
);

function matchAt(what: RegExp, source: string, at: number): RegExpExecArray | undefined {
  what.lastIndex = at;
  return what.exec(source) ?? undefined;
}

function timesOf(token: string): number | undefined {
  if (token === '*' || token === '+' || token === '?') return 1;
  const [, least, most] = /^\{(\d+)(?:,(\d*))?\}$/u.exec(token) ?? [];
  if (least === undefined) return undefined;
  // An open end repeats the last of them.
  return most === undefined ? Number(least) : Math.max(Number(least), most === '' ? 1 : Number(most));
}
