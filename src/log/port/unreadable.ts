import { faultReason } from '../../files/fault-reason.js';
import type { CareFinding } from './store-care.js';

/** What the system would not give is a finding like others, and what comes after it is looked at all the same. A fault of ours goes on. */
export function unreadable(fault: unknown, file: string): CareFinding {
  const reason = faultReason(fault);
  if (reason === undefined) throw fault;
  const { code, why, file: named = file, cure } = reason;
  return { level: 'unreadable', file, message: `${named} could not be read: ${why} (${code})`, remedy: cure };
}
