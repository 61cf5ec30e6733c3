import type { Content, Operation, Parameter } from '../../src/catalogs/openapi-catalog.js';
import type { OperationShape } from '../../src/definitions/compiled/operation-shape.js';

/** An operation as far as a workflow keeps it. */
export const operationOfShape = ({
  method,
  path,
  safety,
  parameters,
  bodies,
  definitions = {},
}: OperationShape): Operation => ({
  id: `${method} ${path}`,
  method,
  path,
  tags: [],
  summary: '',
  description: '',
  safety,
  deprecated: false,
  servers: [],
  ownServers: false,
  security: [],
  parameters: parameters.map((one) => ({ allowReserved: false, ...one }) as Parameter),
  ...(bodies.length > 0 && {
    body: {
      required: bodies.some(({ required }) => required),
      content: bodies.map(
        ({ contentType, required: _required, ...more }) => ({ type: contentType, ...more }) as Content,
      ),
    },
  }),
  answers: [],
  definitions: { ...definitions },
  leftOut: [],
  warnings: [],
});
