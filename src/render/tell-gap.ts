import type { GapStory } from '../contract/session-story.js';
import type { Block, Inline, Line, Tone } from './page.js';
import { apart, aside, badge, paragraph, quiet, strong, text } from './page.js';
import { isOpen } from './node-marks.js';
import { spokenName } from './spoken-name.js';
import { prose } from './tell-value.js';

const gapTone = ({ severity }: GapStory): Tone =>
  severity === 'critical' ? 'grave' : severity === 'warning' ? 'warning' : 'plain';

/** A gap in full, where it was disclosed. The gap that it resolves is told by its own words, where they are known. */
export function tellGap(gap: GapStory, known: ReadonlyMap<string, GapStory>): Block {
  const { category, reason, severity, detail, assumption, resolves, resolved, settled } = gap;
  const ended = resolves === undefined ? undefined : (known.get(resolves)?.detail ?? resolves);
  const title: Line = [
    badge(severity, gapTone(gap)),
    text(' '),
    strong(resolves === undefined ? 'Gap' : 'A gap resolved'),
    apart,
    quiet(`${spokenName(category).toLowerCase()}: ${spokenName(reason).toLowerCase()}`),
    ...(resolved ? [text(' '), badge('resolved later', 'good')] : []),
  ];
  const lines: readonly Line[] = [
    prose(detail),
    ...assumed(assumption),
    ...(ended === undefined ? [] : [[quiet('Resolves: '), ...prose(ended)]]),
    ...howSettled(settled),
  ];
  return aside(
    resolved || resolves !== undefined ? 'plain' : gapTone(gap),
    title,
    lines.map((line) => paragraph(...line)),
  );
}

/** One entry of a list of gaps, with the place where it was disclosed. */
export function listGap(gap: GapStory, place: Inline | undefined): readonly Line[] {
  const { severity, detail, assumption, resolved, settled } = gap;
  return [
    [
      badge(severity, gapTone(gap)),
      text(' '),
      ...prose(detail),
      ...(isOpen(gap) || !resolved ? [] : [text(' '), badge('resolved', 'good')]),
      ...(place === undefined ? [] : [apart, quiet('at '), place]),
    ],
    ...assumed(assumption),
    ...howSettled(settled),
  ];
}

const howSettled = (settled: GapStory['settled']): readonly Line[] =>
  settled === undefined
    ? []
    : [
        [
          quiet(`Settled by the ${settled.who}${settled.path === '' ? '' : ` at ${settled.path}`}: `),
          ...prose(settled.how),
        ],
      ];

const assumed = (assumption: string | undefined): readonly Line[] =>
  assumption === undefined ? [] : [[quiet('Assumed: '), ...prose(assumption)]];
