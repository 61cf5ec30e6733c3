import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../frame/command.mjs';

const stack = /\n\s+at \S+ \(?(?:file|node):|RangeError|TypeError|AssertionError/u;

/** The ids of the sessions of a world, the longest log first. */
export function sessionsOf(world) {
  const folder = join(world.dataDir, 'sessions');
  let names = [];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  const size = (name) => {
    const segments = join(folder, name, 'segments');
    return readdirSync(segments).reduce((sum, file) => sum + statSync(join(segments, file)).size, 0);
  };
  return names
    .map((name) => ({ name, size: size(name) }))
    .toSorted((a, b) => b.size - a.size)
    .map(({ name }) => name);
}

/** What was put into sessions is told in every way there is: none of them may fall over it. */
export async function tellSessions(
  build,
  world,
  ids,
  views = ['render md', 'render html', 'show', 'log', 'graph', 'show --json'],
) {
  const violations = [];
  for (const id of ids) {
    for (const view of views) {
      const [command, format] = view.split(' ');
      const words = [
        command,
        id,
        ...(command === 'render' ? ['--format', format] : format === undefined ? [] : [format]),
      ];
      const { code, signal, out, err } = await runCommand(build, world, words);
      if (code !== 0 || signal !== null || out === '')
        violations.push(`workrail ${words.join(' ')} ended with ${signal ?? code}: ${(err || out).slice(0, 300)}`);
      else if (stack.test(err)) violations.push(`workrail ${words.join(' ')} shows a stack: ${err.slice(0, 300)}`);
    }
  }
  return violations;
}
