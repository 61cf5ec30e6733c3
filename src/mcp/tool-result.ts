import type { JsonObject } from '../base/json-value.js';
import type { Reply } from '../contract/reply.js';

/** Where a result carries its whole answer as data; clients show the model the text alone. */
export const answerKey = 'workrail/answer';

export interface ToolResult {
  content: { type: 'text'; text: string }[];
  structuredContent?: { [key: string]: unknown };
  isError?: true;
  _meta: { [key: string]: unknown };
}

/**
 * Structured content takes the place of the text in several clients. So it is given only where both say the same (lookups),
 * or where the user asked for it.
 */
export function toolResult(reply: Reply, options: { readonly structuredContent: boolean }): ToolResult {
  const structured = options.structuredContent || (reply.lookup && !reply.failed);
  return {
    content: [{ type: 'text', text: reply.text }],
    ...(structured && { structuredContent: open(reply.answer) }),
    ...(reply.failed && { isError: true as const }),
    _meta: { [answerKey]: reply.answer },
  };
}

const open = (answer: JsonObject): { [key: string]: unknown } => ({ ...answer });
