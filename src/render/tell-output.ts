import { usageWords } from '../base/usage.js';
import { answeredWords, refusedWords } from './blocker-text.js';
import { canonicalJson, shownJson } from '../base/canonical-json.js';
import type { JsonObject, JsonValue } from '../base/json-value.js';
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
      blocks: [jsonBlock(artifact)],
    })),
  ];
}

/** Longer than this, in characters, is told in short where it cannot be folded away. */
const longestJson = 400;
const mostNames = 20;

/** A value for machines: whole where it is folded, and a line a name where it would fill pages. */
function jsonBlock(value: JsonObject): Block {
  const text = JSON.stringify(value, null, 2);
  if (text.length <= longestJson) return { is: 'code', text };
  const named = Object.entries(value);
  const lines = named.slice(0, mostNames).map(([name, held]) => `${name}: ${shownJson(held)}`);
  const left = named.length - lines.length;
  const short = [
    ...lines,
    ...(left > 0 ? [`and ${left} more`] : []),
    `(${text.length} characters; the HTML report has all of it)`,
  ].join('\n');
  return { is: 'code', text, short };
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
  { at, blockers, output, context, gaps, refused, answers, command }: BlockStory,
  standing: boolean,
  known: ReadonlyMap<string, GapStory>,
  done: EdgeStory | undefined,
): Block {
  const items = blockers.map(({ message, fix }) => [
    [text(message)],
    ...(fix === '' || command === true ? [] : [[quiet('To go on: '), text(fix)]]),
  ]);
  const names =
    command === true ? (['The user is asked', 'The user was asked'] as const) : (['Blocked', 'Was blocked'] as const);
  const title = [strong(standing ? names[0] : names[1]), apart, time(at)];
  // What was recorded in the end is told there, and not twice.
  const draft =
    done !== undefined && sameOutput(done.output, output)
      ? []
      : [...tellOutput(output), ...patchBlock('Context', context), ...gaps.map((gap) => tellGap(gap, known))];
  return aside(standing ? 'grave' : 'plain', title, [
    { is: 'list', items },
    ...(refused === undefined ? [] : [paragraph(text(refusedWords(refused)))]),
    ...answers.map((answer) => paragraph(text(answeredWords(answer, '')), apart, time(answer.at))),
    ...(draft.length === 0
      ? []
      : [paragraph(quiet(command === true ? 'Shown to them:' : 'Handed in with it:')), ...draft]),
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

/** More of it than this, in characters of JSON, is closed. */
const longPatch = 600;

/** What was handed in by name, set apart. */
export function patchBlock(title: string, values: JsonObject): readonly Block[] {
  if (Object.keys(values).length === 0) return [];
  if (canonicalJson(values).length > longPatch) return foldedNamed(title, values, true);
  return [aside('plain', [strong(title)], tellNamed(values, true))];
}

/** The same, closed where it would stand between the reader and the story. */
export function foldedNamed(
  title: string,
  values: { readonly [key: string]: JsonValue },
  patch = false,
): readonly Block[] {
  const names = Object.keys(values).length;
  return names === 0
    ? []
    : [{ is: 'folded', summary: [text(`${title} `), quiet(plural(names, 'fact'))], blocks: tellNamed(values, patch) }];
}
