import { own } from '../base/own.js';

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
  ELOOP: 'it is a symbolic link, and no data folder may be or hold one',
  EFTYPE: 'it is not a regular file',
  ENXIO: 'it is not a regular file',
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EEXIST: 'it already exists',
  EISDIR: 'it is a folder',
  EBUSY: 'another program has it open',
  EXDEV: 'it would have to move to another mount',
};

const cures: Readonly<Record<string, string>> = {
  ENOSPC: 'free some disk space',
  EDQUOT: 'free some of your quota',
  EROFS: 'choose a writable place',
  EACCES: 'change its permissions, or choose another place',
  EPERM: 'change its permissions, or choose another place',
  EFBIG: 'raise the limit (ulimit -f), or choose another place',
  ENOENT: 'create its folder, or choose an existing one',
  ENOTDIR: 'choose a path below a folder',
  EEXIST: 'move it away, or choose another place',
  EISDIR: 'name a file',
  ELOOP: 'replace the link with what it points to, or choose another place',
  EFTYPE: 'replace it with a regular file, or remove it',
  ENXIO: 'replace it with a regular file, or remove it',
  EXDEV: 'choose a place on the same mount',
};

export function errorCode(cause: unknown): string | undefined {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
}

export interface FaultReason {
  readonly code: string;
  readonly file?: string;
  /** `write`, `open /here/x`: what it would not do. */
  readonly doing: string;
  readonly why: string;
  /** What a person can do about it. */
  readonly cure: string;
}

const isSystemCode = (code: string | undefined): code is string => code !== undefined && /^E[A-Z0-9]+$/u.test(code);
const reasonOf = (code: string): string => own(reasons, code) ?? 'the operating system refused';

/** What the operating system said, in words; undefined for what is no fault of its. */
export function faultReason(cause: unknown): FaultReason | undefined {
  const code = errorCode(cause);
  if (!isSystemCode(code)) return undefined;
  const { syscall = 'do it', path = '' } = cause as NodeJS.ErrnoException;
  return {
    code,
    ...(path !== '' && { file: path }),
    doing: `${syscall}${path === '' ? '' : ` ${path}`}`,
    why: reasonOf(code),
    cure: own(cures, code) ?? 'fix that',
  };
}

/** One sentence on what could not be done; undefined for what is no fault of the operating system. */
export function refusalOf(cause: unknown, doing: string): string | undefined {
  const reason = faultReason(cause);
  if (reason === undefined) return undefined;
  const { code, why, file } = reason;
  return `Could not ${doing}: ${why} (${code}${file === undefined ? '' : `, ${file}`})`;
}

/** What is asked of an open file is refused without its name, and whoever is told wants to know which file it was. */
export function named<A>(path: string, work: () => A): A {
  try {
    return work();
  } catch (cause) {
    if (isSystemCode(errorCode(cause))) (cause as NodeJS.ErrnoException).path ??= path;
    throw cause;
  }
}
