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

/** A name and what it is. */
interface Fact {
  readonly name: string;
  readonly value: readonly Line[];
}

export type Block =
  | { readonly is: 'line'; readonly line: Line }
  | { readonly is: 'facts'; readonly facts: readonly Fact[] }
  /** What an agent or a person wrote, in Markdown. */
  | { readonly is: 'notes'; readonly markdown: string }
  | { readonly is: 'list'; readonly items: readonly (readonly Line[])[] }
  | { readonly is: 'table'; readonly columns: readonly string[]; readonly rows: readonly (readonly Line[])[] }
  /** What machines read; in short where nothing can be folded away. */
  | { readonly is: 'code'; readonly text: string; readonly short?: string }
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

/** Session report, laid out and not yet written as Markdown or HTML. */
export interface Page {
  readonly title: string;
  readonly blocks: readonly Block[];
}

export const text = (words: string): Inline => ({ is: 'text', text: words });
export const strong = (words: string): Inline => ({ is: 'strong', text: words });
export const quiet = (words: string): Inline => ({ is: 'quiet', text: words });
export const code = (words: string): Inline => ({ is: 'code', text: words });
export const time = (at: string): Inline => ({ is: 'time', at });
/** A moment as the log has it, for people: to the second, in UTC, the same everywhere. */
export function writtenTime(at: string): string {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/u.exec(at) ?? [];
  return day === undefined || time === undefined ? at : `${day} ${time} UTC`;
}

export const apart: Inline = { is: 'apart' };
export const badge = (words: string, tone: Tone): Inline => ({ is: 'badge', text: words, tone });

export const goto = (words: string, anchor: string): Inline => ({ is: 'goto', text: words, anchor });

export const paragraph = (...line: Line): Block => ({ is: 'line', line });

export const aside = (tone: Tone, title: Line, blocks: readonly Block[]): Block => ({
  is: 'aside',
  tone,
  title,
  blocks,
});

/** A list, unless there is nothing in it. */
export const listOf = (items: readonly (readonly Line[])[]): readonly Block[] =>
  items.length === 0 ? [] : [{ is: 'list', items }];

/** A fact, unless there is nothing to say. */
export const fact = (name: string, ...value: readonly Line[]): readonly Fact[] =>
  value.some((line) => line.length > 0) ? [{ name, value }] : [];

export function facts(...given: readonly (readonly Fact[])[]): readonly Block[] {
  const all = given.flat();
  return all.length === 0 ? [] : [{ is: 'facts', facts: all }];
}

export const section = (
  kind: 'part' | 'run' | 'step',
  title: Line,
  anchor: string,
  blocks: readonly Block[],
): Block => ({ is: 'section', kind, anchor, title, blocks });

/** A part, unless there is nothing in it. */
export const part = (title: string, anchor: string, blocks: readonly Block[]): readonly Block[] =>
  blocks.length === 0 ? [] : [section('part', [text(title)], anchor, blocks)];
