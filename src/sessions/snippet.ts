import { byteLength, cutToBytes, firstWords } from '../base/byte-budget.js';
import { limits } from '../base/limits.js';
import { standingDraft } from './drafts.js';
import { notedBeside, rememberedIn, rememberedUpFrom } from './entry.js';
import type { Candidate } from './rank-sessions.js';
import { isSettled } from './person-answers.js';
import type { RunNode } from './folded-session.js';
import { recapOf } from './recap.js';

/** The words to tell one candidate from another by: the newest notes on the way to it. */
export function snippetOf({ session, run, tip }: Candidate): string {
  // What somebody wrote comes before single words, which mostly are defaults.
  const isWord = (value: unknown): boolean => typeof value !== 'string' || /^\S*$/u.test(value);
  const inputs = Object.entries(run?.started.data.inputs ?? {})
    .toSorted(([, a], [, b]) => Number(isWord(a)) - Number(isWord(b)))
    .map(([name, value]) => `${name} = ${firstWords(JSON.stringify(value), 120)}`);
  const about = inputs.length === 0 ? '' : `${firstWords(inputs.join(', '), 300)}\n`;
  const waiting = (tip && waitingAt(tip)) ?? '';
  const { entries } = recapOf(
    tip === undefined
      ? rememberedIn(notedBeside(session, undefined).map(({ entry }) => entry))
      : rememberedUpFrom(session, tip),
    limits.resumeSnippet - 500 - byteLength(waiting),
  );
  return cutToBytes(
    about +
      waiting +
      entries
        .filter(({ notes }) => notes !== undefined)
        .map(
          ({ title, path, kind, notes, cut }) =>
            `${title}${kind === 'step' || tip === undefined ? '' : path === tip.pending?.path ? ' (checkpoint; not done yet)' : ' (checkpoint)'}: ${notes ?? ''}${cut === undefined ? '' : ` … (${cut.after} bytes more)`}`,
        )
        .join('\n'),
    limits.resumeSnippet,
  );
}

const waitingShown = 700;

/** What was handed in there and waits for the user. */
function waitingAt(tip: RunNode): string | undefined {
  const draft = standingDraft(tip);
  if (draft === undefined) return undefined;
  const { step, output: { notes = 'no notes' } = {} } = draft.data;
  const shown = cutToBytes(notes, waitingShown);
  return `${firstWords(step.title, 120)} (handed in, ${isSettled(tip, draft) ? 'answered by the user' : 'waits for the user'}): ${shown}${shown === notes ? '' : ' …'}\n`;
}
