import type { Rejection } from '../../base/rejection.js';
import { type Sentence, sentenceText } from '../../base/sentence.js';
import { errorCatalogue } from '../../contract/error-catalogue.js';

/** The same fields as every other rejection has, on every door. */
export function rejectionPayload(
  { code, message, action, context, violations }: Rejection,
  words: (sentence: Sentence) => string = (sentence) => sentenceText(sentence),
): object {
  const { category, retryable } = errorCatalogue[code];
  return {
    error_code: code,
    category,
    message,
    context: context ?? {},
    retryable,
    suggested_action: words(action),
    ...(violations !== undefined && {
      violations: violations.map((violation) => ({ ...violation, message: words(violation.message) })),
    }),
  };
}
