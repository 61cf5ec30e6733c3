import { byteLength } from '../../base/byte-budget.js';
import { type JsonObject, isJsonObject, type JsonValue } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import { limits } from '../../base/limits.js';
import { pointerTo } from '../../base/patch/json-pointer.js';
import { duration } from '../source/duration.js';
import { type Finding, finding } from '../source/finding.js';
import type { StepOutline } from '../source/source-outline.js';
import { listOf } from './source-uses.js';

/** Which keys of a step with `run` go together, and how long it may take. What catalogs know is not asked here. */
export function checkRun({ source, path }: StepOutline): readonly Finding[] {
  if (typeof source['run'] !== 'string') return [];
  const has = (key: string): boolean => own(source, key) !== undefined;
  const key = (name: string, message: string, more: Partial<Finding> = {}): Finding =>
    finding([...path, name], 'body', message, { of: 'key', ...more });
  const missing = (field: string, message: string, patch?: Finding['patch']): Finding =>
    finding([...path, field], 'missing', message, { of: 'key', patch });
  const found: Finding[] = [];
  if (has('until')) {
    if (!has('max') && !has('timeout')) {
      const patch = [{ op: 'add', path: `${pointerTo(path)}/timeout`, value: '10m' }] as const;
      found.push(missing('until', '`until` needs `timeout`, how long to ask, or `max`, how often at most', patch));
    }
    if (has('paginate')) found.push(key('paginate', 'a step asks until something holds, or reads pages; not both'));
  } else
    for (const name of ['every', 'max'])
      if (has(name)) found.push(key(name, `with \`run\`, \`${name}\` needs \`until\``));
  if (has('content') && !has('body'))
    found.push(key('content', '`content` is the type of a `body`, but there is no `body`'));
  if (has('body') && byteLength(JSON.stringify(source['body'])) > limits.commandBody)
    found.push(
      finding([...path, 'body'], 'limit', `the body has more than ${limits.commandBody} bytes`, {
        expected: `at most ${limits.commandBody} bytes`,
      }),
    );
  return [...found, ...spans(source, path), ...pages(source['paginate'], [...path, 'paginate'])];
}

const leastSpans = { timeout: limits.commandPauseMs, every: limits.commandPauseMs } as const;

function spans(source: JsonObject, path: StepOutline['path']): readonly Finding[] {
  const { retry = null } = source;
  const all: readonly (readonly [StepOutline['path'], JsonValue | undefined, number])[] = [
    ...Object.entries(leastSpans).map(([name, least]) => [[...path, name], own(source, name), least] as const),
    [[...path, 'retry', 'up_to'], isJsonObject(retry) ? retry['up_to'] : undefined, 0],
  ];
  return all.flatMap(([at, text, least]): readonly Finding[] => {
    if (typeof text !== 'string') return [];
    const ms = duration(text);
    if (ms === undefined || (ms >= least && ms <= limits.commandMs)) return [];
    const expected = ms < least ? 'at least 1s' : `at most ${limits.commandMs / 86_400_000}d`;
    return [finding(at, 'limit', `expected ${expected}, got ${text}`, { expected, actual: text })];
  });
}

/** What each way to the next page needs, and may have. */
const waysOfPages: { readonly [by: string]: { readonly needs: readonly string[]; readonly may: readonly string[] } } = {
  link: { needs: [], may: [] },
  cursor: { needs: ['next', 'param'], may: [] },
  page: { needs: [], may: ['param', 'first'] },
  offset: { needs: [], may: ['param', 'first'] },
};

function pages(paginate: JsonValue | undefined, path: StepOutline['path']): readonly Finding[] {
  if (!isJsonObject(paginate ?? null)) return [];
  const given = paginate as JsonObject;
  const { by } = given;
  if (typeof by !== 'string') return [];
  const way = own(waysOfPages, by);
  if (way === undefined) return [];
  return [
    ...way.needs
      .filter((name) => own(given, name) === undefined)
      .map((name) =>
        finding([...path, 'by'], 'missing', `\`by: ${by}\` needs \`${name}\`, ${own(neededFor, name) ?? ''}`, {
          of: 'key',
          expected: name,
        }),
      ),
    ...['next', 'param', 'first']
      .filter((name) => own(given, name) !== undefined && ![...way.needs, ...way.may].includes(name))
      .map((name) =>
        finding([...path, name], 'body', `\`${name}\` does not go with \`by: ${by}\``, { of: 'key', actual: name }),
      ),
  ];
}

const neededFor: { readonly [name: string]: string } = {
  next: 'an expression for the cursor of the next page',
  param: 'the parameter that the cursor goes into',
};

/** What may only be sent again where nothing happens twice. */
export function checkRepeating({ source, path }: StepOutline, isRepeatable: boolean | undefined): readonly Finding[] {
  const repeatable = typeof source['repeatable'] === 'boolean' ? source['repeatable'] : isRepeatable;
  if (repeatable !== false) return [];
  const why =
    source['repeatable'] === false
      ? 'this step is not repeatable'
      : 'this command is not repeatable: what it does would be done again';
  const say = (key: string, remedy: string): Finding =>
    finding([...path, key], 'not_repeatable', `${why}; ${remedy}`, { of: 'key' });
  const sure = 'take this out, or say `repeatable: true` where doing it twice does no harm';
  const { retry = null } = source;
  const after = isJsonObject(retry) ? listOf(retry['on']) : [];
  // As much as is done for every command: these say that nothing happened.
  const isUsual =
    isJsonObject(retry) && after.every((one) => one === 429 || one === 503) && Number(retry['max'] ?? 0) <= 2;
  return [
    ...['until', 'paginate'].flatMap((key) => (own(source, key) === undefined ? [] : [say(key, sure)])),
    ...(isJsonObject(retry) && !isUsual
      ? [say('retry', `at most 2 tries after 429 and 503 are safe; keep to them, or ${sure}`)]
      : []),
  ];
}
