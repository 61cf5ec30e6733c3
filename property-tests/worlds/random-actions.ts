import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../src/base/json-value.js';
import { modeNames, modes } from '../../src/base/preferences.js';
import type { AckAsked, Asked, GapAsked, ModelNode, OutputAsked } from './naive-model.js';
import { openGaps } from './naive-model.js';
import { keyNames, rightValues, wrongValues } from './tiny-workflow.js';

/** What an agent means to do. Which node and which values that comes to is settled when its turn comes, by these numbers. */
export interface Action {
  readonly do: ActionName;
  readonly pick: number;
  readonly which: number;
  readonly intent: Intent;
}
export type ActionName =
  | 'start'
  | 'ack'
  | 'replay'
  | 'redo'
  | 'look'
  | 'checkpoint'
  | 'resume'
  | 'crash'
  | 'other_process'
  | 'edit'
  | 'remove_file'
  | 'answer'
  | 'cross'
  | 'stray';

export interface Intent {
  readonly number: number;
  readonly lack:
    | 'nothing'
    | 'notes'
    | 'long_notes'
    | 'sets'
    | 'right_sets'
    | 'needs'
    | 'confirmation'
    | 'artifact'
    | 'everything';
  readonly keys: 'none' | 'all' | 'one' | 'deleted';
  readonly notes: 'short' | 'long' | 'blank' | 'none';
  readonly gap: 'none' | 'info' | 'warning' | 'critical' | 'user' | 'resolve';
  readonly preferences: Asked | undefined;
}

const often = <T>(value: T, weight: number): { readonly arbitrary: fc.Arbitrary<T>; readonly weight: number } => ({
  arbitrary: fc.constant(value),
  weight,
});

const preferences: fc.Arbitrary<Asked | undefined> = fc.oneof(
  often(undefined, 8),
  { weight: 2, arbitrary: fc.constantFrom(...modeNames).map((mode) => ({ mode })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Asked>(
      { gateHandling: 'risk_signal' },
      { autonomy: 'full_auto_never_stop', gateHandling: 'block' },
      { ...modes.auto_stop },
      { mode: 'auto_never_stop', autonomy: 'guided' },
      { riskPolicy: 'aggressive' },
    ),
  },
);

const intent: fc.Arbitrary<Intent> = fc.record({
  number: fc.nat(40),
  lack: fc.oneof(often('nothing' as const, 12), {
    weight: 6,
    arbitrary: fc.constantFrom(
      'notes' as const,
      'long_notes' as const,
      'sets' as const,
      'right_sets' as const,
      'needs' as const,
      'confirmation' as const,
      'artifact' as const,
      'everything' as const,
    ),
  }),
  keys: fc.oneof(often('all' as const, 5), {
    weight: 4,
    arbitrary: fc.constantFrom('none' as const, 'one' as const, 'deleted' as const),
  }),
  notes: fc.oneof(
    often('short' as const, 8),
    often('long' as const, 1),
    often('blank' as const, 1),
    often('none' as const, 1),
  ),
  gap: fc.oneof(often('none' as const, 10), {
    weight: 4,
    arbitrary: fc.constantFrom(
      'info' as const,
      'warning' as const,
      'critical' as const,
      'user' as const,
      'resolve' as const,
    ),
  }),
  preferences,
});

const weights: { readonly [name in ActionName]: number } = {
  start: 6,
  ack: 60,
  replay: 8,
  redo: 16,
  look: 8,
  checkpoint: 6,
  resume: 3,
  crash: 3,
  other_process: 5,
  edit: 2,
  remove_file: 1,
  answer: 16,
  cross: 2,
  stray: 2,
};
const oneOf = (names: readonly ActionName[]): fc.Arbitrary<ActionName> =>
  fc.oneof(...names.map((name) => often(name, weights[name])));
const allNames = Object.keys(weights) as readonly ActionName[];
/** As they were drawn before people answered: named seeds are of these. */
export const agentsAlone = allNames.filter((name) => name !== 'answer');

export const actions = (least: number, most: number, names = allNames): fc.Arbitrary<readonly Action[]> =>
  fc.array(fc.record({ do: oneOf(names), pick: fc.nat(1000), which: fc.nat(1000), intent }), {
    minLength: least,
    maxLength: most,
    size: 'max',
  });

export const at = <T>(list: readonly T[], number: number): T => list[number % list.length]!;

/** What an agent hands back for a step that means to do it as its intent says. */
export function handedBack(node: ModelNode, of: Intent): AckAsked {
  const step = node.pending?.step;
  const context: { [key: string]: JsonValue } = keysOf(of);
  const output = outputOf(
    of,
    step?.artifact === true && of.lack !== 'artifact',
    openGaps(node).map(({ id }) => id),
  );
  if (step !== undefined && of.lack !== 'everything') {
    for (const [index, key] of step.sets.entries()) {
      if (of.lack === 'sets') delete context[key];
      else context[key] = at(of.lack === 'right_sets' ? wrongValues[key] : rightValues[key], of.number + index);
    }
    if (of.lack !== 'needs') for (const key of step.needs) context[key] = 'given';
  }
  return {
    ...(Object.keys(context).length > 0 && { context }),
    ...(of.lack !== 'everything' && Object.keys(output).length > 0 && { output }),
    ...(step?.confirm === true && of.lack !== 'confirmation' && of.lack !== 'everything' && { confirmed: true }),
    ...(of.preferences !== undefined && { preferences: of.preferences }),
  };
}

export function keysOf({ keys, number }: Intent): { [key: string]: JsonValue } {
  if (keys === 'none') return {};
  if (keys === 'all')
    return Object.fromEntries(
      keyNames.map((key, index) => [key, at(rightValues[key], Math.trunc(number / (index + 1)))]),
    );
  const key = at(keyNames, number);
  return { [key]: keys === 'deleted' ? null : at(rightValues[key], number) };
}

export function outputOf(of: Intent, artifact: boolean, open: readonly string[]): OutputAsked {
  const notes = notesOf(of);
  const artifacts: readonly JsonObject[] = [
    ...(of.number % 7 === 0 ? [{ kind: 'tiny.other', of: of.number }] : []),
    ...usageOf(of),
    ...(artifact ? [{ kind: 'tiny.result', size: of.lack === 'right_sets' ? 'x' : of.number }] : []),
  ];
  const gap = gapOf(of, open);
  return {
    ...(notes !== undefined && { notesMarkdown: notes }),
    ...(artifacts.length > 0 && { artifacts }),
    ...(gap !== undefined && { gaps: [gap] }),
  };
}

/** Some cannot be counted; some say the same of several steps. */
function usageOf({ number }: Intent): readonly JsonObject[] {
  if (number % 4 !== 0) return [];
  const artifact = { kind: 'wr.usage', model: `m${number % 3}`, inputTokens: number, costUsd: (number % 10) / 10 };
  return [number % 5 === 0 ? { ...artifact, costUsd: -1 } : artifact];
}

function notesOf({ lack, notes, number }: Intent): string | undefined {
  if (lack === 'notes' || notes === 'none') return undefined;
  if (lack === 'long_notes') return 'x';
  if (notes === 'blank') return ' \n';
  return `Did number ${number}, and this is what came of it.${notes === 'long' ? ' More \u{1F600} of it.'.repeat(20 + number * 2) : ''}`;
}

/** Gaps of an agent are known by their reason; their severity is always said. */
function gapOf({ gap, number }: Intent, open: readonly string[]): GapAsked | undefined {
  const said = { reason: agentGapReason, detail: `gap ${number}` };
  if (gap === 'none') return undefined;
  if (gap === 'user')
    return { ...said, reason: 'needs_user_choice', category: 'user_only_dependency', severity: 'critical' };
  if (gap === 'resolve')
    return open.length === 0
      ? undefined
      : { ...said, category: 'agent_disclosed', severity: 'info', resolves: at(open, number) };
  return { ...said, category: 'agent_disclosed', severity: gap };
}

export const agentGapReason = 'the agent says so';
