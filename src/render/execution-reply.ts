import { hole, isHole } from '../base/hole.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import { plainCopy } from '../base/plain-copy.js';
import type { NextCall } from '../base/rejection.js';
import type { ExecutionAnswer } from '../contract/answer.js';
import type { Reply } from '../contract/reply.js';
import { agentText } from './agent-text.js';
import { tellExecution } from './tell-execution.js';
import { said } from './telling.js';

/** What an agent reads: what happened, the step to do now, and the backbone in a fenced block at the end. */
export function executionReply(answer: ExecutionAnswer, offered: ReadonlySet<string>): Reply {
  const telling = tellExecution(answer, { reader: 'agent', keeps: offered.has('checkpoint_workflow') });
  const closing = answer.pending === null ? [] : [said(closingText(answer))];
  const fenced = said(`\`\`\`json\n${JSON.stringify(backbone(answer))}\n\`\`\``);
  return {
    failed: false,
    text: agentText([...telling, closing, [fenced]]),
    answer: plainCopy(answer),
    lookup: false,
  };
}

/** The lean part of an answer that calls are made of. */
function backbone(answer: ExecutionAnswer): JsonObject {
  const { kind, stateToken, ackToken, pending, isComplete, session, preferences, warnings, nextCall } = answer;
  return {
    kind,
    stateToken,
    ...(ackToken !== undefined && { ackToken }),
    pending:
      pending === null
        ? null
        : {
            stepId: pending.stepId,
            path: pending.path,
            title: pending.title,
            requireConfirmation: pending.requireConfirmation,
          },
    isComplete,
    session,
    preferences,
    warnings: [...new Set(warnings.map(({ code }) => code))],
    ...(nextCall !== undefined && { nextCall: leanCall(nextCall) }),
  };
}

/** The call with a bare hole for each thing: what goes into it stands in the text already. */
function leanCall({ tool, arguments: args }: NextCall): JsonObject {
  return { tool, arguments: Object.fromEntries(Object.entries(args).map(([field, value]) => [field, bare(value)])) };
}

function bare(value: JsonValue): JsonValue {
  if (isHole(value)) return hole();
  return isJsonObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([field, inner]) => [field, Array.isArray(inner) ? inner : bare(inner)]),
      )
    : value;
}

/** What makes a session readable only. */
const readOnly = new Set(['SESSION_DAMAGED', 'SESSION_NEWER_FORMAT']);

function closingText({ kind, pending, warnings }: ExecutionAnswer): string {
  if (warnings.some(({ code }) => readOnly.has(code))) return 'Nothing can be recorded here until that is mended.';
  if (kind === 'blocked') return 'Next: ask the user, then continue_workflow with both tokens and everything again.';
  const { artifacts = [], context = [], needs = [], confirmation } = pending?.expects ?? {};
  const also =
    artifacts.length + context.length + needs.length === 0 && confirmation?.required !== true
      ? 'the notes'
      : 'the above';
  return `When done: continue_workflow with both tokens and ${also}.`;
}
