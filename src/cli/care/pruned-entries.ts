import { commandWord } from '../../base/sentence.js';
import type { PruneEntry } from '../../contract/prune-answers.js';
import { byteWords } from '../print/byte-words.js';
import type { CliEnvironment } from '../print/cli-environment.js';
import { cutToColumns, displayWidth } from '../print/display-width.js';
import type { Page } from '../print/page.js';
import { printable } from '../print/printable.js';
import { whenFor } from '../print/print-story.js';

/** A session that goes, in one line: its last work, its size, what it is about. */
export function entryLine(environment: CliEnvironment, { sessionId, about, lastAt, bytes }: PruneEntry): string {
  const { stdoutIsTerminal, columns, style } = environment;
  if (!stdoutIsTerminal) return [sessionId, lastAt, String(bytes), about].map((text) => printable(text)).join('\t');
  const facts = `  ${whenFor(environment)(lastAt).padEnd(14)}${byteWords(bytes).padStart(9)}  `;
  const id = cutToColumns(printable(sessionId), 40);
  const room = columns - displayWidth(facts) - displayWidth(id) - 2;
  return `${style.dim(facts)}${id}${room > 8 && about !== sessionId ? `  ${cutToColumns(printable(about), room)}` : ''}`;
}

/** How one comes back from the trash; the others go the same way. */
export function printWayBack(
  page: Page,
  { folder, sessionId }: { readonly folder: string; readonly sessionId: string },
): void {
  page.shell(
    '  ',
    `mv ${commandWord(`${folder}/local/trash/${sessionId}`)}~* ${commandWord(`${folder}/sessions/${sessionId}`)}`,
  );
}
