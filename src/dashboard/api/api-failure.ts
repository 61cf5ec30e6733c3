import type { ApiError } from '../../contract/http-api.js';

/** A request that came to nothing: with the server's words, or because no server answered. */
export class ApiFailure extends Error {
  readonly told: ApiError | undefined;
  readonly status: number | undefined;

  constructor(
    message: string,
    { told, status, cause }: { readonly told?: ApiError; readonly status?: number; readonly cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.name = 'ApiFailure';
    this.told = told;
    this.status = status;
  }

  /** Nobody answered: what is shown stays true as of then. */
  get unreachable(): boolean {
    return this.status === undefined;
  }

  get code(): string {
    return this.told?.error_code ?? (this.unreachable ? 'UNREACHABLE' : 'INTERNAL');
  }
}

export const asFailure = (cause: unknown): ApiFailure =>
  cause instanceof ApiFailure
    ? cause
    : new ApiFailure(cause instanceof Error ? cause.message : String(cause), { cause });
