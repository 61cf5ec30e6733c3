const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EMFILE: 'this process has too many open files',
  ENFILE: 'the machine has too many open files',
  EFBIG: 'the file would be larger than is allowed',
  EIO: 'the disk reported an error',
  ELOOP: 'it is a symbolic link, which a data root must not contain',
  ENOENT: 'its folder is not there',
  ENOTDIR: 'a part of its path is a file, no folder',
  EEXIST: 'something else stands there',
  EISDIR: 'it is a folder',
  EBUSY: 'another program has it open',
};

const cures: Readonly<Record<string, string>> = {
  ENOSPC: 'make room on the disk',
  EDQUOT: 'make room in your quota',
  EROFS: 'name a place that can be written',
  EACCES: 'give yourself the right to it, or name another place',
  EPERM: 'give yourself the right to it, or name another place',
  EFBIG: 'raise the limit (ulimit -f), or name another place',
  ENOENT: 'make its folder, or name one that is there',
  ENOTDIR: 'name a place below a folder',
  EEXIST: 'move away what stands there, or name another place',
  EISDIR: 'name a file',
  ELOOP: 'name a place that is no link',
};

export function errorCode(cause: unknown): string | undefined {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
}

export interface FaultReason {
  readonly code: string;
  /** `write`, `open /here/x`: what it would not do. */
  readonly doing: string;
  readonly why: string;
  /** What a person can do about it. */
  readonly cure: string;
}

const isSystemCode = (code: string | undefined): code is string => code !== undefined && /^E[A-Z0-9]+$/u.test(code);
const reasonOf = (code: string): string => reasons[code] ?? 'the operating system refused';

/** What the operating system said, in words; undefined for what is no fault of its. */
export function faultReason(cause: unknown): FaultReason | undefined {
  const code = errorCode(cause);
  if (!isSystemCode(code)) return undefined;
  const { syscall = 'do it', path = '' } = cause as NodeJS.ErrnoException;
  return {
    code,
    doing: `${syscall}${path === '' ? '' : ` ${path}`}`,
    why: reasonOf(code),
    cure: cures[code] ?? 'put that right',
  };
}

/** One sentence on what could not be done; undefined for what is no fault of the operating system. */
export function refusalOf(cause: unknown, doing: string): string | undefined {
  const code = errorCode(cause);
  return isSystemCode(code) ? `Could not ${doing}: ${reasonOf(code)} (${code})` : undefined;
}
