import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { avoidedWords, type Text, textsOfSource, wordsFound } from './texts-for-people.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

const rooms = [
  'src/cli',
  'src/dashboard',
  'src/render',
  'src/decide',
  'src/bundles',
  'src/events',
  'src/requests',
  'src/http',
  'src/log',
  'src/library',
  'src/catalogs',
];
const pages = [
  'README.md',
  ...[
    'tour',
    'handing-over',
    'command-line',
    'care',
    'authoring',
    'bundles',
    'clients',
    'from-workrail-json',
    'reliability',
    'agents-at-work',
  ].map((page) => `docs/${page}.md`),
];

const texts = (): readonly Text[] => [
  ...rooms.flatMap((room) =>
    readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/u.test(file) && !file.includes('.test.'))
      .flatMap((file) => textsOfSource(`${room}/${file}`, read(`${room}/${file}`))),
  ),
  ...pages.flatMap((page) =>
    read(page)
      .split('\n')
      .map((said, index) => ({ path: page, line: index + 1, said })),
  ),
];

describe('texts for people', () => {
  const avoided = avoidedWords(read('docs/glossary.md'));

  it('use the words of the glossary', () => {
    const all = texts();
    expect(avoided.length).toBeGreaterThan(40);
    expect(all.length).toBeGreaterThan(3000);
    expect(wordsFound(all, avoided)).toEqual([]);
  });

  it.each(avoided)('a planted “$words” is found, in a string, in a page’s markup and over two lines', ({ words }) => {
    const better = [{ words, better: 'another', allowed: ['src/cli/demo'] }];
    const said = words.replaceAll(/['`;]/gu, '');
    const exact =
      words.includes("'") || words.includes('`')
        ? []
        : textsOfSource('src/a.tsx', `a(<p>${said.replace(' ', '\n  ')}</p>);`);
    expect(
      wordsFound([{ path: 'src/cli/a.ts', line: 1, said: `It: ${words.toUpperCase()}` }, ...exact], better),
    ).toHaveLength(exact.length === 0 ? 1 : 2);
    expect(wordsFound([{ path: 'src/cli/demo/a.ts', line: 1, said: words }], better)).toEqual([]);
  });

  it('leave comments and imports out', () => {
    const source = "// passed over\nimport a from 'passed over';\nexport const b = `${a} was passed over`;\n";
    expect(wordsFound(textsOfSource('src/b.ts', source), avoided)).toHaveLength(1);
  });
});
