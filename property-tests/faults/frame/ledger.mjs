/**
 * What was asked and what was acknowledged. Each call that records something says a text of its own, so that what is
 * found in the log can be held against it: acknowledged is the lower bound, asked the upper.
 */
export function openLedger(name) {
  const entries = [];
  return {
    entries,
    /** A text that nothing else says. */
    text: (dice, most = 400) => `mark ${name} ${entries.length} ${'word '.repeat(dice.below(most / 5))}end`,
    ask: (tool, args, said) => {
      const entry = { tool, args, said, outcome: 'asked' };
      entries.push(entry);
      return entry;
    },
  };
}

/** Notes down what came of a call: `acked`, `refused`, or still `asked` where the server went away. */
export function settle(entry, result) {
  if (result === undefined) return entry;
  entry.outcome = result.isError ? 'refused' : 'acked';
  entry.text = result.text;
  if (!result.isError) entry.answer = result.answer;
  else entry.code = result.answer.error_code;
  return entry;
}

export const countAcked = ({ entries }) => entries.filter(({ outcome }) => outcome === 'acked').length;
