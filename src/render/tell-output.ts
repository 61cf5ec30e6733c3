import { usageWords } from '../base/usage.js';
import { answeredWords, refusedWords } from './blocker-text.js';
import { canonicalJson } from '../base/canonical-json.js';
import type { JsonValue } from '../base/json-value.js';
import type {
  BlockStory,
  CheckpointStory,
  EdgeStory,
  GapStory,
  NoteStory,
  OutputStory,
} from '../contract/session-story.js';
import { plural } from '../base/plural.js';
import type { Block } from './page.js';
import { apart, aside, code, fact, facts, paragraph, quiet, strong, text, time } from './page.js';
import { tellGap } from './tell-gap.js';
import { tellValue } from './tell-value.js';

/** What an agent left: notes to be read, artifacts to be opened. */
export function tellOutput({ notes, artifacts }: OutputStory): readonly Block[] {
  return [
    ...(notes === undefined || notes.trim() === '' ? [] : [{ is: 'notes' as const, markdown: notes }]),
    ...artifacts.map((artifact, index): Block => ({
      is: 'folded',
      summary: [
        text(artifacts.length === 1 ? 'Artifact ' : `Artifact ${index + 1} of ${artifacts.length} `),
        ...(typeof artifact['kind'] === 'string' ? [code(artifact['kind'])] : []),
      ],
      blocks: [{ is: 'code', text: JSON.stringify(artifact, null, 2) }],
    })),
  ];
}

export function tellCheckpoint(
  { at, output, usage, gaps, late }: CheckpointStory,
  known: ReadonlyMap<string, GapStory>,
): Block {
  const afterwards = late ? [apart, quiet('came after the step had been decided')] : [];
  return aside(
    'plain',
    [strong('Checkpoint'), apart, time(at), ...afterwards],
    [
      ...tellOutput(output),
      ...(usage === undefined ? [] : [paragraph(quiet(`Used ${usageWords(usage)}`))]),
      ...gaps.map((gap) => tellGap(gap, known)),
    ],
  );
}

export const tellNote = ({ at, text: markdown }: NoteStory): Block =>
  aside('plain', [strong('Note'), apart, time(at)], [{ is: 'notes', markdown }]);

export function tellBlock(
  { at, blockers, output, context, gaps, refused, answers }: BlockStory,
  standing: boolean,
  known: ReadonlyMap<string, GapStory>,
  done: EdgeStory | undefined,
): Block {
  const items = blockers.map(({ message, fix }) => [
    [text(message)],
    ...(fix === '' ? [] : [[quiet('To go on: '), text(fix)]]),
  ]);
  const title = [strong(standing ? 'Blocked' : 'Was blocked'), apart, time(at)];
  // What was recorded in the end is told there, and not twice.
  const draft =
    done !== undefined && sameOutput(done.output, output)
      ? []
      : [
          ...tellOutput(output),
          ...(Object.keys(context).length === 0 ? [] : [aside('plain', [strong('Context')], tellNamed(context, true))]),
          ...gaps.map((gap) => tellGap(gap, known)),
        ];
  return aside(standing ? 'grave' : 'plain', title, [
    { is: 'list', items },
    ...(refused === undefined ? [] : [paragraph(text(refusedWords(refused)))]),
    ...answers.map((answer) => paragraph(text(answeredWords(answer, '')), apart, time(answer.at))),
    ...(draft.length === 0 ? [] : [paragraph(quiet('Handed in with it:')), ...draft]),
  ]);
}

const sameOutput = (one: OutputStory, other: OutputStory): boolean =>
  one.notes === other.notes && canonicalJson(one.artifacts) === canonicalJson(other.artifacts);

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
    : [{ is: 'folded', summary: [text(`${title} `), quiet(plural(names, 'fact'))], blocks: tellNamed(values, false) }];
}
