import type { JsonObject } from '../base/json-value.js';
import type {
  CompiledStep,
  CompiledWorkflow,
  LoopStep,
  PromptStep,
} from '../definitions/compiled/compiled-workflow.js';
import { contextKeys } from '../definitions/expand/context-keys.js';
import { delegatePieces } from '../definitions/expand/delegate-pieces.js';
import { pathOf, placesOf } from '../definitions/compiled/place.js';
import { tellCondition, tellExpression } from '../definitions/expression/tell-expression.js';
import { asJson } from '../contract/reply-with.js';
import { previewPuts } from './preview-puts.js';
import { previewCommand } from './preview-command.js';
import { tellExpects } from './tell-step.js';

/** Every step in order with what it asks back, holes and all: what a run will show once they are filled. */
export function previewSteps(workflow: CompiledWorkflow): readonly JsonObject[] {
  return [...previewFrom(workflow, 0)];
}

/** The same from one of them on, each made when it is asked for. */
export function* previewFrom(workflow: CompiledWorkflow, from: number): Generator<JsonObject> {
  const places = [...placesOf(workflow).values()].slice(from);
  // What some step sets is asked of that step; a run asks others for it only where that one was skipped.
  const declared = Object.fromEntries(contextKeys(workflow).set.map((key) => [key, true]));
  for (const { step, around } of places) {
    const condition = tellCondition(step.if);
    const common = {
      path: pathOf(around, [], step.id),
      stepId: step.id,
      title: step.title,
      kind: step.kind,
      ...(condition !== undefined && { if: condition }),
    };
    yield asJson({ ...common, ...ownPreview(workflow, step, declared) });
  }
}

function ownPreview(workflow: CompiledWorkflow, step: CompiledStep, declared: JsonObject): object {
  switch (step.kind) {
    case 'prompt':
      return promptPreview(workflow, step, declared);
    case 'loop':
      return {
        loop: toldLoop(step.loop),
        max: step.max,
        goes: loopInWords(step),
        ...(step.line !== undefined && { line: step.line }),
        ...(step.collect !== undefined && { collect: step.collect }),
      };
    case 'run':
      return previewCommand(workflow, step);
    case 'fail':
      return { fail: step.message };
    case 'group':
      return {};
  }
}

function toldLoop(loop: LoopStep['loop']): LoopStep['loop'] {
  if (loop.type === 'while' || loop.type === 'until') return { ...loop, test: tellExpression(loop.test) };
  if (loop.type === 'foreach') return { ...loop, list: tellExpression(loop.list) };
  return loop.type === 'repeat' && typeof loop.times === 'string'
    ? { ...loop, times: tellExpression(loop.times) }
    : loop;
}

function loopInWords({ loop: asked, max }: LoopStep): string {
  const loop = toldLoop(asked);
  const most = `at most ${max} times`;
  switch (loop.type) {
    case 'foreach':
      return `once for each ${loop.as} of ${loop.list}, ${most}`;
    case 'while':
      return `while ${loop.test}, asked before each round, ${most}`;
    case 'until':
      return `until ${loop.test}, asked after each round, ${most}`;
    case 'repeat':
      return `${loop.times} times, ${most}`;
    case 'control':
      return `until a wr.loop_control of the round says stop, ${most}`;
  }
}

/** What every prompt step has is left out where it says nothing. */
function promptPreview(workflow: CompiledWorkflow, step: PromptStep, declared: JsonObject): object {
  const { role, prompt, guidance, confirm, confirmIf, functions, fragments, assessments } = step;
  const delegates = delegatePieces(step, () => true);
  const preview = { context: declared, isAnswer: () => true, fill: (text: string) => text };
  const { notes, context, needs } = tellExpects(workflow, step, preview, confirm);
  return {
    ...(role !== undefined && { role }),
    ...(guidance.length > 0 && { guidance }),
    prompt,
    ...(fragments !== undefined && { fragments: fragments.map(told) }),
    ...(functions !== undefined && { functions }),
    ...(delegates.length > 0 && { delegates: delegates.map(told) }),
    notes: { required: notes.required, encouraged: step.notes !== 'optional', rules: notes.rules },
    ...(step.outputs.length > 0 && { artifacts: step.outputs.map(({ example: _example, ...told }) => told) }),
    ...(assessments !== undefined && { assessments }),
    ...(context.length > 0 && {
      context: context.map(({ key, required, wanted, description, neededBy }) => ({
        key,
        required,
        wanted,
        description,
        neededBy,
      })),
    }),
    ...previewPuts(step.puts),
    ...(needs.length > 0 && { needs: needs.map(({ reason, key, ask }) => ({ reason, key, ask })) }),
    ...(confirm && { confirm: confirmIf === undefined ? true : { if: tellExpression(confirmIf) } }),
  };
}

/** With its condition in words, where it has one. */
function told<T extends { readonly if?: string }>({ if: asked, ...part }: T): Omit<T, 'if'> & { readonly if?: string } {
  const condition = tellCondition(asked);
  return { ...part, ...(condition !== undefined && { if: condition }) };
}
