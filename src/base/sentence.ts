/**
 * What is said to an agent, to a person at a terminal and to one at the page: a text, with what each calls by a name
 * of its own as data in it. A door that has no words of its own takes the texts.
 */
export type Sentence = string | readonly (string | Term)[];

export type Term =
  /** A field of the request, by its pointer: an option on the command line. */
  | { readonly field: string; readonly text: string }
  /** What people do in another way than agents. */
  | { readonly people: string; readonly text: string }
  /** A command that people run: the words after the program's name. */
  | { readonly command: readonly string[]; readonly text: string };

/** A field as agents write it in a sentence: `output.notesMarkdown`. */
export const field = (pointer: string, text: string = pointer.slice(1).replace('/', '.')): Term => ({
  field: pointer,
  text,
});

export const either = (text: string, people: string): Term => ({ people, text });

export const command = (...words: readonly string[]): Term => ({
  command: words,
  text: commandLine(['workrail'], words),
});

/**
 * A text that was written where nobody knows the door, with each `workrail …` in it as a command of that door. What is done
 * to one session alone is done to the one that is named.
 */
export function withCommands(text: string, session?: string): readonly (string | Term)[] {
  return text.split(/((?<=`)workrail [^`<>]+(?=`))/u).map((part, index): string | Term => {
    const words = index % 2 === 0 ? undefined : part.split(' ').slice(1);
    if (words === undefined) return part;
    const [name = '', ...rest] = words;
    const named = name !== 'doctor' || session === undefined || rest.some((word) => !word.startsWith('-'));
    return { command: named ? words : [name, session, ...rest], text: part };
  });
}

/** A command as it can be pasted into a shell. */
export const commandLine = (program: readonly string[], words: readonly string[]): string =>
  [...program, ...words].map(commandWord).join(' ');

/** One word of it, quoted where a shell would take it apart. */
export function commandWord(word: string): string {
  const [, option = '', value = word] = /^(--[a-z-]+=)(.*)$/su.exec(word) ?? [];
  return `${option}${/^[\w@%+=:,./-]+$/u.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`}`;
}

/** A sentence for people: commands in its texts are theirs too. */
export const sentenceForPeople = (sentence: Sentence): Sentence =>
  [sentence].flat().flatMap((part) => (typeof part === 'string' ? withCommands(part) : [part]));

/** A sentence in the words of one door; in those of agents, where it has none. */
export function sentenceText(sentence: Sentence, say: (term: Term) => string = ({ text }) => text): string {
  return typeof sentence === 'string'
    ? sentence
    : sentence.map((part) => (typeof part === 'string' ? part : say(part))).join('');
}
