import type { ApiFailure } from './api-failure.js';

/** By which somebody else finds what went wrong: its code, and the id under which it stands in the server's log. */
export const failureMark = ({ code, told }: ApiFailure): string =>
  told === undefined ? code : `${code}, ${told.correlation_id}`;
