import { firstWords } from '../base/byte-budget.js';
import type { JsonObject } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { type RoundsAt, withRound } from '../base/rounds.js';
import type { LoopStep } from '../definitions/compiled/compiled-workflow.js';
import type { Frame } from '../definitions/compiled/place.js';
import { evaluate, type Scope } from '../definitions/expression/expression.js';

import type { Facts } from '../definitions/expression/scope-at.js';
import { renderTemplate } from '../definitions/expression/template.js';
import { CollectedLists } from './collected-lists.js';
import type { Done, RoundEnded } from './way.js';

type Known = ReturnType<Done['ofRound']>;

/** What rounds leave behind that end while a way is searched: what loops collect of them, and the author's line. */
export class RoundsEnded {
  readonly collected: CollectedLists;
  readonly told: RoundEnded[] = [];

  constructor(
    private readonly done: Done | undefined,
    { context, rounds }: { readonly context: JsonObject; readonly rounds?: Facts['rounds'] },
  ) {
    this.collected = new CollectedLists(context);
    this.roundsAt = (path) => {
      const before = rounds?.(path);
      return this.told
        .filter(({ loop }) => loop === path)
        .reduce(
          (all: typeof before, { round, line }) =>
            withRound(all, round, () => ({ notes: before?.get(round)?.notes, line })),
          before,
        );
    };
  }

  /** The rounds of a loop with the lines of those that ended just now. */
  readonly roundsAt: RoundsAt;

  /** A round in which nothing was done leaves nothing. Gives back what had to be left out. */
  end(
    { collect = {}, line }: LoopStep,
    path: string,
    frames: readonly Frame[],
    scopeOf: (known: Known) => Scope,
  ): readonly string[] {
    const { done } = this;
    const keys = Object.entries(collect);
    if (done === undefined || (keys.length === 0 && line === undefined) || !isIn(frames, done.frames)) return [];
    const known = done.ofRound(frames);
    const leftOut = keys.flatMap(([key, source]): readonly string[] => {
      const value = evaluate(source, scopeOf(known));
      const over = value.ok ? this.collected.add(key, value.value) : 0;
      return over === 0
        ? []
        : [
            `\`${key}\` collects at most ${limits.collected} bytes, and what this round left is left out: ${over} bytes too many`,
          ];
    });
    if (line !== undefined) {
      const told = firstWords(renderTemplate(line, scopeOf(known)).text, limits.roundLine);
      this.told.push({ loop: path, round: frames.at(-1)?.iteration ?? 0, line: told });
    }
    return leftOut;
  }
}

const isIn = (frames: readonly Frame[], inner: readonly Frame[]): boolean =>
  frames.every(({ loop, iteration }, at) => inner[at]?.loop === loop && inner[at].iteration === iteration);
