import { errorCatalogue } from '../contract/error-catalogue.js';
import type { Reply } from '../contract/reply.js';

/** What a caller hears when requests broke their word and threw: a rejection like any other. */
export function internalReply(tool: string, correlationId: string): Reply {
  const { category, retryable } = errorCatalogue.INTERNAL;
  const message = `${tool} failed inside WorkRail; the server's stderr has the details`;
  const action = 'call it again with the same arguments; if it fails again, tell the user and name the correlation id';
  return {
    failed: true,
    lookup: false,
    text: `INTERNAL: ${message}.\nNext: ${action}.\n(correlation ${correlationId})`,
    answer: {
      error_code: 'INTERNAL',
      category,
      message,
      context: { tool },
      retryable,
      suggested_action: action,
      correlation_id: correlationId,
    },
  };
}
