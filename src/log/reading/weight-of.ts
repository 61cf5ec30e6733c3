import { limits } from '../../base/limits.js';
import type { Projection } from '../port/projection.js';
import type { Reading } from '../segments/reading.js';

/** How much memory a session takes, in events: what its fold holds that is longer than events are counts for several. */
export function weightOf<S>(projection: Projection<S>, reading: Reading<S> | undefined): number {
  if (reading === undefined) return 0;
  return reading.eventCount + Math.ceil((projection.weigh?.(reading.state) ?? 0) / limits.residentEventBytes);
}
