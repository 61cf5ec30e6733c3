import type { SharedState, WithStates } from './shared-state.js';

/** The state that a session is known by: the one that is open, else the last that was. Forks are named by their ids. */
export function stateOfSession({ states }: Pick<WithStates, 'states'>): SharedState | undefined {
  const all = [...states.values()].filter(({ created }) => created.data.from === undefined);
  return all.find(({ closed }) => closed === undefined) ?? all.at(-1) ?? [...states.values()].at(-1);
}
