import { RE2JS } from 're2js';
import { limits } from '../../base/limits.js';
import { err, ok, type Result } from '../../base/result.js';
import { memoize } from './memoize.js';
import { patternParts } from './pattern-parts.js';

export interface LinearPattern {
  /** Found anywhere in the text unless the pattern is anchored. */
  readonly test: (text: string) => boolean;
  /** How much is done for each character, at worst. */
  readonly size: number;
  /** The source: whoever keeps patterns by their text (ajv does) must be able to tell two apart. */
  readonly toString: () => string;
}

/**
 * Every regular expression an author writes goes through here. RE2 needs time linear in the text, so that no pattern
 * can hang the process; it has no look-around and no back-references, and says so.
 */
export const linearPattern: (source: string) => Result<LinearPattern, string> = memoize((source) => {
  if (patternParts(source) > limits.patternWritten) return err(tooLarge(`more than ${limits.patternWritten}`));
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
    const size = compiled.programSize();
    if (size > limits.patternSize) return err(tooLarge(size));
    return ok({ size, test: (text) => compiled.matcher(text).find(), toString: () => source });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return err(
      `not a regular expression that can be matched in linear time (${reason.replace(/^error parsing regexp: /u, '')})`,
    );
  }
});

const tooLarge = (parts: number | string): string =>
  `too large: with its repetitions written out it has ${parts} parts, of at most ${limits.patternSize}`;
