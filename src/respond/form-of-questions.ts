import { sha256Hex } from '../base/digest.js';
import { byteLength, cutToBytes, firstWords } from '../base/byte-budget.js';
import { shownJson } from '../base/canonical-json.js';
import type { JsonObject } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import type { TaskQuestion } from '../contract/durable-tasks.js';
import type { QuestionTold } from '../contract/question-told.js';
import type { CompiledWorkflow } from '../definitions/compiled/compiled-workflow.js';
import type { Event } from '../events/event.js';
import type { RunNode } from '../sessions/folded-session.js';
import { gapWords } from '../sessions/gap-words.js';
import { openQuestions } from '../sessions/person-answers.js';
import { withoutUsage } from '../sessions/usage.js';
import { tellQuestion } from './tell-question.js';

export interface QuestionForm extends TaskQuestion {
  /** Of this draft, and of so many open questions: it is used for no other. */
  readonly name: string;
  /** Which field answers which question. */
  readonly fields: ReadonlyMap<string, QuestionTold>;
}

/** What a draft asks of a person as one form; undefined where only a secret is asked for, which no form takes. */
export function formOfQuestions(
  workflow: CompiledWorkflow,
  node: RunNode,
  draft: Event<'step_blocked'>,
): QuestionForm | undefined {
  const open = openQuestions(node, draft);
  const asked = open
    .map((question) => tellQuestion(workflow, draft, question))
    .filter(({ asks }) => asks !== 'secret')
    .slice(0, limits.blockers);
  if (asked.length === 0) return undefined;
  const fields = new Map(asked.map((question, index) => [`answer${index + 1}`, question]));
  const isYesOrNo = asked.some(({ asks }) => asks !== 'value');
  return {
    name: `${draft.sum}.${open.length}`,
    fields,
    message: messageOf(workflow.title, draft),
    requestedSchema: {
      type: 'object',
      properties: {
        ...Object.fromEntries([...fields].map(([name, question]) => [name, fieldOf(question)])),
        ...(isYesOrNo && {
          [reasonField]: { type: 'string', title: 'Why not', description: 'Where the answer is no' },
        }),
      },
      required: [...fields.keys()],
    },
  };
}

export const reasonField = 'reason';

function fieldOf({ asks, text, wanted, type, values }: QuestionTold): JsonObject {
  const title = firstWords(text, limits.echo);
  const description = wanted === undefined ? text : `${text} (${wanted})`;
  const said = { title, ...(description !== title && { description }) };
  if (asks !== 'value') return { type: 'string', enum: ['yes', 'no'], ...said };
  if (values !== undefined && values.every((value) => typeof value === 'string'))
    return { type: 'string', enum: [...values], ...said };
  return { type: type === 'integer' || type === 'number' || type === 'boolean' ? type : 'string', ...said };
}

/** A person agrees to work, so all of the work is shown; whose words are whose is plain to see. What is asked stands at the fields. */
function messageOf(title: string, { data }: Event<'step_blocked'>): string {
  const { output, context = {}, gaps = [] } = data;
  const { notes, artifacts = [] } = withoutUsage(output ?? {});
  const parts = [
    ...(notes === undefined ? [] : [notes]),
    ...Object.entries(context).map(([key, value]) => `context.${key} = ${shownJson(value)}`),
    ...gaps.map((gap) => `${gap.severity} gap: ${gapWords(gap)}`),
    ...artifacts.map((artifact) => `artifact ${shownJson(artifact)}`),
  ];
  const all = parts.map(plainly).join('\n');
  const { shown, left } = shortened(all);
  const isCommand = data.command !== undefined;
  const whole = isCommand ? ` (of ${byteLength(all)}, SHA-256 ${sha256Hex(all)})` : '';
  const quoted = shown.replaceAll(/^/gmu, '> ');
  const work = parts.length === 0 ? ' nothing but its word that it is done.' : `:\n${quoted}`;
  const more =
    left === 0
      ? ''
      : `\n${left} more bytes${whole} are not shown here: read all of it with \`workrail answer\` or on the page.`;
  const lead = `“${title}” waits for you at “${data.step.title}”.`;
  // WorkRail does the step itself: no agent handed anything in.
  if (isCommand)
    return `${lead} ${data.command?.try === undefined ? 'This is what would be sent' : 'This was sent'}:\n${quoted}${more}`;
  return `${lead} The agent handed in${work}${more}`;
}

/** Nothing in it moves a cursor or turns the writing round. */
export const plainly = (text: string): string =>
  text.replaceAll(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069\u200b]/gu, ' ');

function shortened(text: string): { readonly shown: string; readonly left: number } {
  const shown = cutToBytes(text, limits.formWork);
  return { shown, left: byteLength(text) - byteLength(shown) };
}
