import type { StepName } from '../events/event-data.js';
import type { RoundStretch, RunNode } from './folded-session.js';

/** What a node notes of the rounds on the way to it, once a step is done: of most steps what their parent noted. */
export function roundsBelow(parent: RunNode | undefined, { path }: StepName): readonly RoundStretch[] {
  const before = parent?.rounds ?? [];
  const done = roundsIn(path);
  if (done.length === 0 && before.every(({ loop }) => isAround(path, loop))) return before;
  const isKnown = done.every(({ loop, round }) => before.some((known) => known.loop === loop && known.to === round));
  const kept = before.filter(({ loop }) => isAround(path, loop));
  if (isKnown) return kept.length === before.length ? before : kept;
  const begun = done.map(({ loop, round }): RoundStretch => {
    const known = kept.find((one) => one.loop === loop);
    if (known === undefined) return { loop, from: round, to: round, before: undefined };
    if (known.to === round) return known;
    if (known.to + 1 === round) return { ...known, to: round };
    return { loop, from: round, to: round, before: parent?.id };
  });
  return [...kept.filter(({ loop }) => !done.some((one) => one.loop === loop)), ...begun];
}

/** `audit@2/look` is done in round 2 of `audit`. */
export function roundsIn(path: string): readonly { readonly loop: string; readonly round: number }[] {
  if (!path.includes('@')) return [];
  const parts = path.split('/');
  return parts.flatMap((part, at) => {
    const [loop = '', number] = part.split('@');
    return number === undefined ? [] : [{ loop: [...parts.slice(0, at), loop].join('/'), round: Number(number) }];
  });
}

/** Inner loops are asked for only in the round that they are of: `audit@2/file` where something is done in `audit@2`. */
function isAround(path: string, loop: string): boolean {
  const at = loop.lastIndexOf('@');
  if (at < 0) return true;
  const end = loop.indexOf('/', at);
  return path.startsWith(loop.slice(0, end + 1));
}
