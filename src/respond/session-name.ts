import { firstWords } from '../base/byte-budget.js';
import { titleFromInputs } from '../contract/title-from-inputs.js';
import type { FoldedSession, Run } from '../sessions/folded-session.js';
import { runsInOrder } from '../sessions/runs-in-order.js';

const nameBytes = 120;

/**
 * What people would call a session, and go on calling it while it grows: the title that somebody gave it, else what its
 * first run was given to work on, its key, or how what was noted begins.
 */
export function sessionName(session: FoldedSession): string | undefined {
  const { title, key, notes, checkpoints } = session;
  const [first] = runsInOrder(session);
  const name =
    title ??
    (first && givenTo(first)) ??
    key ??
    checkpoints[0]?.data.output.notes ??
    notes[0]?.data.text ??
    first?.started.data.title;
  return name === undefined || name.trim() === '' ? undefined : firstWords(name, nameBytes);
}

/** What a run was given to work on; a default is nobody's word. */
export function givenTo({ started }: Run): string | undefined {
  const { inputs, context } = started.data;
  const given = Object.entries(inputs).filter(([name]) => Object.hasOwn(context, name));
  const words = titleFromInputs(Object.fromEntries(given));
  return words === undefined ? undefined : firstWords(words, nameBytes);
}
