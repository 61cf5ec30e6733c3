import type { Rejection, RequestViolation } from '../../base/rejection.js';

/** Settings that a catalog cannot have. */
export function wrongSettings(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): Rejection {
  return {
    code: 'VALIDATION_ERROR',
    message: 'the settings do not fit; nothing was written',
    action: 'correct them as listed, and send them again',
    violations: issues.slice(0, 10).map(({ path: at, message }): RequestViolation => ({
      path: `/${at.map(String).join('/')}`,
      rule: 'settings',
      message,
    })),
  };
}
