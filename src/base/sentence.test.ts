import { expect, it } from 'vitest';
import { command, commandLine, sentenceForPeople, sentenceText, withCommands } from './sentence.js';

const here = {
  say: (part: { readonly text: string }): string =>
    'command' in part
      ? commandLine(['node', '/my program'], [...(part.command as readonly string[]), '--data-dir', 'd'])
      : part.text,
};

it('a command in a text is that of the door, and of the session that is meant', () => {
  const text = 'run `workrail doctor --repair`, or `workrail prefs`; `other --repair` stays';
  expect(sentenceText(withCommands(text, 'S-1'))).toBe(text);
  expect(sentenceText(withCommands(text, 'S-1'), here.say)).toBe(
    "run `node '/my program' doctor S-1 --repair --data-dir d`, or `node '/my program' prefs --data-dir d`; `other --repair` stays",
  );
  expect(sentenceText(sentenceForPeople(['see ', command('doctor', 'A B'), ', `workrail list`']), here.say)).toBe(
    "see node '/my program' doctor 'A B' --data-dir d, `node '/my program' list --data-dir d`",
  );
});
