import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { userOnlyReasons } from '../../src/base/closed-sets.js';
import { modeNames } from '../../src/base/preferences.js';
import { contractPacks } from '../../src/definitions/contracts/contract-packs.js';
import { expressionFunctions } from '../../src/definitions/expression/expression-functions.js';
import { features } from '../../src/definitions/expand/features.js';
import { keysOf } from '../worlds/keys-of-format.js';
import { openLibrary } from '../../src/library/workflow-library.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');
const page = await read('docs/format.md');

/** Where the page tells of the keys of each kind of object. */
const headings: { readonly [kind in keyof typeof keysOf]: string } = {
  workflow: 'The file',
  step: 'Steps',
  blocks: 'Prompt blocks',
  value: 'Values',
  input: 'Inputs',
  need: 'needs',
  confirm: 'confirm',
  output: 'output',
  rule: 'rules',
  assessment: 'Assessments',
  dimension: 'Assessments',
  followUp: 'Assessments',
  function: 'Functions',
  reference: 'References',
  recommends: 'recommends',
  delegate: 'Delegating',
  retry: 'Commands',
  paginate: 'Commands',
  provider: 'Providers',
};

function sectionOf(text: string, heading: string): string {
  const start = text.indexOf(`\n## ${heading}\n`);
  const end = text.indexOf('\n## ', start + 4);
  return start < 0 ? '' : text.slice(start, end < 0 ? undefined : end);
}

/** The keys that the tables of a section are about. */
const rowsOf = (section: string): readonly string[] =>
  [...section.matchAll(/^\| (`[a-z][^|]*`) \|/gimu)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/gu)].map(([, key = '']) => key),
  );

function missingKeys(
  text: string,
  kinds: { readonly [kind: string]: readonly string[] },
  places: { readonly [kind: string]: string },
): readonly string[] {
  return Object.entries(kinds).flatMap(([kind, keys]) => {
    const section = sectionOf(text, places[kind] ?? kind);
    return keys.filter((key) => !section.includes(`\`${key}\``)).map((key) => `${places[kind] ?? kind}: ${key}`);
  });
}

describe('docs/format.md', () => {
  it('tells of every key of the format', () => {
    expect(missingKeys(page, keysOf, headings)).toEqual([]);
  });

  it('tells of no key that the format does not have', () => {
    const known = new Map<string, Set<string>>();
    for (const kind of Object.keys(keysOf) as (keyof typeof keysOf)[])
      known.set(headings[kind], new Set([...(known.get(headings[kind]) ?? []), ...keysOf[kind]]));
    const unknown = [...known].flatMap(([heading, keys]) =>
      rowsOf(sectionOf(page, heading))
        .filter((key) => !keys.has(key) && !key.startsWith('wr.'))
        .map((key) => `${heading}: ${key}`),
    );
    expect(unknown).toEqual([]);
  });

  it('names every contract, feature, function, mode and reason', () => {
    const functions = [...expressionFunctions.keys()].filter((name) => !name.startsWith('wr_'));
    const names = [...contractPacks.keys(), ...features.keys(), ...modeNames, ...userOnlyReasons].map(
      (name) => `\`${name}\``,
    );
    expect([...names, ...functions.map((name) => `${name}(`)].filter((name) => !page.includes(name))).toEqual([]);
    expect(
      [...page.matchAll(/`(wr\.(?:contracts|features)\.\w+)`/gu)]
        .map(([, name = '']) => name)
        .filter((name) => !contractPacks.has(name) && !features.has(name)),
    ).toEqual([]);
  });

  it('would fail for a key that it leaves out', () => {
    expect(
      missingKeys('# Page\n\n## The file\n\n| `workflow` | its id |\n', { workflow: ['workflow', 'steps'] }, headings),
    ).toEqual(['The file: steps']);
    expect(rowsOf('\n| `minimum`, `maximum` | number |\n| text | `no` |\n')).toEqual(['minimum', 'maximum']);
  });
});

const pages = ['README.md', 'docs/authoring.md', 'docs/format.md', 'docs/from-workrail-json.md'];

interface Snippet {
  readonly name: string;
  readonly text: string;
  /** It stands for itself, and is held to what a whole file is held to. */
  readonly whole: boolean;
  readonly extension: string;
}

/** The workflows a page shows, whole or as the part of a file that has `steps`. Each becomes a file, under an id of its own. */
function snippetsOf(path: string, text: string): readonly Snippet[] {
  return [...text.matchAll(/^```(yaml|json)\n([\s\S]*?)^```$/gmu)].flatMap(
    ([, extension = '', body = ''], at): readonly Snippet[] => {
      const name = `${path.replaceAll(/[^a-z]+/giu, '-').toLowerCase()}-${at}`;
      if (!/^steps:|"steps":/mu.test(body)) return [];
      if (extension === 'json')
        return [{ name, extension, whole: true, text: body.replace(/"id": "[^"]+"/u, `"id": "snippet.${name}"`) }];
      const whole = body.startsWith('workflow:');
      return [
        {
          name,
          extension,
          whole,
          text: whole
            ? body.replace(/^workflow: .*$/mu, `workflow: snippet.${name}`)
            : `workflow: snippet.${name}\ndescription: Use this as an example.\n${body}`,
        },
      ];
    },
  );
}

const snippets = (await Promise.all(pages.map(async (path) => snippetsOf(path, await read(path))))).flat();

describe('the workflows that the pages show', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'snippets-'));
    await mkdir(join(folder, 'workflows'));
    for (const { name, extension, text } of snippets)
      await writeFile(join(folder, 'workflows', `${name}.${extension}`), text);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('are all found', () => {
    expect(snippets.length).toBeGreaterThan(20);
    expect(snippets.filter(({ whole }) => whole).length).toBeGreaterThan(6);
  });

  it('compile, the whole ones without a warning', async () => {
    const library = openLibrary([
      { name: 'bundled', folder: join(root, 'workflows'), label: 'bundled' },
      { name: 'project', folder: join(folder, 'workflows'), label: 'pages' },
    ]);
    const entries = new Map((await library.list()).map((entry) => [entry.id, entry]));
    const said = snippets.flatMap(({ name, whole }) => {
      const entry = entries.get(`snippet.${name}`);
      if (!entry) return [`${name} is not listed`];
      return [...entry.violations, ...(whole ? entry.warnings : [])].map(
        ({ line, message }) => `${entry.file}:${line ?? 0} ${message}`,
      );
    });
    expect(said).toEqual([]);
  });
});
