import { hole } from '../../base/hole.js';
import type { Rejection } from '../../base/rejection.js';
import type { UnknownGap } from '../../decide/unknown-gaps.js';

export function unknownGapRejection(unknown: readonly UnknownGap[]): Rejection {
  const open = unknown[0]?.open ?? [];
  const known = open.length === 0 ? 'no gap is open here' : `open here: ${open.slice(0, 20).join(', ')}`;
  return {
    code: 'VALIDATION_ERROR',
    message: `${unknown.map(({ id }) => id).join(', ')} is no gap on the way to this step; ${known}. Nothing was recorded`,
    action: 'send the request again with the id of a gap that is open, or without resolves',
    again: unknown.map(({ index }) => ({
      at: `/output/gaps/${index}/resolves`,
      to: open.length === 0 ? undefined : hole(`one of ${open.slice(0, 20).join(', ')}`),
    })),
    violations: unknown.map(({ index, id }) => ({
      path: `/output/gaps/${index}/resolves`,
      rule: 'known_gap',
      message: `${id} is not known here`,
      expected: open.slice(0, 20).join(' | '),
      actual: id,
    })),
  };
}
