import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What writes catalogs and workflow files: they are whole as they were or whole as they become, and nothing is left beside them. */
const command = (name, words, more) => ({
  name,
  door: 'cli',
  template: 'catalogs',
  words: () => [...words, '--json'],
  entries: () => [],
  ...more,
});

export const catalogSubjects = [
  command('catalogs import', ['catalogs', 'import', 'B.json', '--id', 'fresh'], {
    left: (world, _t, { done, again }) => [
      ...catalog(world, 'fresh', { titles: ['B'], needed: done }),
      ...catalog(world, 'big', { titles: ['A'], needed: true }),
      ...strays(world, again),
    ],
    shows: () => ({ words: ['commands', 'search', 'pets', '--catalog', 'fresh', '--json'], holds: 'petsofB' }),
  }),
  command('catalogs import --overwrite', ['catalogs', 'import', 'B.json', '--id', 'big', '--overwrite'], {
    left: (world, _t, { done, again }) => [
      ...catalog(world, 'big', { titles: done ? ['B'] : ['A', 'B'], needed: true }),
      ...strays(world, again),
    ],
    shows: () => ({ words: ['commands', 'search', 'pets', '--catalog', 'big', '--json'], holds: 'petsofB' }),
  }),
  command('catalogs configure', ['catalogs', 'configure', 'big', '--header', 'A=1', '--allow', '10.0.0.1'], {
    left: (world, _t, { done, again }) => [
      ...catalog(world, 'big', { titles: ['A'], needed: true, settings: done ? '10.0.0.1' : '' }),
      ...strays(world, again),
    ],
    shows: () => ({ words: ['catalogs', 'show', 'big', '--json'], holds: '"headers":{"A":"1"}' }),
  }),
  command('catalogs disable', ['catalogs', 'disable', 'big'], {
    left: (world, _t, { done, again }) => [
      ...catalog(world, 'big', { titles: ['A'], needed: true, settings: done ? '"enabled": false' : '' }),
      ...strays(world, again),
    ],
  }),
  command('workflows save', ['workflows', 'save', 'B.yaml', '--overwrite'], {
    left: (world, _t, { done, again }) => [...saved(world, done ? ['B'] : ['A', 'B']), ...strays(world, again)],
  }),
  command('workflows rename', ['workflows', 'rename', 'team.saved', 'team.renamed'], {
    left: (world, _t, { again }) => [...saved(world, ['A']), ...strays(world, again)],
    mayBeDone: /team\.saved/u,
  }),
];

/** A folder without settings is no catalog yet. */
function catalog(world, id, { titles, needed, settings = '' }) {
  const folder = join(world.dataDir, 'catalogs', id);
  if (!existsSync(join(folder, 'catalog.json'))) return needed ? [`the catalog ${id} is not there`] : [];
  try {
    const text = readFileSync(join(folder, 'catalog.json'), 'utf8');
    JSON.parse(text);
    const { title } = JSON.parse(readFileSync(join(folder, 'document.json'), 'utf8')).info;
    return [
      ...(titles.includes(title) ? [] : [`the document of ${id} is ${title}, not ${titles.join(' or ')}`]),
      ...(text.includes(settings) ? [] : [`the settings of ${id} have no ${settings}`]),
    ];
  } catch (cause) {
    return [`the catalog ${id} is not whole: ${cause.message}`];
  }
}

function saved(world, titles) {
  const folder = join(world.dataDir, 'workflows');
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml') && !name.startsWith('.'));
  if (files.length !== 1) return [`there are ${files.length} workflow files, not one`];
  const text = readFileSync(join(folder, files[0]), 'utf8');
  return titles.some((title) => text.endsWith(`Do ${title}.\n`)) ? [] : ['the workflow file is not whole'];
}

/** What a killed process had begun is gone once the same is done again; a lock may stay. */
function strays(world, again) {
  if (!again) return [];
  const folders = [
    world.config,
    join(world.dataDir, 'local', 'index'),
    ...['catalogs', 'catalogs/big', 'catalogs/fresh', 'workflows'].map((name) => join(world.dataDir, name)),
  ];
  return folders.filter(existsSync).flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.startsWith('.') && !name.startsWith('.lock'))
      .map((name) => `${name} is left in ${folder.slice(world.folder.length)}`),
  );
}
