import { printUsageError } from '../shell/print-usage-error.js';
import { lstatSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { stringify as printToml } from 'smol-toml';
import type { JsonObject, JsonValue } from '../../base/json-value.js';
import { closestName } from '../../base/closest-name.js';
import { commandLine } from '../../base/sentence.js';
import { type Chosen, type Client, clientTable, type Launch } from './client-table.js';
import { throughItsCommand } from './client-command.js';
import { type ConfigPlace, readEntry, withEntry, withoutEntry } from './edit-client-config.js';
import { type ExitCode, exitCodes } from '../shell/exit-codes.js';
import { type FolderOptions, folderOptions } from '../shell/folder-options.js';
import { isOfNpx } from '../shell/own-program.js';
import { isOwnLaunch } from './is-own-launch.js';
import { rewriteFile } from '../../files/rewrite-file.js';
import { openPage } from '../print/page.js';
import { printableLine } from '../print/printable.js';
import type { ParsedOptions } from '../shell/parse-options.js';
import type { CliEnvironment } from '../print/cli-environment.js';

const server = 'workrail';

/** Prints a client's configuration, or writes it into the client's own file, or takes it out again. */
export function initClient(name: string, parsed: ParsedOptions, environment: CliEnvironment): ExitCode {
  const names = clientTable.map((client) => client.name);
  const client = clientTable.find((one) => one.name === name);
  const places = folderOptions(parsed, environment);
  const misused = (message: string): ExitCode => printUsageError(message, 'init', false, environment);
  if (client === undefined)
    return misused(
      `unknown --client ${name}; the clients are ${names.join(', ')}${closestName(name, names) === undefined ? '' : `; did you mean ${closestName(name, names)}?`}`,
    );
  if (!places.ok) return misused(places.error);
  if (parsed.has('write') && parsed.has('undo')) return misused('--write and --undo are opposites; pass only one');
  const project = parsed.has('project');
  const launch = launchOf(parsed, environment, client, places.value);
  const entry: JsonObject = { ...client.also, ...launch };
  const folder = places.value.workspace ?? environment.workingFolder;
  const file = project ? client.projectFile && path.join(folder, client.projectFile) : client.userFile?.(environment);
  const chosen = { client, launch, entry, project };
  if (project && file === undefined) return misused(`${client.title} has no project file; leave out --project`);
  if (!parsed.has('write') && !parsed.has('undo')) return show(chosen, file, parsed, environment);
  if (file === undefined) return throughItsCommand(chosen, parsed, environment);
  return change(chosen, file, parsed, environment);
}

/** This very program, from a clone or wherever it was installed; the published package where npx fetched it or is asked for. With the places that init was given. */
function launchOf(
  parsed: ParsedOptions,
  { packageFolder, platform, nodePath }: CliEnvironment,
  client: Client,
  { workspace, dataDir }: FolderOptions,
): Launch {
  // In a project's file the workspace is that project, wherever it lies.
  const named = [
    ...(workspace === undefined || parsed.has('project') ? [] : ['--workspace', workspace]),
    ...(dataDir === undefined ? [] : ['--data-dir', dataDir]),
  ];
  if (!isOfNpx(packageFolder) && !parsed.has('npx'))
    return {
      command: client.name === 'claude-desktop' ? nodePath : 'node',
      args: [path.join(packageFolder, 'dist', 'cli', 'main.js'), 'mcp', ...named],
    };
  return platform === 'win32'
    ? { command: 'cmd', args: ['/c', 'npx', '-y', 'workrail', 'mcp', ...named] }
    : { command: 'npx', args: ['-y', 'workrail', 'mcp', ...named] };
}

/** The file as it would be with nothing else in it. */
function snippet({ client, entry }: Chosen): string {
  const whole = { [client.at]: { [server]: entry } };
  return client.format === 'toml'
    ? printToml(whole).trim().replace(`[${client.at}]\n`, '')
    : JSON.stringify(whole, undefined, 2);
}

function show(chosen: Chosen, file: string | undefined, parsed: ParsedOptions, environment: CliEnvironment): ExitCode {
  const { client, launch, entry, project } = chosen;
  const { style } = environment;
  const out = (line: string): void => environment.out(printableLine(line));
  const own = project ? undefined : client.add?.(launch);
  const command = own && commandLine(own, []);
  const link = client.link?.(launch);
  if (parsed.has('json')) {
    environment.out(
      JSON.stringify({
        client: client.name,
        entry,
        ...(file !== undefined && { file }),
        ...(command !== undefined && { command }),
        ...(link !== undefined && { link }),
      }),
    );
    return exitCodes.done;
  }
  const page = openPage(environment, { given: parsed });
  // What is to be copied stands as it is, however long.
  if (command !== undefined) out(`${style.bold(client.title)} adds it itself:\n\n  ${command}\n`);
  if (link !== undefined) out(`${style.bold('One click')}, in a browser on this machine:\n\n  ${link}\n`);
  if (file !== undefined) {
    out(`${style.bold(file)}\n`);
    out(snippet(chosen).replaceAll(/^/gmu, '  '));
    out('');
    page.say('Nothing was written. To add it to that file and keep the rest:');
    page.command('  ', ['init', '--client', client.name, ...(project ? ['--project'] : []), '--write']);
  } else if (command === undefined) out(`${snippet(chosen).replaceAll(/^/gmu, '  ')}\n`);
  else page.command('To run that now: ', ['init', '--client', client.name, '--write']);
  if (!project && client.projectFile !== undefined)
    page.say(`For one project, in ${client.projectFile}: add --project.`);
  page.say(client.then);
  return exitCodes.done;
}

function change(chosen: Chosen, file: string, parsed: ParsedOptions, environment: CliEnvironment): ExitCode {
  const { client, entry, project } = chosen;
  const undo = parsed.has('undo');
  const place: ConfigPlace = { format: client.format, at: client.at, name: server };
  const refuse = (message: string, next: string, code: ExitCode = exitCodes.rejected): ExitCode => {
    const page = openPage(environment, { to: 'err' });
    page.say(`workrail init: ${message}`);
    page.say(`Next: ${next}`);
    return code;
  };
  const inTheWay = standsInTheWay(file, project ? (parsed.text('workspace') ?? environment.workingFolder) : undefined);
  if (inTheWay !== undefined) return refuse(inTheWay.message, inTheWay.next, exitCodes.fault);
  const text = textOf(file);
  const standing = readEntry(text ?? '', place);
  const page = openPage(environment, { given: parsed });
  const by = (...more: readonly string[]): string =>
    page.inline(['init', '--client', client.name, ...(project ? ['--project'] : []), ...more]);
  if (!standing.ok)
    return refuse(`${file}: ${standing.error}; the file was not changed`, `fix it, or add the entry by hand: ${by()}`);
  const wary = parsed.has('force') ? undefined : othersEntry(standing.value, entry, file, { by, undo });
  if (wary !== undefined) return refuse(wary.message, wary.next);
  const edited = undo ? withoutEntry(text ?? '', place) : withEntry(text ?? '', place, entry);
  if (!edited.ok)
    return refuse(
      `${file}: ${edited.error}; the file was not changed`,
      undo ? 'remove the entry by hand' : `add the entry by hand: ${by()}`,
    );
  const done = edited.value === (text ?? '') ? 'as it was' : undo ? 'undone' : 'written';
  // A file that says nothing any more stays: it may have been there before us.
  if (done !== 'as it was') rewriteFile(file, edited.value);
  if (parsed.has('json'))
    environment.out(JSON.stringify({ client: client.name, file, done, entry: undo ? null : entry }));
  else for (const line of toldChange(chosen, file, { by, done, undo })) page.say(line);
  return exitCodes.done;
}

/** The command line of init with other options. */
type Say = (...more: readonly string[]) => string;

/** Why an entry that stands there is not to be touched unasked. */
function othersEntry(
  standing: JsonValue | undefined,
  entry: JsonObject,
  file: string,
  { by, undo }: { readonly by: Say; readonly undo: boolean },
): { readonly message: string; readonly next: string } | undefined {
  if (standing === undefined) return undefined;
  const stands = JSON.stringify(standing);
  if (undo ? isOwnLaunch(standing) : stands === JSON.stringify(entry)) return undefined;
  if (undo)
    return {
      message: `the entry named ${server} in ${file} is not what init writes, so it may be your own: ${stands}; the file was not changed`,
      next: `check it, then remove it anyway: ${by('--undo', '--force')}`,
    };
  return {
    message: `${file} has another entry named ${server}: ${stands}`,
    next: `check it, then replace it: ${by('--write', '--force')}`,
  };
}

function toldChange(
  { client, launch, project }: Chosen,
  file: string,
  { by, done, undo }: { readonly by: Say; readonly done: string; readonly undo: boolean },
): readonly string[] {
  const stood = undo ? `has no entry named ${server}` : 'already has it';
  if (done === 'as it was') return [`${file} ${stood}; nothing was changed.`];
  if (undo) return [`Removed ${server} from ${file}. The rest was kept.`];
  const here = project && launch.args.some((word) => path.isAbsolute(word));
  return [
    `Added ${server} to ${file}. The rest was kept. To remove it: ${by('--undo')}`,
    ...(here
      ? [
          'It contains a path of this machine. Once the package is on the npm registry, --npx writes an entry that works for everybody in the project.',
        ]
      : []),
    client.then,
  ];
}

function textOf(file: string): string | undefined {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(file, 'utf8') : undefined;
}

/**
 * What keeps a file from being written. One of a project may have come with it, and so may a link on the way there: what
 * that leads to is not ours to change.
 */
function standsInTheWay(
  file: string,
  project: string | undefined,
): { readonly message: string; readonly next: string } | undefined {
  if (leadsNowhere(file))
    return {
      message: `${file} is a link to a file that does not exist`,
      next: 'create that file, or remove the link',
    };
  const next = 'replace it with a regular file or folder, or leave out --project';
  const within = project === undefined ? undefined : path.resolve(project);
  for (let place = file; within !== undefined && place !== within; place = path.dirname(place)) {
    if (isLink(place)) return { message: `${place} is a symbolic link; nothing was written through it`, next };
    if (path.dirname(place) === place) break;
  }
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat === undefined || stat.isFile()
    ? undefined
    : { message: `${file} is not a regular file`, next: 'replace it with a regular file' };
}

const isLink = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
const leadsNowhere = (file: string): boolean => isLink(file) && statSync(file, { throwIfNoEntry: false }) === undefined;
