/** The rounds of a loop, one line each: all of them, however many. Where there are many the lines are shorter. */
export interface LedgerTold {
  readonly loop: string;
  readonly title: string;
  readonly done: number;
  /** How many there will be, where that is known. */
  readonly rounds?: number;
  readonly lines: readonly string[];
}
