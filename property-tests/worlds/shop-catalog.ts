import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../../src/base/digest.js';
import type { JsonObject, JsonValue } from '../../src/base/json-value.js';
import { revisionOf } from '../../src/library/revision.js';

const json = (schema: JsonValue): JsonObject => ({ content: { 'application/json': { schema } } });
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const orderId = {
  name: 'orderId',
  in: 'path',
  required: true,
  description: 'The number of the order, as it stands on the receipt',
  schema: { type: 'integer', format: 'int64', minimum: 1 },
};

/** An API of a shop: of each safety something, a list to choose from, fields within fields, and one that holds itself. */
export const shopDocument: JsonObject = {
  openapi: '3.0.3',
  info: {
    title: 'Shop API',
    version: '2.4.0',
    description: 'Orders and customers of the shop.\n\nAsk **Ann** for a key.',
  },
  servers: [{ url: 'https://shop.example.com/api/v2' }],
  paths: {
    '/orders': {
      get: {
        operationId: 'orders/list',
        summary: 'List orders',
        description: 'Lists orders, the newest first. Those of the last year only, unless `since` says otherwise.',
        tags: ['orders'],
        parameters: [
          {
            name: 'status',
            in: 'query',
            description: 'Only orders that stand so',
            schema: { type: 'string', enum: ['open', 'paid', 'sent', 'returned'], default: 'open' },
          },
          {
            name: 'since',
            in: 'query',
            description: 'Only later ones',
            schema: { type: 'string', format: 'date-time' },
          },
          { name: 'X-Request-Id', in: 'header', schema: { type: 'string', maxLength: 64 } },
        ],
        responses: {
          200: { description: 'The orders', ...json({ type: 'array', items: ref('Order') }) },
          401: { description: 'The key is missing or wrong', ...json(ref('Problem')) },
        },
      },
      post: {
        operationId: 'orders/create',
        summary: 'Create an order',
        tags: ['orders'],
        requestBody: { required: true, description: 'The order without its number', ...json(ref('NewOrder')) },
        responses: { 201: { description: 'The order as it was created', ...json(ref('Order')) } },
      },
    },
    '/orders/{orderId}': {
      parameters: [orderId],
      get: {
        operationId: 'orders/get',
        summary: 'Get an order',
        tags: ['orders'],
        responses: {
          200: { description: 'The order', ...json(ref('Order')) },
          404: { description: 'There is no such order' },
        },
      },
      delete: {
        operationId: 'orders/delete',
        summary: 'Delete an order that has not been paid',
        tags: ['orders'],
        responses: { 204: { description: 'It is gone' } },
      },
    },
    '/orders/{orderId}/refund': {
      parameters: [orderId],
      post: {
        summary: 'Refund an order, in full or in part',
        tags: ['payments'],
        requestBody: json({ type: 'object', properties: { cents: { type: 'integer', minimum: 1 } } }),
        responses: { 200: { description: 'Refunded' } },
      },
    },
  },
  components: {
    schemas: {
      NewOrder: {
        type: 'object',
        required: ['customer', 'lines'],
        properties: {
          customer: ref('Customer'),
          lines: { type: 'array', minItems: 1, items: ref('Line') },
          note: { type: 'string', maxLength: 500, description: 'What the customer wrote', example: 'Ring twice.' },
        },
      },
      Order: {
        allOf: [
          ref('NewOrder'),
          {
            type: 'object',
            required: ['id', 'status'],
            properties: {
              id: { type: 'integer', format: 'int64', readOnly: true },
              status: { type: 'string', enum: ['open', 'paid', 'sent', 'returned'] },
              replaces: ref('Order'),
            },
          },
        ],
      },
      Line: {
        type: 'object',
        required: ['article', 'count'],
        properties: { article: { type: 'string' }, count: { type: 'integer', minimum: 1, maximum: 100 } },
      },
      Customer: {
        type: 'object',
        required: ['email'],
        properties: {
          email: { type: 'string', format: 'email' },
          name: { type: 'string' },
          address: { oneOf: [{ type: 'string' }, { type: 'object', properties: { street: { type: 'string' } } }] },
        },
      },
      Problem: { type: 'object', properties: { message: { type: 'string' } } },
    },
  },
};

const textOf = (value: JsonValue): string => `${JSON.stringify(value, null, 2)}\n`;

/** A catalog as an import leaves it in a data root. */
export function writeCatalog(data: string, id: string, document: JsonValue, settings: JsonObject = {}): void {
  const folder = join(data, 'catalogs', id);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'document.json'), typeof document === 'string' ? document : textOf(document));
  writeFileSync(join(folder, 'catalog.json'), textOf({ version: 1, enabled: true, from: `${id}.json`, ...settings }));
}

/** Its revision, as it lies there. */
export function catalogRevision(data: string, id: string): string {
  const digest = (name: string): string => sha256Hex(readFileSync(join(data, 'catalogs', id, name)));
  return revisionOf(sha256Hex(`${digest('catalog.json')} ${digest('document.json')}`));
}
