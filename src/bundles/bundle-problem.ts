/** Why a file is not a bundle that can be taken in. */
export interface BundleProblem {
  readonly code:
    | 'BUNDLE_INVALID_FORMAT'
    | 'BUNDLE_UNSUPPORTED_VERSION'
    | 'BUNDLE_INTEGRITY_FAILED'
    | 'BUNDLE_MISSING_PIN'
    | 'BUNDLE_EVENT_INVALID';
  readonly message: string;
  /** The part of the bundle that it was found in, where one can be named. */
  readonly part?: string;
  readonly line?: number;
  readonly expected?: string;
  readonly actual?: string;
}

/** Thrown inside a chain of streams, and turned into data where the chain ends. */
export class BundleRefused extends Error {
  readonly problem: BundleProblem;

  constructor(problem: BundleProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

export const refused = (
  message: string,
  code: BundleProblem['code'] = 'BUNDLE_INVALID_FORMAT',
  more: Omit<BundleProblem, 'code' | 'message'> = {},
): BundleRefused => new BundleRefused({ code, message, ...more });
