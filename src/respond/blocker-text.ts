/** One thing that is missing, where it is missed and how to mend it. */
export function blockerText({
  pointer,
  message,
  fix,
}: {
  readonly pointer: string;
  readonly message: string;
  readonly fix: string;
}): string {
  return `${pointer}: ${message.replace(/[.…?!]$/u, '')}. Fix: ${fix}.`;
}
