import { own } from '../../base/own.js';

const words: Readonly<Record<string, string>> = {
  none: 'none',
  bearer: 'bearer token',
  header: 'key in a header',
  query: 'key in the query',
  cookie: 'key in a cookie',
  basic: 'user and password',
  client_credentials: 'OAuth client credentials',
};

/** How calls say who makes them. */
export const authWords = (kind: string): string => own(words, kind) ?? kind;
