import { plural } from '../../base/plural.js';
import type { JsonObject, JsonValue } from '../../base/json-value.js';
import type {
  GetAnswer,
  InputsAnswer,
  PlanAnswer,
  RenderedAnswer,
  ResolveAnswer,
  ValidateAnswer,
  WrittenAnswer,
} from '../../contract/author-answers.js';
import { callText } from '../../contract/call-text.js';
import { previewText } from '../../contract/preview-text.js';
import type { Reply } from '../../contract/reply.js';
import { lookupReply, replyWith } from '../../contract/reply-with.js';
import { violationText } from '../list-reply.js';

/** What the next page is asked with: the same request. A text is not repeated. */
interface Asked {
  readonly workflowId?: string | undefined;
  readonly inputs?: JsonObject | undefined;
}

export function getReply(answer: GetAnswer): Reply {
  const { workflowId, path, format, revision, content, parsed, nextCursor, nextCall } = answer;
  const lines = [`${workflowId}, ${path} (${format}), revision ${revision}:`, fenced(content, format)];
  if (parsed !== undefined) lines.push('The same as data:', fenced(JSON.stringify(parsed), 'json'));
  if (nextCursor !== undefined)
    lines.push(`More: ${callText({ tool: 'get_workflow', arguments: { workflowId, cursor: nextCursor } })}`);
  lines.push(`To change it: ${callText(nextCall)}`);
  return lookupReply(lines.join('\n'), answer);
}

/** A fence that the text does not end itself. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/gu)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`;
}

export function validateReply(answer: ValidateAnswer): Reply {
  const { valid, file, workflowId, violations, violationsOmitted = 0, warnings, nextCall } = answer;
  const lines = [
    valid
      ? `${workflowId ?? file} is valid${warnings.length === 0 ? '' : `, with ${plural(warnings.length, 'warning')}`}.`
      : `${workflowId ?? file} has ${plural(violations.length + violationsOmitted, 'violation')}:`,
    ...violations.map((one) => `- ${violationText(file, one)}${mending(one)}`),
    ...(violationsOmitted > 0 ? [`- and ${violationsOmitted} more, told once these are mended`] : []),
    ...warnings.map((one) => `- warning: ${violationText(file, one)}${mending(one)}`),
  ];
  if (nextCall !== undefined) lines.push(`Next: ${callText(nextCall)}`);
  return lookupReply(lines.join('\n'), answer);
}

const mending = ({ message, expected, closest, patch }: JsonObject): string =>
  [
    ...(typeof expected === 'string' && !(typeof message === 'string' && message.includes(expected))
      ? [`; expected ${expected}`]
      : []),
    ...(typeof closest === 'string' ? [`; closest: ${closest}`] : []),
    ...(Array.isArray(patch) ? [`; mended by ${JSON.stringify(patch)}`] : []),
  ].join('');

const done: { readonly [happened in WrittenAnswer['happened']]: string } = {
  created: 'Saved',
  replaced: 'Replaced',
  unchanged: 'It is so already:',
  renamed: 'Renamed to',
  deleted: 'Moved to the trash:',
};

export function writtenReply(answer: WrittenAnswer): Reply {
  const { workflowId, path, revision, happened, warnings, nextCall } = answer;
  const lines = [
    `${done[happened]} ${workflowId} (${path}), revision ${revision}.`,
    ...warnings.map(({ message }) => `Note: ${message}.`),
    `Next: ${callText(nextCall)}`,
  ];
  return replyWith(lines.join('\n'), answer, { happened, workflowId, path, revision });
}

export function inputsReply(answer: InputsAnswer): Reply {
  const { workflowId, inputs, example } = answer;
  const lines = [
    inputs.length === 0 ? `${workflowId} takes no inputs.` : `${workflowId} takes:`,
    ...inputs.map(({ name, required, wanted, description, default: otherwise, rules }) => {
      const said = description === undefined ? '' : ` (${description})`;
      const before = otherwise === undefined ? '' : `; ${JSON.stringify(otherwise)} where it is not given`;
      return `- ${name}${required ? ' (required)' : ''}: ${wanted}${said}${before}; rules ${JSON.stringify(rules)}`;
    }),
    `Next: ${callText(example)}`,
  ];
  return lookupReply(lines.join('\n'), answer);
}

export function resolveReply(answer: ResolveAnswer): Reply {
  const { workflowId, ready, inputs, resolved, unknown, nextCall } = answer;
  const lines = [
    `${workflowId} is ${ready ? 'ready to start' : 'not ready'}.`,
    ...inputs.map(({ name, outcome, value, reason, choices = [], nextCall: more }) => {
      if (outcome === 'resolved') return `- ${name}: ${JSON.stringify(value)}`;
      if (outcome === 'skip') return `- ${name}: left out`;
      const offered = choices.map(({ value: one, label }) =>
        label === one ? JSON.stringify(one) : `${JSON.stringify(one)} (${label})`,
      );
      return [
        `- ${name}: ${outcome === 'prompt' ? 'ask the user for it' : 'wrong'}${reason === undefined ? '' : `; ${reason}`}`,
        ...(offered.length === 0 ? [] : [`; choices: ${offered.join(', ')}`]),
        ...(more === undefined ? [] : [`; more: ${callText(more)}`]),
      ].join('');
    }),
    ...unknown.map((message) => `- ${message}`),
    `Resolved: ${JSON.stringify(resolved)}`,
    `Next: ${callText(nextCall)}`,
  ];
  return lookupReply(lines.join('\n'), answer);
}

export function renderedReply(answer: RenderedAnswer, asked: Asked): Reply {
  const { workflowId, steps, nextCursor } = answer;
  const lines = [
    `${workflowId}, as far as it is known before a run:`,
    ...steps.map((step) => `${previewText(step)}${runsTold(step['runs'])}`),
    ...more('preview_rendered', asked, nextCursor),
  ];
  return lookupReply(lines.join('\n'), answer);
}

const runsTold = (runs: JsonValue | undefined): string =>
  runs === 'no'
    ? '\n  skipped: its condition is false'
    : runs === 'unknown'
      ? '\n  done or skipped: only the run can tell'
      : '';

export function planReply(answer: PlanAnswer, asked: Asked): Reply {
  const { workflowId, plan, confirm, catalogs, steps, nextCursor, nextCall } = answer;
  const lines = [
    `Plan ${plan} of ${workflowId}${confirm ? ', which the user confirms before anything in it is changed' : ''}:`,
    ...steps.map((step) => `- ${planLine(step)}`),
    ...(catalogs.length === 0 ? [] : [`Catalogs: ${JSON.stringify(catalogs)}`]),
    ...more('plan_steps', asked, nextCursor),
    `Next: ${callText(nextCall)}`,
  ];
  return lookupReply(lines.join('\n'), answer);
}

function planLine({
  path,
  title,
  kind,
  command,
  address,
  dependsOn,
  if: condition,
  runs,
  goes,
  confirm,
  safety,
  waitsFor,
}: JsonObject): string {
  const said = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : JSON.stringify(value));
  return [
    `${said(path)}: ${said(title)} (${said(kind)})`,
    ...(command === undefined ? [] : [`${said(command)}${address === undefined ? '' : ` at ${said(address)}`}`]),
    ...(dependsOn === undefined ? [] : [`after ${(dependsOn as readonly string[]).join(', ')}`]),
    ...(goes === undefined ? [] : [said(goes)]),
    ...(condition === undefined ? [] : [`only if ${said(condition)} (${said(runs)})`]),
    ...(confirm === undefined ? [] : ['asks for agreement']),
    ...(waitsFor === undefined ? [] : [`waits for ${(waitsFor as readonly string[]).join(' and ')}`]),
    ...(safety === undefined ? [] : [said(safety)]),
  ].join('; ');
}

const more = (tool: string, { workflowId, inputs }: Asked, cursor: string | undefined): readonly string[] =>
  cursor === undefined
    ? []
    : [
        `More: ${callText({ tool, arguments: { ...(workflowId !== undefined && { workflowId }), ...(inputs !== undefined && { inputs }), cursor } })}${workflowId === undefined ? ', with the same content' : ''}`,
      ];
