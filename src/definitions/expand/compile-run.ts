import { assert } from '../../base/assert.js';
import { defined } from '../../base/defined.js';
import { commandKey, type CommandLookup, commandParts } from '../compiled/command-lookup.js';
import type { CompiledStep, FailStep, InputProvider, RunStep } from '../compiled/compiled-workflow.js';
import type { OperationShape } from '../compiled/operation-shape.js';
import { duration } from '../source/duration.js';
import { compilePuts } from './compile-puts.js';
import type { StepSource, WorkflowSource } from '../source/workflow-format.js';

type Base = Pick<CompiledStep, 'id' | 'title' | 'if'>;

/** Where commands are looked up, and where it is noted down what was found. */
export interface CommandSurroundings {
  readonly commands: CommandLookup | undefined;
  readonly operations: Map<string, OperationShape>;
}

export function compileRun(step: StepSource, base: Base, _at: string, around: CommandSurroundings): RunStep {
  const { confirm = false, depends_on: dependsOn } = step;
  const own = defined<Omit<RunStep, keyof Base | 'kind' | 'catalog' | 'command'>>({
    with: filledFields(step.with),
    body: step.body,
    content: step.content,
    expect: compileExpect(step.expect),
    keep: step.keep && trimmed(step.keep),
    until: step.until?.trim(),
    // What it is where it is left out, so that both are one thing.
    everyMs: step.until === undefined ? undefined : (span(step.every) ?? 10_000),
    max: step.max,
    timeoutMs: span(step.timeout),
    retry: step.retry && compileRetry(step.retry),
    paginate: step.paginate && compilePaginate(step.paginate),
    onError: step.on_error === 'continue' ? 'continue' : undefined,
    confirm: confirm === false ? undefined : true,
    confirmIf: typeof confirm === 'object' ? confirm.if.trim() : undefined,
    repeatable: step.repeatable,
    dependsOn: dependsOn && [...new Set(dependsOn)].toSorted(),
    puts: compilePuts(step).puts,
    secret: step.secret,
  });
  return { kind: 'run', ...base, ...named(step.run, around), ...own };
}

export function compileFail(step: StepSource, base: Base): FailStep {
  return { kind: 'fail', ...base, message: step.fail ?? '' };
}

export function compileProvider(
  provider: NonNullable<WorkflowSource['inputs'][string]['provider']>,
  around: CommandSurroundings,
): InputProvider {
  const { on_error: onError } = provider;
  const own = defined<Omit<InputProvider, 'catalog' | 'command'>>({
    with: filledFields(provider.with),
    items: otherThan('body', provider.items?.trim()),
    value: provider.value.trim(),
    label: provider.label?.trim(),
    onError: onError === 'prompt' ? undefined : onError,
  });
  return { ...named(provider.run, around), ...own };
}

function named(
  run: string | undefined,
  { commands, operations }: CommandSurroundings,
): Pick<RunStep, 'catalog' | 'command'> {
  const parts = commandParts(run ?? '');
  assert(parts !== undefined, 'the schema has seen the name of the command');
  const found = commands?.(parts.catalog, parts.command);
  if (found !== undefined && !('problem' in found)) operations.set(commandKey(parts), found);
  return parts;
}

function compileExpect(expect: StepSource['expect']): RunStep['expect'] {
  if (expect === undefined || typeof expect === 'number') return expect === undefined ? undefined : [expect];
  if (typeof expect === 'string' && !isStatusClass(expect)) return expect.trim();
  const all = typeof expect === 'string' ? [expect] : expect;
  const statuses = [...new Set(all)].toSorted((a, b) => (String(a) < String(b) ? -1 : 1));
  return statuses.length === 1 && statuses[0] === '2xx' ? undefined : statuses;
}

type StatusClass = Extract<NonNullable<RunStep['expect']>, readonly unknown[]>[number] & string;
export const isStatusClass = (text: string): text is StatusClass => /^[1-5]xx$/u.test(text);

function compileRetry({ max, on, up_to: upTo }: NonNullable<StepSource['retry']>): RunStep['retry'] {
  if (max === undefined && on === undefined && upTo === undefined) return undefined;
  const after = on && [...new Set(on)].toSorted((a, b) => (String(a) < String(b) ? -1 : 1));
  return defined<NonNullable<RunStep['retry']>>({ max, on: after, upToMs: span(upTo) });
}

const begins = { page: 1, offset: 0 };

function compilePaginate(paginate: NonNullable<StepSource['paginate']>): RunStep['paginate'] {
  const { by, items, next, param, first, max_items: maxItems, max_pages: maxPages } = paginate;
  const counted = by === 'page' || by === 'offset' ? by : undefined;
  return defined<NonNullable<RunStep['paginate']>>({
    by,
    items: otherThan('body', items?.trim()),
    next: next?.trim(),
    param: param ?? counted,
    first: counted && (first ?? begins[counted]),
    maxItems,
    maxPages,
  });
}

const otherThan = (usual: string, text: string | undefined): string | undefined => (text === usual ? undefined : text);
const span = (text: string | undefined): number | undefined => (text === undefined ? undefined : duration(text));

const filledFields = <T extends object>(fields: T | undefined): T | undefined =>
  fields === undefined || Object.keys(fields).length === 0 ? undefined : fields;
const trimmed = (fields: { readonly [name: string]: string }): { readonly [name: string]: string } =>
  Object.fromEntries(Object.entries(fields).map(([name, source]) => [name, source.trim()]));
