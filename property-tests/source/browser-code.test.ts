import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const src = fileURLToPath(new URL('../../src/', import.meta.url));

/** What is still an import when it runs: types are gone by then. */
const imports = /^import (?!type\b)(?:[^'";]*? from )?'([^']+)'|\bimport\('([^']+)'\)/gmu;

/** The packages that a file brings along wherever it runs. */
function packagesOf(text: string, from: string, seen = new Set<string>()): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [, still, lazy] of text.matchAll(imports)) {
    const named = still ?? lazy ?? '';
    if (!named.startsWith('.')) found.add(named);
    const file = ['ts', 'tsx'].map((end) => path.join(from, '..', named).replace(/\.js$/u, `.${end}`)).find(existsSync);
    if (file === undefined || seen.has(file)) continue;
    seen.add(file);
    for (const one of packagesOf(readFileSync(file, 'utf8'), file, seen)) found.add(one);
  }
  return found;
}

it('keeps zod out of the browser, where types of answers are all that is wanted', () => {
  const page = path.join(src, 'dashboard', 'main.tsx');
  const brought = packagesOf(readFileSync(page, 'utf8'), page);
  expect([...brought]).toContain('@tanstack/react-query');
  expect([...brought]).not.toContain('zod');
  const planted = "import { runGraph } from '../contract/http-api.js';\n";
  expect([...packagesOf(planted, page)]).toContain('zod');
});
