import { assert } from '../base/assert.js';
import { limits } from '../base/limits.js';
import { own } from '../base/own.js';
import type { CompiledWorkflow, PromptStep } from '../definitions/compiled/compiled-workflow.js';
import { asksAgreement, mayAskByVerdict } from '../definitions/expression/asks-agreement.js';
import { answerTo, asksFor, askOf, type Known, wrongWith } from '../definitions/contracts/needs-asked.js';
import { assessmentContract } from '../definitions/contracts/assessment-contract.js';
import { delegatePieces } from '../definitions/expand/delegate-pieces.js';
import { contextDemand } from '../definitions/check/context-demand.js';
import { stepReads } from '../definitions/check/step-reads.js';
import { contextReads } from '../definitions/expression/context-reads.js';
import { tellCondition } from '../definitions/expression/tell-expression.js';
import { evaluateCondition, type Scope } from '../definitions/expression/expression.js';
import { notesExample, plainNotes } from '../definitions/contracts/notes-example.js';
import { describeRule } from '../definitions/contracts/notes-rules.js';
import { placesOf, promptStep } from '../definitions/compiled/place.js';
import { scopeAt } from '../definitions/expression/scope-at.js';
import { type Instead, renderTemplate } from '../definitions/expression/template.js';
import { describeKey } from '../definitions/contracts/value-spec.js';
import type { ExpectedKey, Expects, PendingStep, WarningTold } from '../contract/answer.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import { recordsAt } from '../sessions/records.js';
import { roundsDone } from '../sessions/rounds-done.js';
import { isAnswered } from '../sessions/values-of-round.js';

export interface ToldStep {
  readonly pending: PendingStep;
  readonly warnings: readonly WarningTold[];
}

/**
 * The step that waits at a node as its author wrote it, with every hole filled from what the node inherits. Whoever is
 * told may know some of that; what is for others, they do not.
 */
export function tellStep(
  session: FoldedSession,
  workflow: CompiledWorkflow,
  node: RunNode,
  known: Instead = () => undefined,
): ToldStep {
  const { pending } = node;
  assert(pending !== undefined, 'there is a step to tell');
  const step = promptStep(workflow, pending.id);
  const inputs = session.runs.get(node.run)?.started.data.inputs ?? {};
  const records = recordsAt(session, node);
  const scope: Scope = {
    ...scopeAt(workflow, { ...records, inputs, rounds: roundsDone(session, node) }, pending.frames),
    meter: { left: limits.stepWork },
  };
  const problems: string[] = [];
  const fill = (text: string, kind: 'line' | 'lines' = 'line', instead?: Instead): string => {
    const rendered = renderTemplate(text, scope, kind, instead);
    problems.push(...rendered.problems.map(({ expression, message }) => `\${{ ${expression} }}: ${message}`));
    return rendered.text;
  };
  const facts: Known = {
    context: records.context,
    isAnswer: (need) => isAnswered(session, node, (id, key) => asksFor(promptStep(workflow, id), key), need),
    fill: (text) => fill(text),
  };
  const expects = tellExpects(workflow, step, facts, asksAgreement(step, scope));
  // Its condition is asked with what the step itself hands back: where that may settle it, agreement may be needed.
  const decidesItself =
    mayAskByVerdict(step) ||
    contextReads(step.confirmIf ?? '').some(
      ({ key }) => expects.context.some((asked) => asked.key === key) || Object.hasOwn(step.takes ?? {}, key),
    );
  const asks = expects.confirmation.required || decidesItself;
  const where = decidesItself ? tellCondition(step.confirmIf) : undefined;
  const delegates = delegatePieces(step, (condition) => applies(condition, scope)).map(({ title, goal, text }) => ({
    title: fill(title),
    goal: fill(goal),
    text: fill(text),
  }));
  return {
    pending: {
      stepId: step.id,
      path: pending.path,
      title: fill(step.title),
      requireConfirmation: asks,
      ...(step.role !== undefined && { role: fill(step.role) }),
      prompt: [step.prompt, ...applying(step, scope)].map((text) => fill(text, 'lines', known)).join('\n\n'),
      guidance: step.guidance.map((text) => fill(text)),
      ...(step.functions !== undefined && { functions: step.functions }),
      ...(workflow.references !== undefined && { references: workflow.references }),
      ...(delegates.length > 0 && { delegates }),
      expects: {
        ...expects,
        confirmation: { ...expects.confirmation, required: asks, ...(where !== undefined && { where }) },
      },
    },
    warnings: [...new Set(problems)].map((message) => ({ code: 'TEMPLATE_PROBLEM', message, path: pending.path })),
  };
}

/** The fragments whose condition holds; one that cannot be told does not. */
function applying(step: PromptStep, scope: Scope): readonly string[] {
  return (step.fragments ?? []).filter((part) => applies(part.if, scope)).map(({ text }) => text);
}

function applies(condition: string | undefined, scope: Scope): boolean {
  if (condition === undefined) return true;
  const holds = evaluateCondition(condition, scope);
  return holds.ok && holds.value;
}

/** What decides whether a loop around goes on may be another in each round, and is asked for in each. */
function keysOfLoopsAround(workflow: CompiledWorkflow, stepId: string): ReadonlySet<string> {
  const around = placesOf(workflow).get(stepId)?.around ?? [];
  return new Set(around.flatMap((outer) => stepReads(outer).goingOn.map(({ read }) => read.key)));
}

/** Everything the step wants back: what its author asked for, and the context keys that coming conditions read. */
export function tellExpects(workflow: CompiledWorkflow, step: PromptStep, known: Known, asks: boolean): Expects {
  const { context } = known;
  const turning = keysOfLoopsAround(workflow, step.id);
  const isKnown = (key: string): boolean => Object.hasOwn(context, key);
  const demand = contextDemand(workflow, step.id, (key) => !isKnown(key) || turning.has(key));
  const satisfied = new Set(
    step.needs.flatMap((need) => {
      const answer = answerTo(need, known);
      return answer !== undefined && wrongWith(step, need, answer).length === 0 ? [need.key] : [];
    }),
  );
  return {
    notes: {
      required: step.notes === 'required' || step.rules.length > 0,
      rules: step.rules.map(describeRule),
      example: notesExample(step.rules) ?? plainNotes,
    },
    artifacts: [...step.outputs, ...(step.assessments ?? []).map(assessmentContract)].map(
      ({ kind, required, schema, example, contract }) => ({
        kind,
        required,
        schema,
        example,
        ...(contract !== undefined && { contract }),
      }),
    ),
    ...(step.assessments !== undefined && { assessments: step.assessments }),
    // What is known already is not to be handed back once more.
    context: demand
      .filter(({ key, declared }) => !declared || !satisfied.has(key))
      .map(({ key, spec, example, declared, required, neededBy }): ExpectedKey => ({
        key,
        type: spec.type,
        required: required && ((declared && own(step.sets, key)?.required !== false) || !isKnown(key)),
        ...(spec.enum !== undefined && { values: spec.enum }),
        ...(spec.description !== undefined && { description: spec.description }),
        wanted: describeKey(spec),
        example,
        neededBy,
      })),
    confirmation: { required: asks, field: 'confirmed' },
    needs: step.needs.map((need) => ({
      reason: need.reason,
      key: need.key,
      ask: askOf(need, known),
      satisfied: satisfied.has(need.key),
    })),
  };
}
