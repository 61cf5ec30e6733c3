import { closestName } from '../../base/closest-name.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import type { Compilation } from '../expand/compilation.js';
import type { Assessment, FunctionText, Reference } from '../compiled/compiled-workflow.js';
import type { Feature } from '../expand/features.js';
import { snippets } from '../expand/snippets.js';
import { asTemplate } from '../expression/template.js';
import { conditionExpression, conditionWords } from './workrail-conditions.js';
import { at, type Part } from './workrail-part.js';
import { inWords, type LoopNames, notNames, withArguments, withHoles, withSomeHoles } from './workrail-texts.js';
import { finding, warning } from '../source/finding.js';

/** What the steps of one file may refer to. */
export interface Book {
  readonly functions: readonly FunctionText[];
  readonly assessments: ReadonlyMap<string, Omit<Assessment, 'followUps'>>;
  /** Texts of the extension points, by slot. */
  readonly bindings: ReadonlyMap<string, string>;
  readonly features: readonly Feature[];
  /** Every step at the top level, by its id: a loop may name one as its body. */
  readonly steps: ReadonlyMap<string, Part>;
}

/** The workflow with an id, where there is one: its parsed file, and what it compiles to where it is of our own format. */
export type FindRoutine = (
  id: string,
) => { readonly source: () => JsonValue | undefined; readonly compile?: () => Compilation | undefined } | undefined;

/** What a file grows into while its steps are read. */
export interface Draft {
  readonly routines: FindRoutine;
  readonly ids: Set<string>;
  /** What came from elsewhere: of which step, in which field, from where. */
  readonly marks: { readonly id: string; readonly field: string; readonly from: string }[];
  readonly references: Map<string, Reference>;
  readonly functionsTold: Set<string>;
  /** Of each file that was read: a routine may be called many times. */
  readonly books: Map<JsonObject, Book>;
  /** How much more may be read: calls of calls multiply. */
  readonly left: { steps: number; characters: number };
}

/** What a step stands in. */
export interface Surroundings {
  readonly book: Book;
  readonly draft: Draft;
  readonly names: LoopNames;
  /** Before each step's id, inside of a call. */
  readonly prefix: string;
  /** What the caller gives, as templates in the caller's own surroundings. */
  readonly args?: { readonly [name: string]: string };
  /** What the caller's condition asks of each step. */
  readonly condition: string | undefined;
  /** Loops and routines around, outermost first; nothing may be inside of itself. */
  readonly within: readonly string[];
  /** The steps become the brief of a sub-agent, who has no part in the run. */
  readonly brief: boolean;
  /** In such a brief, what its loops call their rounds: no argument stands for these. */
  readonly hidden?: readonly string[];
}

/** An author's text as a template: extension points and snippets put in, `{{names}}` made holes, arguments put in. */
export function worded(text: string, part: Part, key: string, around: Surroundings): string {
  const path = [...part.path, key];
  const { args, brief, hidden = [], names } = around;
  const bound = text.replaceAll(
    /\{\{\s*wr\.([\w.-]+)\s*\}\}/gu,
    (whole: string, name: string) => injected(name, part, key, around) ?? whole,
  );
  for (const written of notNames(bound, names)) {
    const message = `\`${written}\` is not a name, such as {{name}} or {{name.member}}, a length, a list element, a sum or a product of these, and is printed unchanged`;
    part.say(warning(path, 'template', message, { of: { text: written }, actual: written }));
  }
  const open = brief ? withSomeHoles(bound, names) : withHoles(bound, names);
  // In its prompt and its title a routine means an argument by `{name}`; elsewhere it may mean the braces.
  const meant = !brief && (key === 'prompt' || key === 'title');
  const missing = (name: string): void => {
    if (meant)
      part.say(
        warning(path, 'argument', `the argument \`${name}\` is not given; the text says {${name}}`, {
          expected: name,
          closest: closestName(name, Object.keys(args ?? {})),
        }),
      );
  };
  // Arguments are templates of their own already, with their holes read where the call stands.
  const filled =
    args === undefined ? open : withArguments(open, args, missing, (name) => brief && !hidden.includes(name));
  return mayGrow(filled.length, part, around) ? filled : '';
}

/** Counts what the workflow grows by; past the bound it is told, and nothing more is taken in. */
export function mayGrow(characters: number, part: Part, { draft: { left } }: Surroundings): boolean {
  if (left.characters < 0) return false;
  left.characters -= characters;
  if (left.characters < 0) {
    const message = `with all that is put into its steps the workflow grows past ${limits.compiledWorkflow} characters`;
    part.say(finding(part.path, 'limit', message));
  }
  return left.characters >= 0;
}

/** The arguments of a call as templates; what is not text as the JSON that it is. */
export function wordedArguments(call: Part, around: Surroundings): { readonly [name: string]: string } {
  const args = at(call, 'args');
  if (!isJsonObject(args ?? null)) return {};
  return Object.fromEntries(
    Object.entries(args as JsonObject).map(([name, value]) => [
      name,
      worded(typeof value === 'string' ? value : JSON.stringify(value), call, 'args', around),
    ]),
  );
}

function injected(name: string, part: Part, key: string, { book }: Surroundings): string | undefined {
  const path = [...part.path, key];
  if (name.startsWith('bindings.')) {
    const slot = name.slice('bindings.'.length);
    const text = book.bindings.get(slot);
    if (text === undefined)
      part.say(
        warning(
          path,
          'extension_point',
          `no extension point named \`${slot}\`; \`{{wr.bindings.${slot}}}\` is printed unchanged`,
          { of: { text: name }, actual: slot, closest: closestName(slot, book.bindings.keys()) },
        ),
      );
    return text;
  }
  if (name.startsWith('refs.')) return snippetText(`wr.${name}`, part, path);
  const message = `\`{{wr.${name}}}\` has no meaning here and is printed unchanged`;
  part.say(warning(path, 'template', message, { of: { text: name } }));
  return undefined;
}

/** The words of a snippet; of an unknown one its name, which mostly says what it asks for. */
export function snippetText(id: string, part: Part, path: Part['path']): string {
  const snippet = snippets.get(id);
  if (snippet !== undefined) return snippet.text;
  const message = `no text named \`${id}\`; its name is used instead`;
  part.say(warning(path, 'unknown_snippet', message, { actual: id, closest: closestName(id, snippets.keys()) }));
  return asTemplate(`Mind this: ${inWords(id)}.`);
}

export function conditionAt(part: Part, key: string, { names }: Surroundings): string | undefined {
  return conditionExpression(at(part, key), { path: [...part.path, key], say: part.say, names });
}

/** What of a condition nothing here can judge, as one text for the agent. */
export const wordsAt = (part: Part, key: string): string => conditionWords(at(part, key)).join('; and ');

export function mark({ draft }: Surroundings, id: string, field: string, from: string): void {
  draft.marks.push({ id, field, from });
}
