import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { errorCodes } from '../../src/base/rejection.js';

const src = fileURLToPath(new URL('../../src/', import.meta.url));
const listed = ['base/rejection.ts', 'contract/error-catalogue.ts'];
const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !listed.includes(file))
  .map((file) => readFileSync(path.join(src, file), 'utf8'));

const unused = (codes: readonly string[]): readonly string[] =>
  codes.filter((code) => !sources.some((text) => text.includes(`'${code}'`)));

it('each error code is what some request answers with', () => {
  expect(unused(errorCodes)).toEqual([]);
  expect(unused(['NOBODY_ANSWERS_THIS'])).toEqual(['NOBODY_ANSWERS_THIS']);
});
