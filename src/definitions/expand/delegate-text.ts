import { canonicalJson } from '../../base/canonical-json.js';
import { bindExpression, bindText, type Binding, CannotBind } from '../expression/bind-expression.js';
import type { CompiledStep, CompiledWorkflow, LoopStep, PromptStep } from '../compiled/compiled-workflow.js';
import { keysGiven, promptsIn } from '../compiled/visit-steps.js';
import { expressionTree, type ExpressionTree } from '../expression/expression-tree.js';
import { delegatePieces } from './delegate-pieces.js';
import { bindingOf } from './expand-routine.js';
import { describeRule } from '../contracts/notes-rules.js';
import { listItem } from './prompt-blocks.js';
import { sortedEntries } from './sorted-entries.js';
import { tellCondition, tellExpression } from '../expression/tell-expression.js';
import { asTemplate, templateParts } from '../expression/template.js';
import { describeValue } from '../contracts/value-spec.js';
import { rootRead, visitExpression } from '../expression/visit-expression.js';

/**
 * A routine as the brief of a sub-agent, which has no part in the run: its prompts as numbered instructions, its loops and
 * conditions in words, and what to hand back. A template in the caller's scope; what only the sub-agent can know is named,
 * and so are the `open` inputs, which each of several pieces is given with a value of its own.
 */
export function delegateText(
  routine: CompiledWorkflow,
  callId: string,
  inputs: ReadonlyMap<string, ExpressionTree>,
  open: readonly string[] = [],
): string {
  const named = open.map((name) => [name, { op: 'name', name } as const] as const);
  const reader = new Reader(routine, bindingOf(routine, callId, new Map([...inputs, ...named])), new Set(open));
  const lines = [
    ...routine.guidance.map((line) => reader.text(line)),
    ...routine.preconditions.map((line) => `Make sure of this first: ${asTemplate(line)}`),
    ...routine.clarify.map((line) => `Settle this first: ${asTemplate(line)}`),
  ];
  const parts = [
    ...(lines.length === 0 ? [] : [lines.map((line) => listItem('-', line)).join('\n')]),
    reader.steps(routine.steps),
    ...(routine.references === undefined
      ? []
      : [
          `To read:\n${routine.references.map(({ title, path }) => listItem('-', asTemplate(`${title}: ${path}`))).join('\n')}`,
        ]),
    [
      'Hand back:',
      '- what you found and did, each claim with the place that shows it',
      '- what you could not find out, and what you did not look at',
    ].join('\n'),
  ];
  return parts.join('\n\n');
}

/** What a piece is given for its open inputs, each on a line. */
export function givenText(
  routine: CompiledWorkflow,
  callId: string,
  inputs: ReadonlyMap<string, ExpressionTree>,
  open: readonly string[],
): string {
  const binding = bindingOf(routine, callId, inputs);
  return open
    .map((name) =>
      listItem(
        '-',
        inputs.has(name) ? `\`${name}\` is ${bindText(`\${{ inputs.${name} }}`, binding)}` : `\`${name}\` is not given`,
      ),
    )
    .join('\n');
}

class Reader {
  /** Context keys that the sub-agent itself finds out on the way. */
  private readonly own: ReadonlySet<string>;

  constructor(
    routine: CompiledWorkflow,
    private readonly binding: Binding,
    private readonly open: ReadonlySet<string>,
  ) {
    this.own = new Set(promptsIn(routine.steps).flatMap(keysGiven));
  }

  /** Holes that can be filled when the brief is given stay; the others become the names of what they stand for. */
  text(text: string): string {
    return templateParts(text)
      .map((part) =>
        'text' in part
          ? part.text
          : this.isOwn(part.source)
            ? `\`${asTemplate(this.expression(part.source))}\``
            : bindText(`\${{ ${part.source} }}`, this.binding),
      )
      .join('');
  }

  steps(steps: readonly CompiledStep[]): string {
    return steps.map((step, at) => listItem(`${at + 1}.`, this.step(step))).join('\n');
  }

  private step(step: CompiledStep): string {
    const asked = this.condition(step.if);
    const condition = asked === undefined ? '' : ` (only where \`${asTemplate(asked)}\`)`;
    const heading = `**${this.text(step.title)}**${condition}`;
    switch (step.kind) {
      case 'prompt':
        return [heading, ...this.prompt(step)].join('\n\n');
      case 'loop':
        return `${heading} ${asTemplate(this.loop(step))}\n${this.steps(step.steps)}`;
      case 'group':
        return `${heading}\n${this.steps(step.steps)}`;
      case 'run':
        throw new CannotBind('it has steps that WorkRail runs itself; call it in a separate step');
      case 'fail':
        return `${heading}\n\nStop here, and hand back that it failed: ${this.text(step.message)}`;
    }
  }

  private loop({ loop, max }: LoopStep): string {
    const most = `, at most ${max} times`;
    switch (loop.type) {
      case 'foreach':
        return `For each \`${loop.as}\` of \`${this.expression(loop.list)}\`${most}:`;
      case 'while':
        return `While \`${this.expression(loop.test)}\`${most}:`;
      case 'until':
        return `Until \`${this.expression(loop.test)}\`${most}:`;
      case 'repeat':
        return `As often as \`${typeof loop.times === 'string' ? this.expression(loop.times) : String(loop.times)}\`:`;
      case 'control':
        return `Until another round would bring nothing new${most}:`;
    }
  }

  private prompt(step: PromptStep): readonly string[] {
    const asked = [
      ...sortedEntries(step.sets).map(
        ([key, spec]) =>
          `Tell \`${key}\`: ${describeValue(spec)}${spec.description === undefined ? '' : ` (${spec.description})`}`,
      ),
      ...step.outputs.map(({ kind, example }) => `Tell ${kind}, in this form: ${canonicalJson(example)}`),
      ...(step.assessments ?? []).map(
        ({ purpose, dimensions }) =>
          `Judge: ${purpose} ${dimensions.map(({ id, purpose: what, levels }) => `${id} (${what}): ${levels.join(', ')}`).join('; ')}`,
      ),
      ...step.rules.map((rule) => `Your words on this must ${describeRule(rule)}`),
    ];
    const needs = step.needs.map(
      ({ ask, holes }) =>
        `If it was not given to you, say that this is missing: ${holes === true ? this.text(ask) : asTemplate(ask)}`,
    );
    const functions = (step.functions ?? []).map(({ name, params, text }) => `${name}(${params.join(', ')}): ${text}`);
    const fragments = (step.fragments ?? []).map((part) => {
      const only = this.condition(part.if);
      return `${only === undefined ? '' : `Only where \`${asTemplate(only)}\`: `}${this.text(part.text)}`;
    });
    const delegates = delegatePieces(step, () => true).map(
      ({ title, goal, text }) => `**${this.text(title)}** ${this.text(goal)}\n\n${this.text(text)}`,
    );
    const lines = [
      ...step.guidance.map((line) => this.text(line)),
      ...[...functions, ...asked].map(asTemplate),
      ...needs,
    ];
    return [
      ...(step.role === undefined ? [] : [this.text(step.role)]),
      this.text(step.prompt).trimEnd(),
      ...fragments,
      ...delegates,
      ...(lines.length === 0 ? [] : [lines.map((line) => listItem('-', line)).join('\n')]),
    ];
  }

  private expression(source: string): string {
    return tellExpression(this.bound(source));
  }

  private condition(source: string | undefined): string | undefined {
    return tellCondition(source === undefined ? undefined : this.bound(source));
  }

  private bound(source: string): string {
    // Own steps keep their own names here.
    return bindExpression(source, { ...this.binding, prefix: '' });
  }

  private isOwn(source: string): boolean {
    const tree = expressionTree(source);
    if (!tree.ok) return true;
    let own = false;
    let whole = 0;
    visitExpression(tree.value, new Set(), (inner, variables) => {
      const read = rootRead(inner, variables);
      if (inner.op === 'name' && !variables.has(inner.name) && !['inputs', 'context'].includes(inner.name)) own = true;
      if (read?.root === 'context' && this.own.has(read.key)) own = true;
      if (inner.op === 'name' && inner.name === 'inputs' && !variables.has('inputs')) whole += 1;
      if (read?.root !== 'inputs') return;
      // The `inputs` inside this member is visited next.
      whole -= 1;
      if (this.open.has(read.key)) own = true;
    });
    return own || (whole > 0 && this.open.size > 0);
  }
}
