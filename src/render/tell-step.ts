import { msBetween, tookWords } from '../base/time-spent.js';
import { usageWords } from '../base/usage.js';
import type { GapStory, NodeStory } from '../contract/session-story.js';
import { sourceWords } from './command-words.js';
import type { Block } from './page.js';
import { apart, aside, badge, code, listOf, paragraph, quiet, section, strong, text, time } from './page.js';
import type { StepPlace } from './run-places.js';
import { tellCommand } from './tell-command.js';
import { patchBlock, tellBlock, tellCheckpoint, tellNote, tellOutput } from './tell-output.js';
import { tellGap } from './tell-gap.js';
import { tellPreferences } from './tell-preferences.js';
import { separated } from './tell-value.js';

type KnownGaps = ReadonlyMap<string, GapStory>;

/** One step that was done: what happened while it was awaited, what was handed in, and what was passed over after it. */
export function tellStep({ awaited, next, number }: StepPlace, anchor: string, gaps: KnownGaps): Block {
  const { cameBy } = next;
  const { step, at, confirmed, changedSinceDraft, usage, command } = cameBy;
  // When it is done again, nobody knows since when somebody was at it.
  const isFirst = awaited?.children[0] === next.nodeId;
  const took =
    awaited === undefined || !isFirst ? '' : tookWords(msBetween(awaited.cameBy.at, at), awaited.waited ?? 0);
  const about = [
    [code(step?.path ?? '')],
    [time(at)],
    took === '' ? [] : [quiet(`took ${took}`)],
    usage === undefined ? [] : [quiet(`used ${usageWords(usage)}`)],
    confirmed ? [badge('confirmed by the user', 'good')] : [],
    command === undefined ? [] : [quiet(sourceWords(command))],
  ];
  const changed = changedSinceDraft?.join(', ');
  return section('step', [text(`${number}. `), text(step?.title ?? '')], anchor, [
    paragraph(...separated(about, apart)),
    ...(changed === undefined
      ? []
      : [aside('warning', [strong('Changed after it had waited for the user: '), text(changed)], [])]),
    ...tellCommand(awaited?.command),
    ...(awaited === undefined ? [] : whileAwaited(awaited, gaps, false, cameBy)),
    ...tellOutput(cameBy.output),
    ...tellEdge(cameBy, gaps),
  ]);
}

/** What came with an ack or with the start of a run, besides its output. */
export function tellEdge(
  { context, added = {}, gaps, warnings, skipped }: NodeStory['cameBy'],
  known: KnownGaps,
): readonly Block[] {
  const passedOver = skipped.map(({ title, path, reason }) => [
    [text(title), apart, code(path)],
    [quiet('Because: '), text(reason)],
  ]);
  return [
    ...patchBlock('Context set', context),
    ...patchBlock('Added to lists', added),
    ...gaps.map((gap) => tellGap(gap, known)),
    ...warnings.map(({ message, path }) =>
      aside(
        'warning',
        [strong('Warning'), ...(path === undefined ? [] : [apart, code(path)])],
        [paragraph(text(message))],
      ),
    ),
    ...(skipped.length === 0 ? [] : [aside('plain', [strong('Skipped after it')], listOf(passedOver))]),
  ];
}

/** Checkpoints, notes and refusals at a node. */
export function whileAwaited(
  node: NodeStory,
  gaps: KnownGaps,
  standing: boolean,
  done?: NodeStory['cameBy'],
): readonly Block[] {
  const { checkpoints, notes, blocks, preferences, preferencesChanged, preferenceChanges } = node;
  return [
    ...preferenceChanges.map(({ says, at }) => paragraph(text(says), apart, time(at))),
    ...(preferencesChanged ? [paragraph(quiet('Mode from here on: '), ...tellPreferences(preferences))] : []),
    ...checkpoints.map((checkpoint) => tellCheckpoint(checkpoint, gaps)),
    ...blocks.map((block, index) => tellBlock(block, standing && index === blocks.length - 1, gaps, done)),
    ...notes.map(tellNote),
  ];
}
