import { digestOf } from '../../base/digest.js';
import { shownJson } from '../../base/canonical-json.js';
import type { NodeId, VersionId } from '../../base/ids.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import { applyPatch } from '../../base/patch/apply-patch.js';
import type { PatchOperation } from '../../base/patch/json-patch.js';
import { arrayIndex, isArray, parsePointer, pointerTo, valueAt } from '../../base/patch/json-pointer.js';
import { openDocument } from '../../base/patch/live-document.js';
import type { PatchProblem } from '../../base/patch/patch-problem.js';
import { err, ok, type Result } from '../../base/result.js';
import { noSharedState } from '../../base/state-seen.js';
import type { Put } from '../../definitions/compiled/compiled-workflow.js';
import { evaluate, type EvaluationFailure, type Scope } from '../../definitions/expression/expression.js';
import { templateParts } from '../../definitions/expression/template.js';
import type { EventDraft, Who } from '../../events/event.js';
import type { FoldedSession, RunNode } from '../../sessions/folded-session.js';
import { judgeState } from './judge-state.js';
import type { StateNow } from './state-read.js';
import { decideStateWrite, type StateRefused } from './state-write.js';

/** What a step puts into the shared state, and what is known when it does. */
export interface StepPuts {
  readonly puts: readonly Put[];
  /** With what the step itself leaves, under `outputs` and as `output`. */
  readonly scope: Scope;
  /** Where the step stood, and what it leads to. */
  readonly node: RunNode;
  readonly child: NodeId;
}

export interface PutsDone {
  readonly events: readonly EventDraft[];
  /** As it stands after it. */
  readonly now: StateNow | undefined;
}

/** Why nothing was put: which of them is the trouble, where it is one of them. */
export interface PutRefused {
  readonly put?: Put;
  /** The context key that has no value. */
  readonly missing?: string;
  readonly code:
    | 'NOT_FOUND'
    | 'PRECONDITION_FAILED'
    | 'PATCH_FAILED'
    | 'LIMIT_EXCEEDED'
    | 'STATE_INVALID'
    | 'STATE_CLOSED';
  readonly message: string;
  /** Nobody can mend it with what the step hands back. */
  readonly isOutside?: true;
}

/**
 * Everything that a step puts into the shared state becomes one version, or nothing does. Its expressions see the state
 * as it was before, and it is done to the newest version, whatever the step was told of an older one.
 */
export function decidePuts(
  session: FoldedSession,
  now: StateNow | undefined,
  { puts, scope, node, child }: StepPuts,
  who: Who | undefined,
): Result<PutsDone, readonly PutRefused[]> {
  if (puts.length === 0) return ok({ events: [], now });
  if (now === undefined) return err([{ code: 'NOT_FOUND', message: noSharedState, isOutside: true }]);
  const made = operationsOf(puts, now.value, scope);
  if (!made.ok) return made;
  const { ops, value } = made.value;
  // The same step of another clone, or done once more, is another change.
  const id = digestOf({ puts: child }).slice(0, 12) as VersionId;
  const by = { judge: judgeState, ...(who !== undefined && { who }) };
  const written = decideStateWrite(session, now.state, { mode: 'patch', ops }, { exactly: false, id }, by);
  if (!written.ok) return err(refusals(written.error, puts, now));
  if (written.value.events.length === 0) return ok({ events: [], now });
  const events = written.value.events.map((event): EventDraft => ({ ...event, run: node.run, node: node.id }));
  return ok({ events, now: { state: now.state, version: { id }, value } });
}

interface Made {
  readonly ops: readonly PatchOperation[];
  readonly value: JsonValue;
}

/** Each is done to a copy, so that the next one finds what the one before has made. */
function operationsOf(puts: readonly Put[], before: JsonValue, scope: Scope): Result<Made, readonly PutRefused[]> {
  const document = openDocument(before);
  if (!document.ok) return err([refusedPatch(undefined, document.error)]);
  const ops: PatchOperation[] = [];
  const refused: PutRefused[] = [];
  for (const put of puts) {
    const operation = operationOf(put, document.value.value, scope);
    if (!operation.ok) {
      refused.push(operation.error);
      continue;
    }
    const applied = applyPatch(document.value, [operation.value]);
    if (applied.ok) ops.push(operation.value);
    else refused.push(refusedPatch(put, applied.error));
  }
  return refused.length > 0 ? err(refused) : ok({ ops, value: document.value.value });
}

function operationOf(put: Put, document: JsonValue, scope: Scope): Result<PatchOperation, PutRefused> {
  const path = filledPointer(put, scope);
  if (!path.ok) return path;
  const value = evaluate(put.value, scope);
  if (!value.ok) return err(withoutValue(put, put.value, value));
  const keys = parsePointer(path.value);
  const last = keys.ok ? keys.value.at(-1) : undefined;
  const around = keys.ok && last !== undefined ? valueAt(document, keys.value.slice(0, -1)) : undefined;
  // A member is set, be it there or not. So is an element: to add it would shift those behind it.
  const isElement = around !== undefined && isArray(around) && last !== undefined && arrayIndex(last) !== undefined;
  return ok({ op: isElement || last === undefined ? 'replace' : 'add', path: path.value, value: value.value });
}

const withoutValue = (put: Put, source: string, { message, missing }: EvaluationFailure): PutRefused => ({
  put,
  code: 'PRECONDITION_FAILED',
  message: `\`${source}\` has no value: ${message}`,
  ...(missing !== undefined && { missing }),
});

/** A hole becomes one name, whatever is in it. */
function filledPointer(put: Put, scope: Scope): Result<string, PutRefused> {
  let path = '';
  for (const part of templateParts(put.path)) {
    if ('text' in part) {
      path += part.text;
      continue;
    }
    const found = evaluate(part.source, scope);
    if (!found.ok) return err(withoutValue(put, part.source, found));
    const { value } = found;
    if (typeof value !== 'string' && typeof value !== 'number')
      return err({
        put,
        code: 'PRECONDITION_FAILED',
        message: `\`${part.source}\` names a member, so it must be text or a number, and is ${shownJson(value)}`,
      });
    path += pointerTo([value]).slice(1);
  }
  return ok(path);
}

const refusedPatch = (put: Put | undefined, { rule, message, action }: PatchProblem): PutRefused => ({
  ...(put !== undefined && { put }),
  code: rule.startsWith('too_') ? 'LIMIT_EXCEEDED' : 'PATCH_FAILED',
  message: `${message}; ${action}`,
});

function refusals(why: StateRefused, puts: readonly Put[], { state }: StateNow): readonly PutRefused[] {
  switch (why.kind) {
    case 'closed':
      return [{ code: 'STATE_CLOSED', message: `the shared state ${state.id} is closed`, isOutside: true }];
    case 'patch':
      return [refusedPatch(puts[why.problem.operation ?? 0], why.problem)];
    case 'invalid':
      return why.violations.map(({ path, message }): PutRefused => {
        const put = puts.findLast(({ path: at }) => isNear(at, path));
        return {
          ...(put !== undefined && { put }),
          code: 'STATE_INVALID',
          message: `${path === '' ? 'the document' : `\`${path}\``} would not fit the schema ${state.created.data.schema.name}: ${message}`,
        };
      });
    case 'conflict':
    case 'unread':
      return [{ code: 'NOT_FOUND', message: 'the newest version of the shared state is not on disk', isOutside: true }];
  }
}

/** Whether what was put somewhere may be what is wrong somewhere: a hole is any name, `-` any index. */
function isNear(put: string, wrong: string): boolean {
  const pattern = templateParts(put)
    .map((part) => ('text' in part ? part.text : '*'))
    .join('')
    .split('/');
  const place = wrong.split('/');
  return pattern.every(
    (key, at) =>
      at >= place.length || key === '*' || key === place[at] || (key === '-' && arrayIndex(place[at]!) !== undefined),
  );
}

/** What a step has left, as its own `puts` read it: of an agent’s the fields of its artifacts, of a command’s what came back. */
export function outputOf(left: JsonObject): JsonObject {
  if (Object.hasOwn(left, 'ok')) return left;
  const artifacts = own(left, 'artifacts') ?? [];
  const fields = isArray(artifacts) ? artifacts.filter(isJsonObject).flatMap((one) => Object.entries(one)) : [];
  return { notes: own(left, 'notes') ?? '', artifacts, ...Object.fromEntries(fields) };
}
