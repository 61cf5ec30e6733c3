import type { JsonObject } from '../../base/json-value.js';
import { type TokenField, usageBounds, usageKind } from '../../base/usage.js';
import { contractPack, type ContractPack } from './contract-pack.js';
import { described, text } from './contract-pack-schema.js';

const tokens = (what: string): JsonObject =>
  described(what, { type: 'integer', minimum: 0, maximum: usageBounds.tokens });

const tokensOf = {
  inputTokens: tokens('Tokens that the model read, without those from the cache'),
  outputTokens: tokens('Tokens that it wrote'),
  cacheReadTokens: tokens('Tokens that it read from the cache'),
  cacheWriteTokens: tokens('Tokens that were put into the cache'),
} satisfies { readonly [F in TokenField]: JsonObject };

/** What work has used. `readUsage` takes what this accepts, and nothing else. */
export const usagePacks: readonly ContractPack[] = [
  contractPack({
    name: 'usage',
    kind: usageKind,
    title: 'What the work used: model, tokens and cost, summed for people and not shown to later steps',
    required: [],
    properties: {
      model: described('Name of the model', text(usageBounds.model)),
      ...tokensOf,
      costUsd: described('What it cost, in US dollars', { type: 'number', minimum: 0, maximum: usageBounds.costUsd }),
    },
    example: { model: 'example-model-1', inputTokens: 18_400, outputTokens: 2150, costUsd: 0.0875 },
  }),
];
