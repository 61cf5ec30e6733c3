import type { FindingTold } from '../../contract/session-story.js';
import { printable } from './printable.js';

const words: { readonly [level in FindingTold['level']]: string } = {
  torn: 'unfinished write',
  incomplete: 'lines missing',
  damage: 'damaged',
  newer: 'written by a newer WorkRail',
};

/** What is amiss with a file, and what to do, on one line. */
export function findingText({ level, file, line, byte, message, remedy }: FindingTold): string {
  const where = `${file}${line === undefined ? '' : ` line ${line}`}${byte === undefined ? '' : ` (byte ${byte})`}`;
  return printable(`${where}: ${words[level]}: ${message}; ${remedy}`);
}

/** Whether a session can be read and not written until something is put right. */
export const isReadOnly = (findings: readonly FindingTold[]): boolean =>
  findings.some(({ level }) => level === 'damage' || level === 'newer');
