import type { RequestName } from '../contract/request-schemas.js';
import type { Reply } from '../contract/reply.js';
import type { RequestsOptions } from './environment.js';

/** Every door calls the same requests. A reply is always data: nothing is thrown at a caller. */
export interface Requests {
  call(name: RequestName, raw: unknown): Promise<Reply>;
  /** Puts a new key in charge of new tokens; tokens of the ones before go on working. */
  rotateKey(): { readonly id: string };
  close(): Promise<void>;
}

export function openRequests(options: RequestsOptions): Requests {
  return { call: (name) => Promise.reject(new Error(`${name} in ${options.workspace}`)), rotateKey: () => ({ id: '' }), close: () => Promise.resolve() };
}
