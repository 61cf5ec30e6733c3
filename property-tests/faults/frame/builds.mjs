import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { mutants } from './mutants.mjs';

/**
 * Copies of the built program: the sound one, and one for each guard that is taken out. A rebuild meanwhile changes none
 * of them. A guard is taken out of a module, so those copies go without what the build joins the modules into.
 */
export function openBuilds(projectFolder, workDir) {
  const made = new Map();
  const copy = (name) => {
    const folder = join(workDir, 'builds', name);
    if (!existsSync(join(projectFolder, 'dist', 'cli', 'main.js')))
      throw new Error('dist holds no program: npm run build makes it');
    mkdirSync(folder, { recursive: true });
    if (name === 'sound')
      cpSync(join(projectFolder, 'dist'), join(folder, 'dist'), {
        recursive: true,
        preserveTimestamps: true,
        filter: (file) =>
          !file.endsWith('.map') && !`${file}/`.startsWith(join(projectFolder, 'dist', 'dashboard', '/')),
      });
    else linkAll(join(build('sound').folder, 'dist'), join(folder, 'dist'), ['bundle']);
    for (const beside of ['package.json', 'workflows'])
      cpSync(join(projectFolder, beside), join(folder, beside), { recursive: true });
    symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'));
    return { name, folder, program: join(folder, 'dist', 'cli', 'main.js') };
  };
  const build = (name) => {
    if (!made.has(name)) {
      const copied = copy(name);
      if (name !== 'sound') takeOut(copied, name);
      made.set(name, copied);
    }
    return made.get(name);
  };
  return build;
}

/** The same files under other names: none of them is written to. */
function linkAll(from, to, but) {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.isDirectory()) {
      if (!but.includes(entry.name)) linkAll(join(from, entry.name), join(to, entry.name), []);
    } else linkSync(join(from, entry.name), join(to, entry.name));
  }
}

function takeOut({ folder }, name) {
  const mutant = mutants[name];
  if (mutant === undefined) throw new Error(`there is no mutant ${name}; there are ${Object.keys(mutants).join(', ')}`);
  for (const { file, found, instead } of mutant.cuts) {
    const path = join(folder, 'dist', ...file.split('/'));
    const text = readFileSync(path, 'utf8');
    const place = new RegExp(found.trim().split(/\s+/u).map(escapeRegExp).join('\\s+'), 'gu');
    const times = [...text.matchAll(place)].length;
    if (times !== 1)
      throw new Error(
        `mutant ${name}: ${file} holds ${JSON.stringify(found)} ${times} times, not once. Its patch in input/mutants.mjs must follow the program`,
      );
    rmSync(path);
    writeFileSync(
      path,
      text.replace(place, () => instead),
    );
  }
}

const escapeRegExp = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
