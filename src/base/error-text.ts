/** An error with its stack and causes, for the log. */
export function errorText(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause === undefined
    ? (cause.stack ?? cause.message)
    : `${cause.stack ?? cause.message}\ncaused by ${errorText(cause.cause)}`;
}
