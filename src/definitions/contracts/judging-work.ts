import { limits } from '../../base/limits.js';

/**
 * What judging may cost, counted and not timed: the same artifact is judged alike on a slow machine and on a fast one.
 * One is opened for each step that is acknowledged and for each file that is compiled, and all contracts in it share it.
 */
export class JudgingWork {
  private readonly schemas = new Set<string>();
  private parts = 0;

  constructor(private left: number = limits.judgingWork) {}

  /** More was wanted than there was. */
  get isSpent(): boolean {
    return this.left < 0;
  }

  spend(units: number): void {
    this.left -= units;
    if (this.left < 0) throw new TooMuchWork();
  }

  /** A part of what is left. What it spends is spent here too. */
  tryWith<T>(share: number, run: (part: JudgingWork) => T): T {
    const given = Math.floor(this.left * share);
    const part = new JudgingWork(given);
    try {
      return run(part);
    } finally {
      this.left -= given - Math.max(0, part.left);
    }
  }

  /** False when the schemas met so far would take too long to compile together. One that was met before costs nothing. */
  meetSchema(text: string, parts: number): boolean {
    if (this.schemas.has(text)) return true;
    if (this.parts + parts > limits.schemaPartsTogether) return false;
    this.schemas.add(text);
    this.parts += parts;
    return true;
  }
}

export class TooMuchWork extends Error {
  override readonly name: string = 'TooMuchWork';
}

/** Each error is an object, and a reference copies those before it. */
export class TooManyErrors extends TooMuchWork {
  override readonly name = 'TooManyErrors';
}
