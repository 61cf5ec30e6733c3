import type { OperationShape } from '../definitions/compiled/operation-shape.js';
import { type Operation, type Parameter, parameterStyles } from './openapi-catalog.js';

/** What a request is built from. */
export type RequestedOperation = Pick<Operation, 'method' | 'path' | 'parameters' | 'body' | 'answers' | 'definitions'>;

/** An operation as a workflow keeps it, for a request of it: what is sent is what was planned, whatever became of the catalog. */
export function operationOfShape({
  method,
  path,
  parameters,
  bodies,
  definitions = {},
}: OperationShape): RequestedOperation {
  return {
    method,
    path,
    parameters: parameters.map(({ style: name, explode, allowReserved = false, ...parameter }): Parameter => {
      const plain = parameter.in === 'path' || parameter.in === 'header' ? 'simple' : 'form';
      const style = parameterStyles.find((one) => one === name) ?? plain;
      return { ...parameter, style, explode: explode ?? style === 'form', allowReserved };
    }),
    ...(bodies.length > 0 && {
      body: {
        required: bodies.some(({ required }) => required),
        content: bodies.map(({ contentType, schema, encoding = {} }) => ({
          type: contentType,
          ...(schema !== undefined && { schema }),
          encoding: Object.fromEntries(
            Object.entries(encoding).map(([field, { style: name, ...rest }]) => {
              const style = parameterStyles.find((one) => one === name);
              return [field, { ...rest, ...(style !== undefined && { style }) }];
            }),
          ),
        })),
      },
    }),
    answers: [],
    definitions: { ...definitions },
  };
}
