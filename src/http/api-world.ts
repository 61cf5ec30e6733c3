import type { AboutServer } from '../contract/http-api.js';
import type { PeopleRequests } from '../requests/people-requests.js';
import type { LiveMessage } from './live-stream.js';

/** What the routes of the API work with. */
export interface ApiWorld {
  readonly people: PeopleRequests;
  readonly about: AboutServer;
  readonly now: () => Date;
  readonly log: (line: string) => void;
  /** A stream of server-sent events, counted among those that are open. */
  readonly live: (source: (signal: AbortSignal) => AsyncIterable<LiveMessage>) => Response;
}
