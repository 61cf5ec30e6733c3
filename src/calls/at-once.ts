/** Who may go on, by name: no more at once than they say, in the order they came. */
export interface Gates {
  /** What it gives back lets the next one in; undefined where the signal ended the wait. */
  readonly enter: (name: string, most: number, signal?: AbortSignal) => Promise<(() => void) | undefined>;
}

interface Gate {
  inside: number;
  readonly waiting: (() => boolean)[];
}

export function openGates(): Gates {
  const gates = new Map<string, Gate>();
  const leaving = (name: string, gate: Gate): (() => void) => {
    let isOut = false;
    return () => {
      if (isOut) return;
      isOut = true;
      gate.inside -= 1;
      while (gate.waiting.length > 0 && gate.waiting[0]!()) gate.waiting.shift();
      if (gate.inside === 0 && gate.waiting.length === 0) gates.delete(name);
    };
  };
  return {
    enter: (name, most, signal) => {
      const gate = gates.get(name) ?? { inside: 0, waiting: [] };
      gates.set(name, gate);
      if (gate.inside < most && gate.waiting.length === 0) {
        gate.inside += 1;
        return Promise.resolve(leaving(name, gate));
      }
      return new Promise((resolve) => {
        const stop = (): void => {
          gate.waiting.splice(gate.waiting.indexOf(next), 1);
          resolve(undefined);
        };
        const next = (): boolean => {
          if (gate.inside >= most) return false;
          gate.inside += 1;
          signal?.removeEventListener('abort', stop);
          resolve(leaving(name, gate));
          return true;
        };
        if (signal?.aborted === true) return resolve(undefined);
        gate.waiting.push(next);
        signal?.addEventListener('abort', stop, { once: true });
      });
    },
  };
}
