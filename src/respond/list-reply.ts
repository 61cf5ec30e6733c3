import { firstWords } from '../base/byte-budget.js';
import type { ListAnswer, ListedWorkflow } from '../contract/answer.js';
import type { Reply } from '../contract/reply.js';
import { oncePerObject } from '../base/once-per-object.js';
import { callText } from '../contract/call-text.js';
import { startCall } from './start-call.js';
import { lookupReply } from '../contract/reply-with.js';

export function listReply(answer: ListAnswer, asked: string): Reply {
  const { workflows, total, nearest, nextCursor } = answer;
  const lines = workflows.map(listedText);
  if (workflows.length === 0 || nearest === true)
    lines.unshift(
      `No workflow matches${asked === '' ? '' : ` “${asked}”`}. ${callText({ tool: 'list_workflows', arguments: {} })} lists all.${nearest === true ? ' The nearest:' : ''}`,
    );
  const shown =
    workflows.length === total
      ? `${total} workflow${total === 1 ? '' : 's'}`
      : `${workflows.length} of ${total} workflows`;
  const head = total === 0 ? [] : [`${shown}:`];
  const tail: string[] = [];
  if (nextCursor !== undefined)
    tail.push(`More: ${callText({ tool: 'list_workflows', arguments: { cursor: nextCursor } })}`);
  if (answer.nextCall !== undefined) tail.push(`Then: ${callText(answer.nextCall)}${startTold(workflows)}.`);
  return lookupReply([...head, ...lines, ...tail].join('\n'), answer);
}

/** What can be started is; in a mode only where the list shows one. */
function startTold(workflows: readonly ListedWorkflow[]): string {
  const toStart = workflows.filter(({ startable, kind }) => startable && kind === 'workflow');
  if (toStart.length === 0) return '';
  const start = ', or start_workflow at once';
  const moded = toStart.filter(({ recommendedMode }) => recommendedMode !== undefined);
  if (moded.length === 0) return start;
  return `${start}, in the mode that stands with it${moded.length === toStart.length ? '' : ', where one does'}`;
}

/** An entry as the list shows it; what one measures a page by. */
export const listedText = oncePerObject((listed: ListedWorkflow): string => {
  const { id, title, description, kind, tags, source, idStatus, suggestedId, recommendedMode } = listed;
  const { startable, warningCount = 0, hides } = listed;
  const about = [
    idStatus === 'unknown' ? 'its id cannot be read, this is the file’s name' : '',
    kind === 'routine' ? 'routine' : '',
    tags.length > 0 ? tags.join(', ') : '',
    source,
    recommendedMode === undefined ? '' : `mode ${recommendedMode}`,
    listed.runsCommands === true ? 'runs commands' : '',
  ]
    .filter((part) => part !== '')
    .join('; ');
  const lines = [`- ${id}: ${title === id ? '' : `${title} `}(${about}). ${description}`.trimEnd()];
  if (startable && (listed.requiredInputs !== undefined || listed.optionalInputs !== undefined))
    lines.push(`  begins with: ${callText(startCall(listed))}${besides(listed.optionalInputs)}`);
  if (idStatus === 'legacy' && suggestedId !== undefined)
    lines.push(`  its id has no namespace: better ${suggestedId}`);
  for (const hidden of hides) lines.push(`  hides the one of the same id in ${hidden.file} (${hidden.source})`);
  if (startable && warningCount > 0)
    lines.push(
      `  ${warningCount} warning${warningCount === 1 ? '' : 's'}: ${callText({ tool: 'inspect_workflow', arguments: { workflowId: id } })}`,
    );
  if (!startable) lines.push(...brokenLines(listed));
  return lines.join('\n');
});

const namesTold = 6;
const nameBytes = 40;

/** What the start may hand in besides: inspect_workflow says what each is. */
function besides(names: readonly string[] = []): string {
  if (names.length === 0) return '';
  const told = names.slice(0, namesTold).map((name) => firstWords(name, nameBytes));
  const more = names.length - told.length;
  return `, and where known ${told.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function brokenLines({ id, file, violations, violationsOmitted = 0 }: ListedWorkflow): readonly string[] {
  const count = violations.length + violationsOmitted;
  const more = callText({ tool: 'inspect_workflow', arguments: { workflowId: id } });
  return [
    `  cannot be started, ${file} has ${count} violation${count === 1 ? '' : 's'}:`,
    ...violations.map((violation) => `  ${violationText(file, violation)}`),
    ...(violationsOmitted > 0 ? [`  and ${violationsOmitted} more: ${more}`] : []),
  ];
}

export function violationText(file: string, violation: { readonly [field: string]: unknown }): string {
  const { line, column, pointer, message } = violation;
  const place = typeof line === 'number' ? `${file}:${line}${typeof column === 'number' ? `:${column}` : ''}` : file;
  return `${place} ${typeof pointer === 'string' ? pointer : ''}: ${String(message)}`;
}
