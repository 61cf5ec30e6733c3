import type { RunStory } from '../contract/session-story.js';

/** A piece of a line. Texts are as somebody wrote them: each renderer makes them harmless in its own way. */
export type Inline =
  | { readonly is: 'text' | 'strong' | 'quiet' | 'code'; readonly text: string }
  | { readonly is: 'time'; readonly at: string }
  /** Sets what follows apart from what stands before. */
  | { readonly is: 'apart' }
  /** A place of this page, where the renderer can lead there. */
  | { readonly is: 'goto'; readonly text: string; readonly anchor: string }
  /** How grave, how complete: a word with a colour of its own. */
  | { readonly is: 'badge'; readonly text: string; readonly tone: Tone };

export type Tone = 'plain' | 'good' | 'waiting' | 'warning' | 'grave';

export type Line = readonly Inline[];

export type Block =
  | { readonly is: 'line'; readonly line: Line }
  /** Names and what they are. */
  | { readonly is: 'facts'; readonly facts: readonly { readonly name: string; readonly value: readonly Line[] }[] }
  /** What an agent or a person wrote, in Markdown. */
  | { readonly is: 'notes'; readonly markdown: string }
  | { readonly is: 'list'; readonly items: readonly (readonly Line[])[] }
  | { readonly is: 'table'; readonly columns: readonly string[]; readonly rows: readonly (readonly Line[])[] }
  | { readonly is: 'code'; readonly text: string }
  /** Shown when somebody wants it. */
  | { readonly is: 'folded'; readonly summary: Line; readonly blocks: readonly Block[] }
  /** Something set apart: a checkpoint, a gap, a person's note. */
  | { readonly is: 'aside'; readonly tone: Tone; readonly title: Line; readonly blocks: readonly Block[] }
  | {
      readonly is: 'railway';
      readonly run: RunStory;
      readonly anchors: ReadonlyMap<string, string>;
      readonly anchor: string;
    }
  | {
      readonly is: 'section';
      readonly title: Line;
      readonly anchor: string;
      readonly kind: 'part' | 'run' | 'step';
      readonly blocks: readonly Block[];
    };

/** The story of a session, laid out and not yet written as Markdown or HTML. */
export interface Page {
  readonly title: string;
  readonly blocks: readonly Block[];
}

export const text = (words: string): Inline => ({ is: 'text', text: words });
export const strong = (words: string): Inline => ({ is: 'strong', text: words });
export const quiet = (words: string): Inline => ({ is: 'quiet', text: words });
export const code = (words: string): Inline => ({ is: 'code', text: words });
export const time = (at: string): Inline => ({ is: 'time', at });
export const apart: Inline = { is: 'apart' };
export const badge = (words: string, tone: Tone): Inline => ({ is: 'badge', text: words, tone });

/** A fact, unless there is nothing to say. */
export function fact(
  name: string,
  ...value: readonly Line[]
): readonly { readonly name: string; readonly value: readonly Line[] }[] {
  return value.some((line) => line.length > 0) ? [{ name, value }] : [];
}

export function facts(
  ...given: readonly (readonly { readonly name: string; readonly value: readonly Line[] }[])[]
): readonly Block[] {
  const all = given.flat();
  return all.length === 0 ? [] : [{ is: 'facts', facts: all }];
}
