import type { JsonObject } from '../../base/json-value.js';
import { plainCopy } from '../../base/plain-copy.js';
import type { ExecutionAnswer, PendingStep } from '../../contract/answer.js';
import type { Reply } from '../../contract/reply.js';
import { agentText } from './agent-text.js';
import { nextOfCommand } from './tell-commands.js';
import { tellElsewhere, tellExecution } from './tell-execution.js';
import { said, type Told } from '../telling.js';

/**
 * What an agent reads: what happened, the step to do now, and in a fenced block what calls are made of. What it has
 * read in an earlier round of a loop is not told again.
 */
export function executionReply(answer: ExecutionAnswer, offered: ReadonlySet<string>, earlier?: PendingStep): Reply {
  const audience = { reader: 'agent', keeps: offered.has('checkpoint_workflow') } as const;
  const fenced = said(`\`\`\`json\n${JSON.stringify(backbone(answer))}\n\`\`\``);
  const telling = tellExecution(answer, audience, earlier);
  const closing = earlier === undefined ? closingText(answer) : [];
  return {
    failed: false,
    text: agentText([...telling, closing, [fenced], ...tellElsewhere(answer, audience)]),
    answer: plainCopy(answer),
    lookup: false,
  };
}

/** The tokens, where the run stands, and what this call changed. The whole answer is in its data. */
function backbone(answer: ExecutionAnswer): JsonObject {
  const { kind, happened, stateToken, ackToken, pending, isComplete, session, preferences, page } = answer;
  if (page !== undefined) return { kind, stateToken };
  const warnings = [...new Set(answer.warnings.map(({ code }) => code))];
  const isNews = happened === 'started' || happened === 'looked_at_tip' || happened === 'looked_back';
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
            ...(pending.requireConfirmation && { requireConfirmation: true }),
          },
    isComplete,
    ...(isNews && { session }),
    ...((isNews || answer.preferencesChanged === true) && { preferences }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** What makes a session readable only. */
const readOnly = new Set(['SESSION_DAMAGED', 'SESSION_NEWER_FORMAT']);

/** What goes on from a block: what the user says, and what of the work need not come again. */
function nextOfBlock({ confirm, refused, themselves }: NonNullable<ExecutionAnswer['draft']>): string {
  if (themselves === true)
    return refused === undefined
      ? 'Next: tell the user that this waits for their own answer (workrail answer, the page, or a form of this program), since they said no there before. Once they have answered, continue_workflow with both tokens alone goes on.'
      : 'Next: change the work as the user wants it, then continue_workflow with both tokens and the changed work. They are asked again, and answer themselves.';
  const keys = Object.keys(confirm?.arguments['context'] ?? {}).map((key) => `context.${key}`);
  if (keys.length > 0)
    return `Next: ask the user, then continue_workflow with both tokens and ${keys.join(', ')} alone${confirm?.arguments['confirmed'] === undefined ? '' : ', with "confirmed": true once they agree'}. What was handed in is taken as it waits; what you send anew takes the place of that part.`;
  if (confirm !== undefined)
    return 'Next: show the user what was handed in. If they agree, continue_workflow with both tokens and "confirmed": true alone records it as it is; what they want otherwise goes with it, and the rest is taken as it waits. Until they answer, this step waits.';
  return refused === undefined
    ? 'Next: ask the user, then continue_workflow with both tokens, "confirmed": true and notes with what they answered. What was handed in is kept; what you send anew takes the place of that part.'
    : 'Next: change the work as the user wants it, then continue_workflow with both tokens and the changed work, and with "confirmed": true once they agree to it.';
}

function closingText(answer: ExecutionAnswer): readonly Told[] {
  const { kind, pending, warnings, page, draft } = answer;
  if (pending === null && kind === 'blocked' && page === undefined) return [said(nextOfCommand(answer))];
  if (pending === null || page !== undefined) return [];
  if (warnings.some(({ code }) => readOnly.has(code)))
    return [said('Nothing can be recorded here until that is mended.')];
  if (kind === 'blocked' && draft !== undefined) return [said(nextOfBlock(draft))];
  const { artifacts, context, needs, confirmation } = pending.expects;
  const also =
    artifacts.length + context.length + needs.length === 0 && confirmation.required !== true
      ? 'the notes'
      : 'the above';
  return [said(`When done: continue_workflow with both tokens and ${also}.`)];
}
