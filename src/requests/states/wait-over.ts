/** Looks until a signal, and no longer than so many milliseconds. A timer of its own: Node may forget the signal of a time-out that nobody else holds. */
export async function waitOver<A>(
  signal: AbortSignal,
  milliseconds: number | undefined,
  wait: (over: AbortSignal) => Promise<A>,
): Promise<A> {
  const over = new AbortController();
  const end = (): void => over.abort();
  const timer = milliseconds === undefined ? undefined : setTimeout(end, milliseconds);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    return await wait(over.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}
