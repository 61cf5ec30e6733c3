/** A process that holds a run and that is not seen from here. */
export interface HeldBy {
  /** The name of its machine; undefined where its claim cannot be read. */
  readonly host?: string;
  /** It is another container of this very machine, or one of the same name. */
  readonly isContainer?: true;
  readonly since?: string;
}

/** Who that is, and what nobody knows of it: what a run is said to have been. */
export function heldByWords({ host, isContainer, since }: HeldBy): string {
  const where =
    host === undefined ? 'that left no name' : `${isContainer === true ? 'in another container ' : ''}on ${host}`;
  return `held by a process ${where}${since === undefined ? '' : ` since ${since}`}`;
}
