import type { JsonValue } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { own } from '../base/own.js';
import { durationWords } from '../base/time-spent.js';
import type { CompiledWorkflow, RunStep } from '../definitions/compiled/compiled-workflow.js';
import { commandKey } from '../definitions/compiled/command-lookup.js';
import { isReading, isRepeatable, methodOf, type OperationShape } from '../definitions/compiled/operation-shape.js';
import { tellExpression } from '../definitions/expression/tell-expression.js';
import { previewPuts } from './preview-puts.js';

/** A step that WorkRail does itself, as it will be sent: what is filled when it is its turn stays a hole. */
export function previewCommand({ operations = {} }: CompiledWorkflow, step: RunStep): object {
  const operation = own(operations, commandKey(step));
  const method = operation?.method ?? methodOf(step.command);
  const reads = isReading(step.command, operation);
  const isOften = step.repeatable ?? isRepeatable(step.command, operation);
  return {
    run: commandKey(step),
    ...(method !== undefined && { method }),
    ...(operation !== undefined && { template: operation.path, ...elsewhere(operation), safety: operation.safety }),
    ...(operation === undefined && reads !== undefined && { safety: reads ? 'safe' : 'mutating' }),
    ...(isOften !== undefined && { repeatable: isOften }),
    ...(step.with !== undefined && { with: step.with }),
    ...(step.body !== undefined && { body: step.body }),
    ...(step.content !== undefined && { content: step.content }),
    ...(step.expect !== undefined && { expect: expected(step.expect) }),
    ...(step.keep !== undefined && { keep: toldFields(step.keep) }),
    ...(step.secret === true && { secret: true }),
    ...previewPuts(step.puts),
    ...(step.confirm === true && {
      confirm: step.confirmIf === undefined ? true : { if: tellExpression(step.confirmIf) },
    }),
    ...(step.dependsOn !== undefined && { dependsOn: step.dependsOn }),
    ...how(step, isOften),
  };
}

/** Where a command is sent that its catalog has at another address than the rest. */
const elsewhere = ({ baseUrl }: OperationShape): { readonly address?: string } =>
  baseUrl === undefined ? {} : { address: baseUrl };

const expected = (expect: NonNullable<RunStep['expect']>): JsonValue =>
  typeof expect === 'string' ? tellExpression(expect) : expect;

const toldFields = (fields: { readonly [name: string]: string }): { readonly [name: string]: string } =>
  Object.fromEntries(Object.entries(fields).map(([name, source]) => [name, tellExpression(source)]));

/** How often it is sent, and what becomes of an error, in words. */
function how(
  { until, everyMs = 0, max, timeoutMs, paginate, retry, onError }: RunStep,
  isOften: boolean | undefined,
): object {
  const within = timeoutMs === undefined ? [] : [`within ${durationWords(timeoutMs)}`];
  const words = [
    ...(until === undefined
      ? []
      : [
          `every ${durationWords(everyMs)} until ${tellExpression(until)}`,
          ...(max === undefined ? [] : [`at most ${max} times`]),
        ]),
    ...(paginate === undefined ? [] : [pagesInWords(paginate)]),
    ...within,
    ...(retry === undefined ? [] : [retryInWords(retry, isOften)]),
    ...(onError === 'continue' ? ['continues after an error'] : []),
  ];
  return words.length === 0 ? {} : { how: words.join(', ') };
}

function pagesInWords({ by, items, maxItems, maxPages }: NonNullable<RunStep['paginate']>): string {
  const list = items === undefined ? '' : ` of ${tellExpression(items)}`;
  const most = [
    ...(maxItems === undefined ? [] : [`${maxItems} items`]),
    ...(maxPages === undefined ? [] : [`${maxPages} pages`]),
  ].join(' and ');
  return `every page${list} by ${by}${most === '' ? '' : `, at most ${most}`}`;
}

/** Where a second time could do harm, only a server that says when to come back has surely done nothing. */
function retryInWords(
  { max = limits.callRetries, on = [], upToMs }: NonNullable<RunStep['retry']>,
  isOften: boolean | undefined,
): string {
  if (max === 0) return 'never tried again';
  const often = max === 1 ? 'tried again once' : `tried again up to ${max} times`;
  const usual = isOften === false ? [429, 503] : [];
  const causes = (on.length === 0 ? usual : on).join(', ');
  const after = causes === '' ? '' : ` after ${causes}${isOften === false ? ' with Retry-After' : ''}`;
  return `${often}${after}${upToMs === undefined ? '' : ` with pauses up to ${durationWords(upToMs)}`}`;
}
