import type { RecapTold } from '../contract/answer.js';
import { type Recap, recapPageName, recapPolicy } from '../sessions/recap.js';

export function tellRecap({ entries, omitted, older }: Recap): RecapTold {
  return { entries, omitted, policy: recapPolicy, ...(older !== undefined && { olderPage: recapPageName(older) }) };
}
