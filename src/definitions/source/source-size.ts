import { Lexer } from 'yaml';
import { byteLength } from '../../base/byte-budget.js';
import { limits } from '../../base/limits.js';
import type { Violation } from './violation.js';

const base = { severity: 'error', rule: 'file_size', pointer: '', line: 1, column: 1 } as const;
const remedy = 'move parts of it into routines that it calls';

/** Why a file is more than is worth reading. */
export function bytesProblem(text: string, file: string): Violation | undefined {
  const bytes = byteLength(text);
  if (bytes <= limits.workflowFile) return undefined;
  return {
    ...base,
    message: `${file} has ${bytes} bytes; at most ${limits.workflowFile} are allowed: ${remedy}`,
    expected: `at most ${limits.workflowFile} bytes`,
    actual: `${bytes} bytes`,
  };
}

/** The same of YAML, whose parser takes some thousand times longer for a sign than for a letter of a text. */
export function signsProblem(text: string, file: string): Violation | undefined {
  // It cannot have more signs than letters.
  const offset = text.length <= limits.sourceSigns ? undefined : offsetOfSign(text, limits.sourceSigns);
  if (offset === undefined) return undefined;
  const before = text.slice(0, offset).split('\n');
  return {
    ...base,
    line: before.length,
    column: (before.at(-1)?.length ?? 0) + 1,
    message: `up to here ${file} has ${limits.sourceSigns} keys, values and signs between them; no more are allowed: ${remedy}`,
  };
}

/** Signs that the lexer puts in, and which stand in no file. */
const inserted = new Set(['\u0002', '\u0018', '\u001F']);
const wrongEscapes = /\\[^0abefnrtvxuUNLP_ "/\\\t\r\n]/gu;

/** Where the sign of that number stands; a wrong escape in a text counts for one, as it costs as much. */
function offsetOfSign(text: string, number: number): number | undefined {
  let count = 0;
  let offset = 0;
  for (const token of new Lexer().lex(text)) {
    if (!inserted.has(token)) offset += token.length;
    count += token.startsWith('"') ? 1 + (token.match(wrongEscapes)?.length ?? 0) : 1;
    if (count >= number) return offset;
  }
  return undefined;
}
