/** What the shell hears: 1 is the caller's mistake as a request tells it, 2 a mistake in the command line, 3 a failure of the world, 4 damage found. */
export const exitCodes = { done: 0, rejected: 1, usage: 2, fault: 3, damage: 4 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
