import type { JsonObject, JsonValue } from './json-value.js';
import { own } from './own.js';

/** The kind of an artifact that says what work has used. */
export const usageKind = 'wr.usage';

export const tokenFields = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const;
export type TokenField = (typeof tokenFields)[number];

/** What one artifact may say, at most: characters of a name, tokens, dollars. */
export const usageBounds = { model: 200, tokens: 1e12, costUsd: 1e6 } as const;

/** So many different models are named in a sum. */
const modelsNamed = 20;
const microsOfDollar = 1e6;

/** What was used, in whole tokens and whole millionths of a dollar, so that sums are exact. What nobody told is absent. */
export type UsageSum = {
  /** How many artifacts are in it. */
  readonly reports: number;
  /** By name, each once. */
  readonly models: readonly string[];
  readonly costMicros?: number;
} & { readonly [F in TokenField]?: number };

/** The same as people and programs read it. */
export type UsageTold = Omit<UsageSum, 'costMicros'> & { readonly costUsd?: number };

export const isUsage = ({ kind }: JsonObject): boolean => kind === usageKind;

/** What an artifact says of usage; undefined for another kind, and for one that breaks its contract, which counts for nothing. */
export function readUsage(artifact: JsonObject): UsageSum | undefined {
  const { kind, model, costUsd, ...rest } = artifact;
  if (kind !== usageKind) return undefined;
  if (!Object.keys(rest).every((name) => (tokenFields as readonly string[]).includes(name))) return undefined;
  if (model !== undefined && !isModel(model)) return undefined;
  if (costUsd !== undefined && !isWithin(costUsd, usageBounds.costUsd)) return undefined;
  const tokens: Partial<Record<TokenField, number>> = {};
  for (const field of tokenFields) {
    const value = own(rest, field);
    if (value === undefined) continue;
    if (!isWithin(value, usageBounds.tokens) || !Number.isInteger(value)) return undefined;
    tokens[field] = value;
  }
  return {
    reports: 1,
    models: model === undefined ? [] : [model],
    ...tokens,
    ...(costUsd !== undefined && { costMicros: Math.round(costUsd * microsOfDollar) }),
  };
}

const isModel = (value: JsonValue): value is string => {
  if (typeof value !== 'string') return false;
  const length = [...value].length;
  return length > 0 && length <= usageBounds.model;
};

const isWithin = (value: JsonValue, most: number): value is number =>
  typeof value === 'number' && value >= 0 && value <= most;

/** Whatever the order. A sum that no number holds exactly stays at the greatest that one does. */
export function addUsage(one: UsageSum | undefined, other: UsageSum | undefined): UsageSum | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const sum: Partial<Record<TokenField | 'costMicros', number>> = {};
  for (const field of [...tokenFields, 'costMicros'] as const) {
    const [a, b] = [one[field], other[field]];
    if (a !== undefined || b !== undefined) sum[field] = Math.min(Number.MAX_SAFE_INTEGER, (a ?? 0) + (b ?? 0));
  }
  return { reports: one.reports + other.reports, models: modelsOf(one, other), ...sum };
}

/** Of more than are named the first by name: so that the order in which they came does not matter. */
function modelsOf({ models }: UsageSum, { models: more }: UsageSum): readonly string[] {
  if (more.every((name) => models.includes(name))) return models;
  return [...new Set([...models, ...more])].toSorted().slice(0, modelsNamed);
}

export function tellUsage({ costMicros, ...sum }: UsageSum): UsageTold {
  return { ...sum, ...(costMicros !== undefined && { costUsd: costMicros / microsOfDollar }) };
}

/** What artifacts say of usage, together; undefined where they say nothing. */
export const usageOf = (artifacts: readonly JsonObject[] = []): UsageSum | undefined =>
  artifacts.reduce<UsageSum | undefined>((sum, artifact) => addUsage(sum, readUsage(artifact)), undefined);

/** Told sums together, as they are put together where only they are known. */
export const sumTold = (told: readonly (UsageTold | undefined)[]): UsageTold | undefined => {
  const sum = told.reduce<UsageSum | undefined>((all, one) => addUsage(all, one && untold(one)), undefined);
  return sum && tellUsage(sum);
};

const untold = ({ costUsd, ...sum }: UsageTold): UsageSum => ({
  ...sum,
  ...(costUsd !== undefined && { costMicros: Math.round(costUsd * microsOfDollar) }),
});

const thousands = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/gu, ',');

/** `$0.30`: the smaller it is the more digits it has, down to the millionths that are counted. */
export function costWords(usd: number): string {
  const digits = usd >= 1 ? 2 : usd >= 0.01 ? 4 : 6;
  const [whole = '0', part = ''] = usd.toFixed(digits).split('.');
  return `$${thousands(Number(whole))}.${part.slice(0, 2)}${part.slice(2).replace(/0+$/u, '')}`;
}

/** In a line: what it cost first. */
export function usageWords(told: UsageTold): string {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, costUsd, models } = told;
  const tokens = (
    [
      [inputTokens, 'in'],
      [outputTokens, 'out'],
      [cacheReadTokens, 'read from cache'],
      [cacheWriteTokens, 'written to cache'],
    ] as const
  ).flatMap(([count, what]) => (count === undefined ? [] : [`${thousands(count)} ${what}`]));
  return [
    ...(costUsd === undefined ? [] : [costWords(costUsd)]),
    ...(tokens.length === 0 ? [] : [`tokens: ${tokens.join(', ')}`]),
    ...(models.length === 0 ? [] : [models.join(', ')]),
  ].join(' · ');
}

/** The shortest that says something: what it cost, else how many tokens it took; undefined where that is nothing. */
export function usageBrief(told: UsageTold): string | undefined {
  if (told.costUsd !== undefined) return costWords(told.costUsd);
  const tokens = tokenFields.reduce((sum, field) => sum + (told[field] ?? 0), 0);
  return tokens === 0 ? undefined : `${thousands(tokens)} tokens`;
}
