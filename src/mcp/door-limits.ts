/** Every bound of this door. */
export const doorLimits = {
  /** One message of a client; the SDK's transport gives up on a longer one. */
  message: 10 * 1024 * 1024,
  /** How long a client may take to name its roots before the working folder is taken. */
  rootsWaitMs: 1_500,
  /** How long an answer under way is waited for when the client has gone. */
  lastAnswersMs: 10_000,
  lastBytesMs: 1_000,
} as const;
