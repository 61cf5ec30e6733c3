import { callInputs } from './call-inputs.js';
import { routineOf } from './called-routines.js';
import type { CompileSurroundings } from './compile-surroundings.js';
import type { CompiledWorkflow, Delegate, PromptStep } from '../compiled/compiled-workflow.js';
import { delegateText, givenText } from './delegate-text.js';
import type { ExpressionTree } from '../expression/expression-tree.js';
import { printExpression } from '../expression/print-expression.js';
import type { StepSource } from '../source/workflow-format.js';

type DelegateSource = NonNullable<StepSource['delegate']>[number];
type Inputs = ReadonlyMap<string, ExpressionTree>;

/** What several pieces are told alike: their routine, with the inputs in which they differ left open. */
interface Shared {
  readonly routine: CompiledWorkflow;
  readonly open: readonly string[];
  readonly text: string;
}

/** The pieces that a step delegates, as compiled. */
export function compileDelegates(
  sources: readonly DelegateSource[],
  stepId: string,
  at: string,
  { called, provenance }: CompileSurroundings,
): { readonly delegates: readonly Delegate[]; readonly briefs: NonNullable<PromptStep['briefs']> } {
  // A brief stands in the loop of its step, and in no other.
  const pieces = sources.map((source) => {
    const routine = source.routine === undefined ? undefined : routineOf(called, source.routine);
    return {
      source,
      routine,
      inputs:
        routine === undefined ? new Map<string, ExpressionTree>() : callInputs(routine, source.with ?? {}, undefined),
    };
  });
  const shared = new Map<string, Shared>();
  for (const id of new Set(sources.flatMap(({ routine }) => routine ?? []))) {
    const of = pieces.filter(({ source }) => source.routine === id);
    const open = of.length < 2 ? undefined : openInputs(of.map(({ inputs }) => inputs));
    const [first] = of;
    if (open === undefined || first?.routine === undefined) continue;
    provenance.push({ at: `${at}/briefs/${shared.size}`, from: `routine ${id}` });
    shared.set(id, { routine: first.routine, open, text: delegateText(first.routine, stepId, first.inputs, open) });
  }
  const titles = new Map<string, number>();
  const delegates = pieces.map(
    ({ source: { routine: id, title, goal, if: condition }, routine, inputs }, index): Delegate => {
      const brief = id === undefined ? undefined : shared.get(id);
      if (id !== undefined && brief === undefined)
        provenance.push({ at: `${at}/delegates/${index}`, from: `routine ${id}` });
      const text = brief
        ? givenText(brief.routine, stepId, inputs, brief.open)
        : routine
          ? delegateText(routine, stepId, inputs)
          : '';
      const number = (titles.get(id ?? '') ?? 0) + 1;
      titles.set(id ?? '', number);
      const named =
        title ??
        (routine === undefined ? `Piece ${index + 1}` : brief ? `${routine.title} (${number})` : routine.title);
      return {
        title: named,
        goal,
        ...(condition === undefined ? {} : { if: condition.trim() }),
        text,
        ...(id !== undefined && brief && { brief: id }),
      };
    },
  );
  return { delegates, briefs: [...shared].map(([id, { text }]) => ({ id, text })) };
}

/** The inputs that are not the same in all; undefined where one has a value here and none there, so that the routine reads differently. */
function openInputs(all: readonly Inputs[]): readonly string[] | undefined {
  const names = [...new Set(all.flatMap((inputs) => [...inputs.keys()]))].toSorted();
  if (names.some((name) => !all.every((inputs) => inputs.has(name)))) return undefined;
  return names.filter((name) => new Set(all.map((inputs) => printExpression(inputs.get(name)!))).size > 1);
}
