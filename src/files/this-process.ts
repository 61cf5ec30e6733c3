import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { isAlive } from './is-alive.js';

/** A process so described that another of the same number is not taken for it. */
export interface ProcessName {
  readonly host: string;
  readonly pid: number;
  /** When it began, and since which start of the machine that is counted, where the system says so. */
  readonly started?: string;
  readonly boot?: string;
  /** In which its number is counted, where the system says so: containers of one machine have their own, be their host name the same. */
  readonly numbers?: string;
}

export function thisProcess(): ProcessName {
  const [boot, started, numbers] = [bootOfMachine(), startOf(process.pid), numbersOfProcess()];
  return {
    host: hostname(),
    pid: process.pid,
    ...(started !== undefined && { started }),
    ...(boot !== undefined && { boot }),
    ...(numbers !== undefined && { numbers }),
  };
}

/** Whether this process can tell what becomes of it: not on another machine, in another container, or without a name. */
export function isSeenHere({ host, pid, boot, numbers }: Partial<ProcessName>): boolean {
  if (host !== hostname() || typeof pid !== 'number') return false;
  const now = [bootOfMachine(), numbersOfProcess()] as const;
  const isEarlier = boot !== undefined && boot !== now[0];
  return isEarlier || numbers === undefined || now[1] === undefined || numbers === now[1];
}

/** Whether it has certainly ended. One that is stopped lives; of one that is not seen here nobody knows. */
export function hasEnded(name: Partial<ProcessName>): boolean {
  const { pid, started, boot } = name;
  if (!isSeenHere(name) || typeof pid !== 'number') return false;
  if (boot !== undefined && boot !== bootOfMachine()) return true;
  if (!isAlive(pid)) return true;
  const [state, ...rest] = statusOf(pid) ?? [];
  // One that nobody has taken leave of has its number still, and does nothing any more.
  return state === 'Z' || state === 'X' || (started !== undefined && started !== rest[startsAt]);
}

const bootOfMachine = (): string | undefined => textOf('/proc/sys/kernel/random/boot_id');

function numbersOfProcess(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return undefined;
  }
}

/** The fields of its status from the third on; the name before them may hold anything but ends with the last bracket. */
function statusOf(pid: number): readonly string[] | undefined {
  const status = textOf(`/proc/${pid}/stat`);
  return status?.slice(status.lastIndexOf(')') + 2).split(' ');
}

/** When it began is the twenty-second field of its status: so many behind its state. */
const startsAt = 18;

const startOf = (pid: number): string | undefined => statusOf(pid)?.[startsAt + 1];

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}
