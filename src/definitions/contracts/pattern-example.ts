import { limits } from '../../base/limits.js';
import { linearPattern } from '../expression/linear-pattern.js';
import { memoize } from '../expression/memoize.js';
import { classPattern, escapePattern, workOfPattern } from '../expression/pattern-parts.js';
import type { JudgingWork } from './judging-work.js';

/**
 * A short text in which a pattern is found, or undefined where none is. Made by writing out what the pattern says, and tried
 * against the pattern itself: what is returned matches, however little of the syntax was understood.
 */
export function patternExample(source: string, work?: JudgingWork): string | undefined {
  const { text, tried } = written(source);
  work?.spend(tried * workOfTaste * workOfPattern(source));
  return text;
}

/** Beside making the pattern: each class is a pattern of its own, and tried against the letters there are. */
const workOfTaste = 3;

const written: (source: string) => { readonly text?: string; readonly tried: number } = memoize((source) => {
  const pattern = linearPattern(source);
  if (!pattern.ok) return { tried: 0 };
  for (const [index, taste] of tastes.entries()) {
    const text = new Writer(source, taste).written();
    if (text !== undefined && pattern.value.test(text)) return { text, tried: index + 1 };
  }
  return { tried: tastes.length };
});

/** What is chosen wherever a pattern leaves a choice: which characters first, how many, which alternative. */
interface Taste {
  readonly letters: string;
  readonly least: number;
  readonly alternative: number;
}

const tastes: readonly Taste[] = [0, 1].flatMap((least) =>
  ['a0A-_. /', ' a0A-', '-. 0aA'].flatMap((letters) =>
    [0, 1, 2].map((alternative) => ({ letters, least, alternative })),
  ),
);

/** For classes that hold none of the plain ones. */
const rarely = 'z9Z@#:,;!?&+*=<>()[]{}|"\'`~$%^\\\n\t\r\0éßñяж中あ한ابΩ€“…😀';

/** Reads a pattern once, and writes a text as it goes. Undefined once it cannot. */
class Writer {
  private at = 0;
  private failed = false;

  constructor(
    private readonly source: string,
    private readonly taste: Taste,
  ) {}

  written(): string | undefined {
    const text = this.alternatives();
    return this.failed || this.at < this.source.length ? undefined : text;
  }

  private alternatives(): string {
    const all = [this.sequence()];
    while (this.took('|')) all.push(this.sequence());
    return all[Math.min(this.taste.alternative, all.length - 1)]!;
  }

  private sequence(): string {
    let text = '';
    while (this.at < this.source.length && !this.failed && !'|)'.includes(this.source[this.at]!)) {
      const part = this.part();
      const times = this.times();
      if (text.length + part.length * times > limits.expression) this.failed = true;
      else text += part.repeat(times);
    }
    return text;
  }

  private part(): string {
    if (this.took('(')) return this.group();
    if (this.took('^') || this.took('$')) return '';
    const verbatim = this.match(/\\Q([\s\S]*?)(?:\\E|$)/uy);
    if (verbatim) return verbatim[1]!;
    if (this.match(/\\[bBAzZ]/uy)) return '';
    const one = this.match(classPattern) ?? this.match(escapePattern) ?? this.match(/[\s\S]/uy);
    return one === undefined ? '' : this.oneOf(one[0]);
  }

  private group(): string {
    // Flags change nothing of what is written: `i` takes it as it stands, and where the others would matter the trial tells.
    const opening = this.match(/\?(?:P?<\w+>|[a-zA-Z-]*(:|\)))/uy);
    if (opening?.[1] === ')') return '';
    const text = this.alternatives();
    if (!this.took(')')) this.failed = true;
    return text;
  }

  private times(): number {
    const found = this.match(/(?:([*+?])|\{(\d+)(?:,\d*)?\})\??/uy);
    if (!found) return 1;
    const least = found[1] === '+' ? 1 : Number(found[2] ?? 0);
    return found[1] === undefined ? least : Math.max(least, this.taste.least);
  }

  /** A character that a class, an escape or a letter stands for. */
  private oneOf(source: string): string {
    if (source.length === 1 && source !== '.') return source;
    const point = codePoint(source);
    if (point !== undefined) return String.fromCodePoint(point);
    const known = linearPattern(`^(?:${source})$`);
    const inside = [...source].flatMap((letter) => [
      letter,
      String.fromCodePoint(Math.min(letter.codePointAt(0)! + 1, 0x10ffff)),
    ]);
    const found = known.ok
      ? [...Array.from(this.taste.letters + rarely), ...inside].find((letter) => known.value.test(letter))
      : undefined;
    if (found === undefined) this.failed = true;
    return found ?? '';
  }

  private took(sign: string): boolean {
    if (this.source[this.at] !== sign) return false;
    this.at += 1;
    return true;
  }

  private match(what: RegExp): RegExpExecArray | undefined {
    what.lastIndex = this.at;
    const found = what.exec(this.source) ?? undefined;
    if (found) this.at = what.lastIndex;
    return found;
  }
}

function codePoint(source: string): number | undefined {
  const [, digits] = /^\\[xu]\{?([0-9a-fA-F]+)\}?$/u.exec(source) ?? [];
  const point = digits === undefined ? Number.NaN : Number.parseInt(digits, 16);
  return point <= 0x10ffff ? point : undefined;
}
