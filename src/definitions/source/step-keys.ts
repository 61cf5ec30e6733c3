import type { StepSource } from './workflow-format.js';

/** What each key of a step goes with: every step, one of its bodies, a loop, or another key. */
const goesWith = {
  id: 'step',
  title: 'step',
  if: 'step',
  prompt: 'body',
  steps: 'body',
  call: 'body',
  delegate: 'body',
  run: 'body',
  fail: 'body',
  with: 'call',
  role: 'prompt',
  guidance: 'prompt',
  sets: 'prompt',
  needs: 'prompt',
  confirm: 'prompt',
  notes: 'prompt',
  output: 'prompt',
  rules: 'prompt',
  functions: 'prompt',
  assessments: 'prompt',
  puts: 'prompt',
  foreach: 'repetition',
  while: 'repetition',
  until: 'repetition',
  repeat: 'repetition',
  control: 'repetition',
  as: 'foreach',
  max: 'loop',
  line: 'loop',
  collect: 'loop',
  body: 'run',
  content: 'run',
  expect: 'run',
  keep: 'run',
  every: 'run',
  timeout: 'run',
  retry: 'run',
  paginate: 'run',
  on_error: 'run',
  repeatable: 'run',
  depends_on: 'run',
  secret: 'run',
} as const satisfies { readonly [key in keyof StepSource]-?: string };
type KeysWith<W> = { [key in keyof StepSource]-?: (typeof goesWith)[key] extends W ? key : never }[keyof StepSource];
const keysWith = <W extends string>(what: W): readonly KeysWith<W>[] =>
  Object.entries(goesWith).flatMap(([key, goes]) => (goes === what ? [key as KeysWith<W>] : []));

export const bodyFields = keysWith('body');
export type BodyField = KeysWith<'body'>;
export const promptFields = keysWith('prompt');
export const loopFields = keysWith('repetition');
/** What goes with any loop. */
export const loopKeys = keysWith('loop');
/** What goes with `run` alone, and what it shares with others. */
export const runFields = keysWith('run');
export const sharedWithRun: ReadonlySet<string> = new Set(['with', 'confirm', 'until', 'max', 'puts']);
/** Bodies that an agent meets, and those that leave an output. */
export const bodies: { readonly [body in BodyField]: { readonly byAgent: boolean; readonly leavesOutput: boolean } } = {
  prompt: { byAgent: true, leavesOutput: true },
  steps: { byAgent: false, leavesOutput: false },
  call: { byAgent: false, leavesOutput: false },
  delegate: { byAgent: true, leavesOutput: true },
  run: { byAgent: false, leavesOutput: true },
  fail: { byAgent: false, leavesOutput: false },
};
