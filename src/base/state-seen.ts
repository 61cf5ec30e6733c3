import type { JsonValue } from './json-value.js';

/** What expressions see of the session's shared state: the parts that are read of it; or why there is nothing to see. */
export type StateSeen = { readonly value: JsonValue } | { readonly missing: string };

export const noSharedState = 'the session has no shared state yet';

/** What helps where something cannot be told for want of a part of the shared state. */
export const mendSharedState = (message: string): string =>
  message.endsWith(noSharedState)
    ? 'create the shared state of the session (state_create, or `workrail state create`)'
    : 'write to the shared state what is read of it (state_patch, or `workrail state patch`)';
