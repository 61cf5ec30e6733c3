import type { AgentRequests } from '../requests/requests.js';
import type { Asked } from './asked.js';

type Answer = Readonly<Record<string, unknown>>;

/** What a method answers; its parameters are whatever a client sent. */
export type Method = (params: Readonly<Record<string, unknown>>, asked: Asked) => Answer | Promise<Answer>;

/**
 * Opened for the client that asks, which may have to be asked first where it works: then nothing is opened, unless what
 * is wanted is found `anywhere`.
 */
export type RequestsFor = (asked: Asked, anywhere?: 'anywhere') => Promise<AgentRequests | undefined>;
