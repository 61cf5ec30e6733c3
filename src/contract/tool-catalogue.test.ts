import { describe, expect, test } from 'vitest';
import { parseRequest } from './parse-request.js';
import { requestSchemas } from './request-schemas.js';
import { toolCatalogue } from './tool-catalogue.js';

describe('each tool', () => {
  test.each(toolCatalogue)('$name has a right example, and aliases of fields that it takes', (tool) => {
    expect(parseRequest(tool.name, tool.example)).toMatchObject({ ok: true });
    const fields = Object.keys(requestSchemas[tool.name].shape);
    expect(Object.values(tool.aliases).filter((field) => !fields.includes(field))).toEqual([]);
    expect(Object.keys(tool.aliases).filter((alias) => fields.includes(alias))).toEqual([]);
  });
});
