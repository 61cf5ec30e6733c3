import type { RecapTold } from '../contract/answer.js';
import { recapPageName } from '../sessions/look-page.js';
import { type Recap, recapPolicy } from '../sessions/recap.js';

export function tellRecap({ entries, omitted, older }: Recap): RecapTold {
  return { entries, omitted, policy: recapPolicy, ...(older !== undefined && { olderPage: recapPageName(older) }) };
}
