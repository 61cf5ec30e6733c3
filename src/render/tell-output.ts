import type { JsonObject, JsonValue } from '../base/json-value.js';
import type { BlockStory, CheckpointStory, GapStory, NoteStory, OutputStory } from '../contract/session-story.js';
import { apart, type Block, code, fact, facts, type Line, quiet, strong, text, time } from './page.js';
import { counted } from './spoken-name.js';
import { tellGap } from './tell-gap.js';
import { tellValue } from './tell-value.js';

/** What an agent left: notes to be read, artifacts to be opened. */
export function tellOutput({ notes, artifacts }: OutputStory): readonly Block[] {
  return [
    ...(notes === undefined || notes.trim() === '' ? [] : [{ is: 'notes' as const, markdown: notes }]),
    ...tellArtifacts(artifacts),
  ];
}

function tellArtifacts(artifacts: readonly JsonObject[]): readonly Block[] {
  return artifacts.map((artifact, index) => ({
    is: 'folded',
    summary: [
      text(artifacts.length === 1 ? 'Artifact ' : `Artifact ${index + 1} of ${artifacts.length} `),
      ...(typeof artifact['kind'] === 'string' ? [code(artifact['kind'])] : []),
    ],
    blocks: [{ is: 'code', text: JSON.stringify(artifact, null, 2) }],
  }));
}

export function tellCheckpoint(
  { at, output, gaps, late }: CheckpointStory,
  known: ReadonlyMap<string, GapStory>,
): Block {
  const title: Line = [
    strong('Checkpoint'),
    apart,
    time(at),
    ...(late ? [apart, quiet('came after the step had been decided')] : []),
  ];
  return {
    is: 'aside',
    tone: 'plain',
    title,
    blocks: [...tellOutput(output), ...gaps.map((gap) => tellGap(gap, known))],
  };
}

export const tellNote = ({ at, text: markdown }: NoteStory): Block => ({
  is: 'aside',
  tone: 'plain',
  title: [strong('Note'), apart, time(at)],
  blocks: [{ is: 'notes', markdown }],
});

export function tellBlock({ at, blockers }: BlockStory, standing: boolean): Block {
  const title: Line = [strong(standing ? 'Blocked' : 'Was blocked'), apart, time(at)];
  const items = blockers.map(({ message, fix }): readonly Line[] => [
    [text(message)],
    ...(fix === '' ? [] : [[quiet('To go on: '), text(fix)]]),
  ]);
  return { is: 'aside', tone: standing ? 'grave' : 'plain', title, blocks: [{ is: 'list', items }] };
}

/** Facts by name. In a patch, null took something out. */
export function tellNamed(values: { readonly [key: string]: JsonValue }, patch: boolean): readonly Block[] {
  return facts(
    ...Object.entries(values).map(([name, value]) =>
      fact(name, ...(patch && value === null ? [[quiet('taken out')]] : tellValue(value))),
    ),
  );
}

/** The same, closed where it would stand between the reader and the story. */
export function foldedNamed(title: string, values: { readonly [key: string]: JsonValue }): readonly Block[] {
  const names = Object.keys(values).length;
  return names === 0
    ? []
    : [{ is: 'folded', summary: [text(`${title} `), quiet(counted(names, 'fact'))], blocks: tellNamed(values, false) }];
}
