import { z } from 'zod';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import type { ApiError } from './http-api.js';
import type { StateMessage } from './state-messages.js';

/** What a client says over a WebSocket: which shared state it follows, from which version on, or no longer. */
export const socketAsked = z.union([
  z.strictObject({ subscribe: z.string().min(1).max(60), from: z.string().max(60).exactOptional() }),
  z.strictObject({ unsubscribe: z.string().min(1).max(60) }),
]);
export type SocketAsked = ReadonlyOutput<typeof socketAsked>;

/** What it is told. */
export type SocketSaid =
  | StateMessage
  | { readonly event_type: 'subscribed'; readonly state_id: string; readonly reset: boolean }
  | { readonly event_type: 'unsubscribed'; readonly state_id: string }
  | ({ readonly event_type: 'error'; readonly state_id?: string } & ApiError)
  | { readonly event_type: 'stopped' | 'dropped'; readonly message: string };
