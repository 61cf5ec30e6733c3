import { lstatSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stringify as printToml } from 'smol-toml';
import type { JsonObject, JsonValue } from '../base/json-value.js';
import { closestName } from '../base/closest-name.js';
import { type Client, clientTable, type Launch } from './client-table.js';
import { type ConfigPlace, readEntry, withEntry, withoutEntry } from './edit-client-config.js';
import { type ExitCode, exitCodes } from './exit-codes.js';
import { givenPlaces } from './given-places.js';
import type { ParsedOptions } from './parse-options.js';
import type { Surroundings } from './surroundings.js';

const server = 'workrail';

/** Prints a client's configuration, or writes it into the client's own file, or takes it out again. */
export function initClient(name: string, parsed: ParsedOptions, surroundings: Surroundings): ExitCode {
  const names = clientTable.map((client) => client.name);
  const client = clientTable.find((one) => one.name === name);
  const places = givenPlaces(parsed, surroundings);
  const misused = (message: string): ExitCode => {
    surroundings.err(`workrail init: ${message}`);
    surroundings.err('See: workrail help init');
    return exitCodes.usage;
  };
  if (client === undefined) return misused(`--client ${name} is not known; there are ${names.join(', ')}${closestName(name, names) === undefined ? '' : `; did you mean ${closestName(name, names)}?`}`);
  if (!places.ok) return misused(places.error);
  if (parsed.has('write') && parsed.has('undo')) return misused('--write and --undo are opposites');
  const project = parsed.has('project');
  const launch = launchOf(parsed, surroundings, client);
  const entry = entryOf(client, launch);
  const file = fileOf(client, project, places.value.workspace ?? surroundings.workingFolder, surroundings);
  if (project && file === undefined) return misused(`${client.title} has no file of its own in a project; leave --project out`);
  if (!parsed.has('write') && !parsed.has('undo')) return show({ client, launch, entry, file, project }, parsed, surroundings);
  if (file === undefined) return misused(`${client.title} keeps its file for all projects itself: run ${client.command?.(launch) ?? 'its own command'}, or take --project`);
  return change({ client, launch, entry, file, project }, parsed, surroundings);
}

interface Chosen {
  readonly client: Client;
  readonly launch: Launch;
  readonly entry: JsonObject;
  readonly file: string | undefined;
  readonly project: boolean;
}

/** The published package through npx; from a clone, the clone. */
function launchOf(parsed: ParsedOptions, { packageFolder, platform, nodePath }: Surroundings, client: Client): Launch {
  const installed = packageFolder.split(path.sep).includes('node_modules');
  if (!installed && !parsed.has('npx')) return { command: client.name === 'claude-desktop' ? nodePath : 'node', args: [path.join(packageFolder, 'dist', 'cli', 'main.js'), 'mcp'] };
  return platform === 'win32' ? { command: 'cmd', args: ['/c', 'npx', '-y', 'workrail', 'mcp'] } : { command: 'npx', args: ['-y', 'workrail', 'mcp'] };
}

const entryOf = ({ also }: Client, { command, args }: Launch): JsonObject => ({ ...also, command, args: [...args] });

function fileOf({ projectFile, userFile }: Client, project: boolean, workspace: string, surroundings: Surroundings): string | undefined {
  if (project) return projectFile === undefined ? undefined : path.join(workspace, projectFile);
  return userFile?.(surroundings);
}

/** The file as it would be with nothing else in it. */
function snippet({ client, entry }: Chosen): string {
  const whole = { [client.at]: { [server]: entry } };
  return client.format === 'toml' ? printToml(whole).trim().replace(`[${client.at}]\n`, '') : JSON.stringify(whole, undefined, 2);
}

function show(chosen: Chosen, parsed: ParsedOptions, { out, style }: Surroundings): ExitCode {
  const { client, launch, entry, file, project } = chosen;
  const command = project ? undefined : client.command?.(launch);
  const link = client.link?.(launch);
  if (parsed.has('json')) {
    out(JSON.stringify({ client: client.name, entry, ...(file !== undefined && { file }), ...(command !== undefined && { command }), ...(link !== undefined && { link }) }));
    return exitCodes.done;
  }
  if (command !== undefined) out(`${style.bold(client.title)} adds it itself:\n\n  ${command}\n`);
  if (link !== undefined) out(`${style.bold('One click')}, in a browser on this machine:\n\n  ${link}\n`);
  if (file !== undefined) {
    out(`${style.bold(file)}\n`);
    out(snippet(chosen).replaceAll(/^/gmu, '  '));
    out('');
    out(`Nothing was written. To write it there, and keep what is in it: workrail init --client ${client.name}${project ? ' --project' : ''} --write`);
  }
  if (!project && client.projectFile !== undefined) out(`For one project, in ${client.projectFile}: add --project.`);
  out(client.then);
  return exitCodes.done;
}

function change({ client, launch, entry, file, project }: Chosen & { readonly file: string }, parsed: ParsedOptions, surroundings: Surroundings): ExitCode {
  const { out, err } = surroundings;
  const undo = parsed.has('undo');
  const place: ConfigPlace = { format: client.format, at: client.at, name: server };
  const refuse = (message: string, next: string): ExitCode => {
    err(`workrail init: ${message}`);
    err(`Next: ${next}`);
    return exitCodes.rejected;
  };
  const text = textOf(file);
  const standing = readEntry(text ?? '', place);
  const by = `workrail init --client ${client.name}${project ? ' --project' : ''}`;
  if (!standing.ok) return refuse(`${file}: ${standing.error}; it was left as it is`, `mend it, or put the entry there by hand: ${by}`);
  if (!undo && !parsed.has('force') && isAnother(standing.value, entry)) {
    return refuse(`${file} has another entry named ${server}: ${JSON.stringify(standing.value)}`, `look at it, then replace it: ${by} --write --force`);
  }
  const edited = undo ? withoutEntry(text ?? '', place) : withEntry(text ?? '', place, entry);
  if (!edited.ok) return refuse(`${file}: ${edited.error}; it was left as it is`, undo ? 'take the entry out by hand' : `put the entry there by hand: ${by}`);
  const done = edited.value === (text ?? '') ? 'as it was' : undo ? 'undone' : 'written';
  if (done !== 'as it was') write(file, edited.value, client.format === 'json' ? '{}' : '');
  if (parsed.has('json')) out(JSON.stringify({ client: client.name, file, done, entry: undo ? null : entry }));
  else for (const line of toldChange(done, file, by, { client, launch, project, undo })) out(line);
  return exitCodes.done;
}

const isAnother = (standing: JsonValue | undefined, entry: JsonObject): boolean => standing !== undefined && JSON.stringify(standing) !== JSON.stringify(entry);

function toldChange(done: string, file: string, by: string, { client, launch, project, undo }: Pick<Chosen, 'client' | 'launch' | 'project'> & { readonly undo: boolean }): readonly string[] {
  if (done === 'as it was') return [undo ? `${file} has no entry named ${server}; nothing was changed.` : `${file} has it already; nothing was changed.`];
  if (undo) return [`Took ${server} out of ${file}. What else stands in it was kept.`];
  const here = project && launch.args.some((word) => path.isAbsolute(word));
  return [
    `Wrote ${server} into ${file}. What else stands in it was kept. To take it out again: ${by} --undo`,
    ...(here ? ['It names a path of this machine; with --npx it would work for everybody who has the project.'] : []),
    client.then,
  ];
}

function textOf(file: string): string | undefined {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(file, 'utf8') : undefined;
}

/** In one rename, through a link to the file it names; a file that would be empty goes. */
function write(file: string, text: string, empty: string): void {
  const link = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  const target = link ? realpathSync(file) : file;
  if (text.replaceAll(/\s/gu, '') === empty && !link) {
    rmSync(target, { force: true });
    return;
  }
  mkdirSync(path.dirname(target), { recursive: true });
  const mode = statSync(target, { throwIfNoEntry: false })?.mode;
  const temporary = `${target}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text, { flag: 'wx', ...(mode !== undefined && { mode: mode & 0o777 }) });
    renameSync(temporary, target);
  } finally {
    rmSync(temporary, { force: true });
  }
}
