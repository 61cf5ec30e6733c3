import { sha256Hex } from '../base/digest.js';
import type { AttemptId, GapId, NodeId, RunId } from '../base/ids.js';

/** The ids of one request. They follow from one random seed that is drawn at the border. */
export interface IdsFromSeed {
  runId(taken: (id: RunId) => boolean): RunId;
  nodeId(taken: (id: NodeId) => boolean): NodeId;
  attemptId(): AttemptId;
  gapId(index: number): GapId;
}

export function idsFromSeed(seed: string): IdsFromSeed {
  const hex = (what: string, digits: number): string => sha256Hex(`${seed} ${what}`).slice(0, digits);
  const free = <T extends string>(make: (round: number) => T, taken: (id: T) => boolean): T => {
    for (let round = 0; ; round += 1) {
      const id = make(round);
      if (!taken(id)) return id;
    }
  };
  return {
    runId: (taken) => free((round) => `run_${hex(`run ${round}`, 12)}` as RunId, taken),
    nodeId: (taken) => free((round) => `n_${hex(`node ${round}`, 12)}` as NodeId, taken),
    attemptId: () => `a_${hex('attempt', 10)}` as AttemptId,
    gapId: (index) => `gap_${hex(`gap ${index}`, 8)}` as GapId,
  };
}
