import type { LogRejection } from './log-rejection.js';

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
};

export function errorCode(cause: unknown): string | undefined {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
}

/**
 * A fault of the file system as an answer. Whoever is told `doubt` knows that the lines may come back; anything that is
 * no fault of the file system is ours and goes on being thrown.
 */
export function storageFault(cause: unknown, doing: string, outcome: 'doubt' | 'nothing written'): LogRejection {
  const code = errorCode(cause);
  if (code === undefined || !/^E[A-Z0-9]+$/u.test(code)) throw cause;
  const why = `${reasons[code] ?? 'the operating system refused'} (${code})`;
  return { code: 'STORAGE_FAULT', message: `Could not ${doing}: ${why}`, retryable: true, retryAfterMs: 1000, ...(outcome === 'doubt' && { inDoubt: true as const }) };
}
