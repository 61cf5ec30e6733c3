import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tests = readdirSync(join(root, 'property-tests', 'laws'))
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `property-tests/laws/${name}`);

const linksIn = (text: string): readonly string[] =>
  [...text.matchAll(/\]\(\.\.\/([^)]+)\)/gu)].map(([, path = '']) => path);

/** What is wrong with a page that lists the laws: a test that is not on it, a link to none, a law without, a test beside another law. */
function amiss(page: string, files: readonly string[]): readonly string[] {
  const links = linksIn(page);
  const rowOf = (law: string): string => page.split('\n').find((line) => line.startsWith(`| ${law} |`)) ?? '';
  return [
    ...files.filter((file) => !links.includes(file)).map((file) => `docs/laws.md does not list ${file}.`),
    ...links
      .filter((link) => !existsSync(join(root, link)))
      .map((link) => `docs/laws.md lists ${link}, which is not there.`),
    ...Array.from({ length: 12 }, (_, index) => String(index + 1))
      .filter((law) => linksIn(rowOf(law)).length === 0)
      .map((law) => `docs/laws.md names no test of law ${law}.`),
    ...files.flatMap((file) => {
      const law = /\/law-(\d+)-/u.exec(file)?.[1];
      return law === undefined || linksIn(rowOf(law)).includes(file) || !links.includes(file)
        ? []
        : [`docs/laws.md lists ${file} beside another law than ${law}.`];
    }),
  ];
}

describe('the page of the laws', () => {
  const page = readFileSync(join(root, 'docs', 'laws.md'), 'utf8');

  it('lists each law and each test of one, and nothing that is not there', () => {
    expect(tests.length).toBeGreaterThan(12);
    expect(amiss(page, tests)).toEqual([]);
  });

  it('would be caught: a law without a test, a test without a law, a test that is gone, a test in the wrong row', () => {
    const planted = page
      .replace(/\| 9 \|.*\n/u, '')
      .replaceAll('laws/law-8-bundles', 'laws/law-8-bundled')
      .replace('laws/law-2-fold', 'laws/law-1-codec')
      .replace('(../property-tests/laws/law-1-codec', '(../property-tests/laws/law-2-fold');
    expect(amiss(planted, tests)).toEqual([
      'docs/laws.md does not list property-tests/laws/hash-of-every-key.test.ts.',
      'docs/laws.md does not list property-tests/laws/law-8-bundles.test.ts.',
      'docs/laws.md lists property-tests/laws/law-8-bundled.test.ts, which is not there.',
      'docs/laws.md names no test of law 9.',
      'docs/laws.md lists property-tests/laws/law-1-codec.test.ts beside another law than 1.',
      'docs/laws.md lists property-tests/laws/law-2-fold.test.ts beside another law than 2.',
    ]);
  });
});

/** What is wrong with the page of the contract: a promise that nothing holds, and the name of a test that no file has. */
function unheld(page: string): readonly string[] {
  const promises = page
    .split('\n')
    .filter((line) => /^\| .* \| .* \|$/u.test(line) && !/^\| (?:what|one) /u.test(line));
  const named = [...page.matchAll(/\]\(\.\.\/([^)]+\.test\.ts)\) “([^”]+)”/gu)];
  return [
    ...promises
      .filter((line) => !/\]\([^)]+\)/u.test(line.split(' | ').at(-1) ?? ''))
      .filter((line) => line.split(' | ').length === 2)
      .map((line) => `docs/contract.md says of nothing that it holds: ${line}`),
    ...named
      .filter(([, file = '', name = '']) => !textOf(file).includes(name))
      .map(([, file, name]) => `docs/contract.md names a test that is not in ${file}: ${name}`),
  ];
}
const textOf = (file: string): string =>
  existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8').replaceAll(String.raw`\'`, "'") : '';

describe('the page of the contract', () => {
  const page = readFileSync(join(root, 'docs', 'contract.md'), 'utf8');

  it('says of each promise what holds it, by names that tests have', () => {
    expect(page.split('\n').filter((line) => line.startsWith('| ')).length).toBeGreaterThan(150);
    expect(unheld(page)).toEqual([]);
  });

  it('would be caught: a promise without a test, a test under another name', () => {
    const planted = page
      .replace(/^\| A run is one tree.*$/mu, '| A run is one tree. | the author |')
      .replace('“are six without switches”', '“are seven without switches”');
    expect(unheld(planted)).toEqual([
      'docs/contract.md says of nothing that it holds: | A run is one tree. | the author |',
      'docs/contract.md names a test that is not in src/mcp/choose-tools.test.ts: are seven without switches',
    ]);
  });
});

/** What a page links to or names as a file and nobody has; a path may be told from the top, from src or from property-tests. */
function lostFiles(page: string, text: string): readonly string[] {
  const linked = [...text.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/gu)].map(
    ([, path = '']) => [path, [dirname(page)]] as const,
  );
  const named = [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.(?:tsx?|mjs))`/gu)].map(
    ([, path = '']) => [path, ['.', 'src', 'property-tests']] as const,
  );
  return [...linked, ...named]
    .filter(([path, folders]) => !folders.some((folder) => existsSync(join(root, folder, path))))
    .map(([path]) => `${page} speaks of ${path}, which is not there.`);
}

describe('the pages', () => {
  const pages = [
    'README.md',
    ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`),
  ].filter((name) => name.endsWith('.md'));

  it('link to what is there, and name files that are there', () => {
    expect(pages.length).toBeGreaterThan(20);
    expect(pages.flatMap((page) => lostFiles(page, readFileSync(join(root, page), 'utf8')))).toEqual([]);
  });

  it('would be caught with a link or a name of nothing', () => {
    const planted =
      '[a](gone.md), [b](https://example.com), [c](house.md#rooms), `log/appender.ts`, `log/stored.ts`, `notes.ts`';
    expect(lostFiles('docs/planted.md', planted)).toEqual([
      'docs/planted.md speaks of gone.md, which is not there.',
      'docs/planted.md speaks of log/stored.ts, which is not there.',
    ]);
  });
});
