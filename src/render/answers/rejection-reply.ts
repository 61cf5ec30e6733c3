import { byteLength } from '../../base/byte-budget.js';
import type { JsonObject } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { sentenceText } from '../../base/sentence.js';
import { errorCatalogue } from '../../contract/error-catalogue.js';
import type { Reply } from '../../contract/reply.js';
import { blockerText } from '../blocker-text.js';
import { callText } from '../../contract/call-text.js';

/** One shape for everything that goes wrong, on every door: code first, then what is wrong, then the one next action. */
export function rejectionReply(told: Rejection, correlationId: string, offered: ReadonlySet<string>): Reply {
  const { nextCall: call, ...rest } = told;
  // A tool that is switched off is not recommended.
  const rejection: Rejection = call === undefined || !offered.has(call.tool) ? rest : told;
  return {
    failed: true,
    text: rejectionText(rejection, correlationId),
    answer: payload(rejection, correlationId),
    lookup: false,
    rejection,
  };
}

function payload(rejection: Rejection, correlationId: string): JsonObject {
  const { code, message, action, nextCall, context, retryAfterMs, violations, blockers, schemas, example } = rejection;
  const { category, retryable } = errorCatalogue[code];
  return {
    error_code: code,
    category,
    message,
    context: context ?? {},
    retryable,
    ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }),
    suggested_action: sentenceText(action),
    ...(nextCall !== undefined && { nextCall: { tool: nextCall.tool, arguments: nextCall.arguments } }),
    ...(violations !== undefined && {
      violations: violations.map((violation) => ({ ...violation, message: sentenceText(violation.message) })),
    }),
    ...(blockers !== undefined && {
      blockers: blockers
        .slice(0, limits.blockers)
        .map((blocker) => ({ ...blocker, message: sentenceText(blocker.message), fix: sentenceText(blocker.fix) })),
    }),
    ...(blockers !== undefined &&
      blockers.length > limits.blockers && { blockersOmitted: blockers.length - limits.blockers }),
    ...(schemas !== undefined && { schemas }),
    ...(example !== undefined && { example }),
    correlation_id: correlationId,
  };
}

function rejectionText(rejection: Rejection, correlationId: string): string {
  const { code, message, action, nextCall, violations, blockers, schemas } = rejection;
  const lines = [`${code}: ${message}`];
  const shownBlockers = (blockers ?? []).slice(0, limits.blockers);
  shownBlockers.forEach((blocker, index) => lines.push(`${index + 1}. ${blockerText(blocker)}`));
  if (blockers !== undefined && blockers.length > shownBlockers.length)
    lines.push(`and ${blockers.length - shownBlockers.length} more`);
  lines.push(...(schemas ?? []).map(schemaText));
  const listed = code === 'LIMIT_EXCEEDED' ? [] : (violations ?? []).slice(0, 20);
  for (const { path, message: sentence, expected = '' } of listed) {
    const wrong = sentenceText(sentence);
    lines.push(`- ${path || '/'}: ${wrong}${wrong.includes(expected) ? '' : ` (expected ${expected})`}`);
  }
  if ((violations?.length ?? 0) > 20)
    lines.push(`- and ${(violations?.length ?? 0) - 20} more, in the structured answer`);
  lines.push(`Next: ${sentenceText(action)}${nextCall === undefined ? '.' : `: ${callText(nextCall)}`}`);
  if (errorCatalogue[code].category === 'internal') lines.push(`(correlation ${correlationId})`);
  return lines.join('\n');
}

const schemaShown = 2048;

function schemaText({ kind, schema }: NonNullable<Rejection['schemas']>[number]): string {
  const text = JSON.stringify(schema);
  return byteLength(text) <= schemaShown
    ? `Schema of ${kind}: ${text}`
    : `The schema of ${kind} is in inspect_workflow with mode "preview".`;
}
