import type { JsonObject } from '../../src/base/json-value.js';

const pet: JsonObject = {
  type: 'object',
  required: ['name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' }, status: { type: 'string', enum: ['here', 'sold'] } },
};
const answer = (schema: JsonObject): JsonObject => ({
  200: { description: 'done', content: { 'application/json': { schema } } },
});
const one: JsonObject = { $ref: '#/components/schemas/Pet' };
const id: JsonObject = { name: 'petId', in: 'path', required: true, schema: { type: 'integer' } };

/** A small API of our own. */
export const petDocument: JsonObject = {
  openapi: '3.0.3',
  info: { title: 'Pet shop', version: '1.0.0' },
  servers: [{ url: 'https://pets.example/v1' }],
  paths: {
    '/pets': {
      get: { operationId: 'pets/list', summary: 'List all pets', responses: answer({ type: 'array', items: one }) },
      post: {
        operationId: 'pets/add',
        summary: 'Add a pet',
        requestBody: { required: true, content: { 'application/json': { schema: one } } },
        responses: answer(one),
      },
    },
    '/pets/{petId}': {
      parameters: [id],
      get: { operationId: 'pets/get', summary: 'Find a pet by its id', responses: answer(one) },
      delete: { operationId: 'pets/delete', summary: 'Delete a pet', responses: { 204: { description: 'gone' } } },
    },
  },
  components: { schemas: { Pet: pet } },
};
