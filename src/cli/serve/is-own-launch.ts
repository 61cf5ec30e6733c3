import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonValue } from '../../base/json-value.js';

const own = new Set(['type', 'tools', 'command', 'args']);
const types: readonly JsonValue[] = ['stdio', 'local'];

/** Whether an entry of a client's file is one that `workrail init` writes, from any place and in any of its forms; all else is somebody's own. */
export function isOwnLaunch(entry: JsonValue | undefined): boolean {
  if (
    !isJsonObject(entry) ||
    Object.keys(entry).some((key) => !own.has(key)) ||
    !types.includes(entry['type'] ?? 'stdio') ||
    !isDeepStrictEqual(entry['tools'] ?? ['*'], ['*'])
  )
    return false;
  const { command, args } = entry;
  if (typeof command !== 'string' || !Array.isArray(args) || !args.every((arg) => typeof arg === 'string'))
    return false;
  const words = withoutPlaces([command, ...args]);
  const [program = '', script = '', ...rest] = words;
  const fromClone =
    /^node(?:\.exe)?$/iu.test(path.win32.basename(program)) && /[\\/]dist[\\/]cli[\\/]main\.js$/u.test(script);
  return fromClone ? isDeepStrictEqual(rest, ['mcp']) : published.some((form) => isDeepStrictEqual(words, form));
}

const published = [
  ['npx', '-y', 'workrail', 'mcp'],
  ['cmd', '/c', 'npx', '-y', 'workrail', 'mcp'],
];

/** `--workspace` and `--data-dir` stand at the end, as init was given them. */
function withoutPlaces(words: readonly string[]): readonly string[] {
  const named = words.length > 2 && ['--workspace', '--data-dir'].includes(words.at(-2) ?? '');
  return named ? withoutPlaces(words.slice(0, -2)) : words;
}
