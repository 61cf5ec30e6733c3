import { inOwnWords } from './command-wording.js';

/** What is missing and how to mend it, for a person. That everything is to be sent again is said once, at the end. */
export function blockerSentence({
  code,
  message,
  fix,
}: {
  readonly code: string;
  readonly message: string;
  readonly fix: string;
}): string {
  if (code === 'CONFIRMATION_REQUIRED') return 'this step waits for your agreement.';
  const said = inOwnWords(message);
  if (code === 'USER_ONLY_DEPENDENCY') return said.replace(/^(needs_\w+): (.*)$/su, '$2 ($1)');
  const mend = inOwnWords(fix).replace(/(?:,? and|, then) send everything again(?: with the same tokens)?$/u, '');
  const sentence = `${said.replace(/[.…?!]$/u, '')}.`;
  return mend === 'mend the notes' || mend === 'mend this field'
    ? sentence
    : `${sentence} ${mend.slice(0, 1).toUpperCase()}${mend.slice(1)}.`;
}
