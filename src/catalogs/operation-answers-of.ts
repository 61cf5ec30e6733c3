import type { OperationAnswer, OperationAnswers } from '../definitions/compiled/operation-answers.js';
import type { Answer, Operation } from './openapi-catalog.js';
import { isJsonType } from './read-bodies.js';

/** What an operation may answer, as far as it serves to judge what is read of it. */
export const operationAnswersOf = ({ answers, definitions }: Operation): OperationAnswers => ({
  answers: answers.map(({ status, content }): OperationAnswer => ({ status, schemas: schemasOf(content) })),
  definitions,
});

/** JSON is asked for where there is a choice; what else there is with a schema may have been asked for with a header. */
function schemasOf(content: Answer['content']): OperationAnswer['schemas'] {
  if (content.length === 0) return [];
  const json = content.filter(({ type }) => isJsonType(type));
  const isUnsaid = json.length === 0 || json.some(({ schema }) => schema === undefined);
  return isUnsaid ? undefined : content.flatMap(({ schema }) => schema ?? []);
}
