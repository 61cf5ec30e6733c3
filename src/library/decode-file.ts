import { isUtf8 } from 'node:buffer';
import { sha256Hex } from '../base/digest.js';
import { limits } from '../base/limits.js';
import type { ReadFile } from './compile-files.js';
import type { Violation } from '../definitions/source/violation.js';
import type { FileContent } from './workflow-files.js';

/** The rule of what the system would not give: it may hold anything. */
const unreadFile = 'unread_file';

export const isUnread = ({ violations }: { readonly violations: readonly Violation[] }): boolean =>
  violations.some(({ rule }) => rule === unreadFile);

const utf8 = new TextDecoder();

/** A file's bytes as text, or why there is none. */
export function decodeFile(content: FileContent, label: string): ReadFile {
  const broken = (rule: string, message: string, digest = ''): ReadFile => ({
    digest,
    text: '',
    broken: { severity: 'error', rule, pointer: '', line: 1, column: 1, message },
  });
  if ('unreadable' in content)
    return broken(
      /^E[A-Z]+:/u.test(content.unreadable) ? unreadFile : 'file',
      `${label} cannot be read: ${content.unreadable}`,
    );
  if ('tooLarge' in content)
    return broken(
      'file_size',
      `${label} has ${content.tooLarge} bytes, but the limit is ${limits.workflowFile}: move parts of it into routines that it calls`,
    );
  const digest = sha256Hex(content.bytes);
  if (!isUtf8(content.bytes)) return broken('encoding', `${label} is not UTF-8 text: save it as UTF-8`, digest);
  return { digest, text: utf8.decode(content.bytes) };
}
