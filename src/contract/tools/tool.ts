import type { JsonObject } from '../../base/json-value.js';

/** Tools that are offered together, where somebody asks for them. */
export const toolsets = ['author', 'commands', 'catalogs', 'state'] as const;
export type Toolset = (typeof toolsets)[number];

export interface Tool {
  readonly title: string;
  readonly description: string;
  /** A right request, for whoever got one wrong. */
  readonly example: JsonObject;
  /** Spellings that agents use for a field, besides other case and separators, which are folded anyway. */
  readonly aliases: { readonly [alias: string]: string };
  /** In the set that is offered without flags. */
  readonly byDefault: boolean;
  readonly optional: boolean;
  readonly toolset?: Toolset;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

export const reads = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;
export const writes = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** A description that ends with the example. */
export const showing = (description: string, example: JsonObject): Pick<Tool, 'description' | 'example'> => ({
  description: `${description} Example: ${JSON.stringify(example)}`,
  example,
});
