import { errorCode } from './fault-reason.js';

/** Whether a process of this machine runs. One that may not be spoken to does. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return errorCode(cause) !== 'ESRCH';
  }
}
