import { RE2JS } from 're2js';
import { err, ok, type Result } from '../base/result.js';
import { remembered } from './remembered.js';

export interface LinearPattern {
  /** Found anywhere in the text unless the pattern is anchored. */
  readonly test: (text: string) => boolean;
  /** The source: whoever keeps patterns by their text (ajv does) must be able to tell two apart. */
  readonly toString: () => string;
}

/**
 * Every regular expression an author writes goes through here. RE2 needs time linear in the text, so that no pattern
 * can hang the process; it has no look-around and no back-references, and says so.
 */
export const linearPattern: (source: string) => Result<LinearPattern, string> = remembered((source) => {
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
    return ok({ test: (text) => compiled.matcher(text).find(), toString: () => source });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return err(`not a regular expression that can be matched in linear time (${reason.replace(/^error parsing regexp: /u, '')})`);
  }
});
