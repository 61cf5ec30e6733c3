import { byteLength } from '../base/byte-budget.js';
import type { EventSum } from '../base/ids.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { plainKey, pointerTo } from '../base/patch/json-pointer.js';
import { withoutValues } from './whole-values.js';
import { draftOf, type Event, type EventDraft } from '../events/event.js';

/**
 * What is taken out of events: these texts wherever they stand, these values where they stand as a whole, or everything
 * that a caller wrote into one of them.
 */
export type Redaction =
  | { readonly texts: readonly string[] }
  | { readonly values: readonly string[] }
  | { readonly event: EventSum };

export interface RedactedEvent {
  readonly draft: EventDraft;
  /** JSON pointers into the event's data; keys that held the text stand in them as they are now. */
  readonly places: readonly string[];
}

/** What stands where something was taken out. */
export const takenOut = '[redacted]';
const shortPlaceholder = '*';

/** What the engine goes by, or what only says how two things belong together: no caller wrote it, and a changed one would lead nowhere. */
const structure = new Set([
  '/parent',
  '/attempt',
  '/block',
  '/question',
  '/answer',
  '/answers',
  '/how',
  '/brought',
  '/request',
  '/workflowId',
  '/workflowHash',
  '/source',
  '/engine',
  '/preferences',
  '/fork',
  '/openGaps',
  '/openRuns',
  '/sums',
  '/producer',
  '/confirmed',
  '/seal',
  '/home',
  '/plan',
  '/digest',
  '/method',
  '/catalog',
  '/keep',
  '/step/id',
  '/step/path',
  '/next/id',
  '/next/path',
  '/next/frames',
  '/next/does',
  '/entered/*/loop',
  '/rounds/*/loop',
  '/skipped/*/path',
  '/warnings/*/code',
  '/warnings/*/path',
  '/blockers/*/code',
  '/gaps/*/id',
  '/gaps/*/category',
  '/gaps/*/severity',
  '/gaps/*/resolves',
  '/late/attempt',
  '/call',
  '/of',
  '/command',
  '/repeat',
  '/choice',
  '/by',
  '/writes',
  '/code',
  '/error/code',
  '/repairs',
  '/outcome',
  '/status',
  '/then',
  '/file/sha256',
  '/noBody',
  '/state',
  '/read/state',
  '/read/version',
  '/from',
  '/merged',
  '/conflict',
  '/conflicts',
  '/asked',
  '/mode',
  '/schema/id',
  '/ops/*/op',
]);
/** Where a caller's own JSON begins: its keys are words of the caller too, and its numbers may be secrets. */
const callersOwn =
  /^\/(?:context|added|inputs|late\/context|output\/artifacts\/\*|entered\/\*\/items|body|headers|value|read\/value|ops|schema\/json)(?:\/|$)/u;
/** What the author of a workflow wrote: it stays when an event is emptied of its caller's words. */
const authored = new Set([
  '/step',
  '/next',
  '/skipped/*/title',
  '/version',
  '/key',
  '/output/artifacts/*/kind',
  '/branch',
  '/commit',
  '/repository',
  '/remote',
  '/root',
  '/detail',
]);

/** What a member of a shared document is called from now on: the same in every event, and none that stands there already. */
export type MemberNames = (name: string, without: string) => string;

/** `drawn` is in no document yet. Two names that only differ in what is taken out of them stay two. */
export function memberNames(drawn: string): MemberNames {
  const given = new Map<string, string>();
  return (name, without) => {
    const tag = given.size === 0 ? drawn : `${drawn} ${given.size + 1}`;
    const now = given.get(name) ?? without.replaceAll(takenOut, `[redacted ${tag}]`);
    given.set(name, now);
    return now;
  };
}

/** The event without what is to be taken out; undefined where it holds nothing of it. */
export function redactEvent(event: Event, redaction: Redaction, names?: MemberNames): RedactedEvent | undefined {
  if ('event' in redaction && redaction.event !== event.sum) return undefined;
  const redacted = redactWith(event, redaction, takenOut, names);
  // A short text that stands there a hundred thousand times must not make the line longer than a line may be.
  return redacted !== undefined && byteLength(JSON.stringify(redacted.draft.data)) > limits.line - limits.smallEnvelope
    ? redactWith(event, redaction, shortPlaceholder, names)
    : redacted;
}

/** Every text of an event that would be taken out, to look for its bytes elsewhere. */
export function textsIn(event: Event): readonly string[] {
  const texts: string[] = [];
  walk(event, 'all', (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

function redactWith(
  event: Event,
  redaction: Redaction,
  instead: string,
  names?: MemberNames,
): RedactedEvent | undefined {
  const { places, data } = walk(
    event,
    'event' in redaction ? 'all' : 'values' in redaction ? 'values' : 'texts',
    changeOf(redaction, instead),
    event.kind.startsWith('state_') ? names : undefined,
  );
  return places.length === 0 ? undefined : { draft: draftOf(event, data), places };
}

function changeOf(redaction: Redaction, instead: string): (text: string) => string {
  if ('event' in redaction) return () => instead;
  if ('values' in redaction) return withoutValues(redaction.values, instead);
  return (text) => redaction.texts.reduce((left, secret) => left.replaceAll(secret, instead), text);
}

/** Where a change to a shared document is made: its parts are names of members. */
const isPointer = ({ kind }: Event, shape: string): boolean =>
  kind === 'state_changed' && /^\/ops\/\*\/(?:path|from)$/u.test(shape);

function walk(
  event: Event,
  mode: 'all' | 'texts' | 'values',
  change: (text: string) => string,
  names: MemberNames = (_name, without) => without,
): { readonly data: JsonValue; readonly places: readonly string[] } {
  const places: string[] = [];
  const renamedAs = (name: string): string => {
    const without = change(name);
    return without === name ? name : names(name, without);
  };
  const keeps = (shape: string): boolean => {
    if (
      structure.has(shape) ||
      (shape === '/key' && event.kind !== 'session_started') ||
      (shape === '/version' && event.kind.startsWith('state_')) ||
      (shape === '/body/bytes' && event.kind === 'command_sent') ||
      (shape === '/reason' && event.kind === 'lines_withdrawn')
    )
      return true;
    return mode === 'all' && (authored.has(shape) || (shape === '/title' && event.kind === 'run_started'));
  };
  const changed = (text: string, pointer: string): string => {
    const now = change(text);
    if (now !== text) places.push(pointer);
    return now;
  };
  const visit = (value: JsonValue, pointer: string, shape: string): JsonValue => {
    if (keeps(shape)) return value;
    if (typeof value === 'string' && mode !== 'all' && isPointer(event, shape)) {
      const parts = value.split('/').map((part) => plainKey(part));
      const led = pointerTo(parts.slice(1).map(renamedAs));
      const now = change(led);
      if (now !== value) places.push(pointer);
      return now;
    }
    if (typeof value === 'string') return changed(value, pointer);
    // A number may be the secret; written as text it no longer gives it away.
    if (typeof value === 'number' && mode !== 'all' && callersOwn.test(shape))
      return changed(String(value), pointer) === String(value) ? value : takenOut;
    if (Array.isArray(value))
      return (value as readonly JsonValue[]).map((item, index) => visit(item, `${pointer}/${index}`, `${shape}/*`));
    return isJsonObject(value) ? visitObject(value, pointer, shape) : value;
  };
  const visitObject = (value: JsonObject, pointer: string, shape: string): JsonObject => {
    const taken = new Set<string>();
    // What a value is called by a workflow or an API is no value.
    const renames = mode === 'texts' || (mode === 'values' && shape.lastIndexOf('/') > 0);
    const entries = Object.entries(value).map(([key, child]): [string, JsonValue] => {
      const renamed = renames && callersOwn.test(shape) ? renamedAs(key) : key;
      let unique = renamed;
      for (let count = 2; taken.has(unique); count += 1) unique = `${renamed} ${count}`;
      taken.add(unique);
      const at = `${pointer}/${unique.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (renamed !== key) places.push(at);
      return [unique, visit(child, at, `${shape}/${key}`)];
    });
    return Object.fromEntries(entries);
  };
  const data: unknown = event.data;
  return { data: visit(data as JsonValue, '', ''), places };
}
