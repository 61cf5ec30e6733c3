import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isJsonObject } from '../../../src/base/json-value.js';
import { githubDocument } from '../../../src/cli/demo/github-document.js';
import type { Requests } from '../../../src/requests/requests.js';
import { corpora } from '../../worlds/corpora.js';
import { call, makeRequestsWorld, type RequestsWorld } from '../../worlds/requests-world.js';

const examples = fileURLToPath(new URL('../../../docs/examples', import.meta.url));
const document = join(corpora, 'openapi', 'github.json');

let world: RequestsWorld;
let requests: Requests;
beforeAll(() => {
  world = makeRequestsWorld({ seed: 4 });
  const catalog = join(world.data, 'catalogs', 'github');
  mkdirSync(catalog, { recursive: true });
  cpSync(document, join(catalog, 'document.json'));
  writeFileSync(join(catalog, 'catalog.json'), JSON.stringify({ version: 1, enabled: true }));
  requests = world.open();
});
afterAll(() => world.close());

it.each(readdirSync(examples).filter((name) => name.endsWith('.yaml')))(
  "%s has no violation and no warning with GitHub's own document",
  async (name) => {
    const content = readFileSync(join(examples, name), 'utf8');
    const { answer } = await call(requests, 'validate_workflow', { content });
    expect(answer).toMatchObject({ valid: true, violations: [], warnings: [] });
  },
);

it('the small GitHub of the demo has no command that GitHub has not', () => {
  const named = (text: unknown): readonly unknown[] => {
    const { paths } = text as { readonly paths: Readonly<Record<string, unknown>> };
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(isJsonObject(methods) ? methods : {}).flatMap(([method, operation]) =>
        isJsonObject(operation) ? [[method, path, operation['operationId']]] : [],
      ),
    );
  };
  const small = named(githubDocument('http://127.0.0.1'));
  expect(small).toHaveLength(8);
  expect(named(JSON.parse(readFileSync(document, 'utf8')))).toEqual(expect.arrayContaining([...small]));
});
