import type { GapStory, NodeStory } from '../contract/session-story.js';
import { apart, badge, type Block, code, type Line, quiet, strong, text, time } from './page.js';
import { tellBlock, tellCheckpoint, tellNamed, tellNote, tellOutput } from './tell-output.js';
import { tellGap } from './tell-gap.js';
import { tellPreferences } from './tell-preferences.js';
import { separated } from './tell-value.js';

export interface StepToTell {
  /** Where the step was awaited; absent where that is not on disk, and for a branch, whose fork is told elsewhere. */
  readonly awaited?: NodeStory | undefined;
  /** The node it led to. */
  readonly next: NodeStory;
  readonly number: number;
  readonly anchor: string;
  readonly gaps: ReadonlyMap<string, GapStory>;
}

/** One step that was done: what happened while it was awaited, what was handed in, and what was passed over after it. */
export function tellStep({ awaited, next: { cameBy }, number, anchor, gaps }: StepToTell): Block {
  const { step, at, confirmed } = cameBy;
  const about: Line = separated(
    [[code(step?.path ?? '')], [time(at)], confirmed ? [badge('confirmed by the user', 'good')] : []],
    apart,
  );
  return {
    is: 'section',
    kind: 'step',
    anchor,
    title: [text(`${number}. `), text(step?.title ?? '')],
    blocks: [
      { is: 'line', line: about },
      ...(awaited === undefined ? [] : whileAwaited(awaited, gaps, false)),
      ...tellOutput(cameBy.output),
      ...tellEdge(cameBy, gaps),
    ],
  };
}

/** What came with an ack or with the start of a run, besides its output. */
export function tellEdge(
  { context, gaps, warnings, skipped }: NodeStory['cameBy'],
  known: ReadonlyMap<string, GapStory>,
): readonly Block[] {
  return [
    ...(Object.keys(context).length === 0
      ? []
      : [
          {
            is: 'aside' as const,
            tone: 'plain' as const,
            title: [strong('Context set')],
            blocks: tellNamed(context, true),
          },
        ]),
    ...gaps.map((gap) => tellGap(gap, known)),
    ...warnings.map(({ message, path }): Block => ({
      is: 'aside',
      tone: 'warning',
      title: [strong('Warning'), ...(path === undefined ? [] : [apart, code(path)])],
      blocks: [{ is: 'line', line: [text(message)] }],
    })),
    ...(skipped.length === 0
      ? []
      : [
          {
            is: 'aside' as const,
            tone: 'plain' as const,
            title: [strong('Passed over after it')],
            blocks: [
              {
                is: 'list' as const,
                items: skipped.map(({ title, path, reason }): readonly Line[] => [
                  [text(title), apart, code(path)],
                  [quiet('Because: '), text(reason)],
                ]),
              },
            ],
          },
        ]),
  ];
}

/** Checkpoints, notes and refusals at a node. */
export function whileAwaited(
  node: NodeStory,
  gaps: ReadonlyMap<string, GapStory>,
  standing: boolean,
): readonly Block[] {
  const { checkpoints, notes, blocks, preferences, preferencesChanged } = node;
  return [
    ...(preferencesChanged
      ? [{ is: 'line' as const, line: [quiet('Preferences from here on: '), ...tellPreferences(preferences)] }]
      : []),
    ...checkpoints.map((checkpoint) => tellCheckpoint(checkpoint, gaps)),
    ...blocks.map((block, index) => tellBlock(block, standing && index === blocks.length - 1)),
    ...notes.map(tellNote),
  ];
}
