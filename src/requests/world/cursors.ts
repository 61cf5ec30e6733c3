import type { Rejection } from '../../base/rejection.js';

/** Lists page by position: they are sorted and hardly change between two calls. */
export function readCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return 0;
  return /^\d{1,9}$/u.test(cursor) ? Number(cursor) : undefined;
}

export function wrongCursor(tool: string, cursor: string): Rejection {
  return {
    code: 'VALIDATION_ERROR',
    message: 'cursor is not from an earlier answer',
    action: 'call again without it; the answer names the next page',
    nextCall: { tool, arguments: {} },
    violations: [
      {
        path: '/cursor',
        rule: 'cursor',
        message: 'cursor is nextCursor of an earlier answer',
        actual: cursor.slice(0, 40),
      },
    ],
  };
}
