import { hole, isHole } from '../../base/hole.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import type { NextCall } from '../../base/rejection.js';
import { own } from '../../base/own.js';
import { preferenceOptions } from './preference-options.js';
import { printable } from './printable.js';

const commandNames: { readonly [tool: string]: string } = {
  list_workflows: 'list',
  inspect_workflow: 'inspect',
  start_workflow: 'start',
  continue_workflow: 'continue',
  checkpoint_workflow: 'checkpoint',
  resume_session: 'resume',
  get_workflow: 'inspect',
  delete_workflow: 'workflows delete',
  rename_workflow: 'workflows rename',
  run_workflow: 'run',
  get_run: 'runs show',
  list_runs: 'runs',
  cancel_run: 'runs cancel',
  settle_command: 'runs settle',
  resolve_inputs: 'inspect',
  plan_steps: 'inspect',
  list_catalogs: 'catalogs',
  validate_openapi: 'catalogs validate',
  preview_openapi: 'catalogs preview',
  import_openapi: 'catalogs import',
  set_catalog_enabled: 'catalogs',
  configure_catalog: 'catalogs configure',
  remove_catalog: 'catalogs remove',
  search_commands: 'commands',
  list_providers: 'commands providers',
};

/** A call that an answer offers, as the words of the command that makes it. Undefined where no command does. */
export function commandOfCall({ tool, arguments: args }: NextCall): readonly string[] | undefined {
  const name = own(commandNames, tool);
  return name === undefined ? undefined : [...name.split(' '), ...wordsOf(tool, args).flat()];
}

function wordsOf(tool: string, args: JsonObject): readonly (readonly string[])[] {
  switch (tool) {
    case 'list_workflows':
      return [said(args['query']), option('tag', args['tag']), option('kind', args['kind'])];
    case 'inspect_workflow':
      return [
        said(args['workflowId']),
        args['mode'] === 'preview' || args['mode'] === 'source' ? [`--${args['mode']}`] : [],
      ];
    case 'get_workflow':
      return [said(args['workflowId']), ['--source']];
    case 'delete_workflow':
      return [said(args['workflowId'])];
    case 'rename_workflow':
      return [said(args['workflowId']), said(args['newId'])];
    case 'validate_openapi':
    case 'preview_openapi':
    case 'import_openapi':
      return [
        args['sourceType'] === 'url' ? option('url', args['source']) : said(args['source']),
        option('id', args['catalogId']),
        option('title', args['title']),
        option('vendor', args['vendor']),
        option('base-url', args['baseUrl']),
        option('to', args['to']),
        args['overwrite'] === true ? ['--overwrite'] : [],
        args['enabled'] === false ? ['--disabled'] : [],
      ];
    case 'set_catalog_enabled':
      return [[args['enabled'] === true ? 'enable' : 'disable'], said(args['catalogId'])];
    // What it changes is for whoever wrote it: the options have other forms.
    case 'configure_catalog':
    case 'remove_catalog':
      return [said(args['catalogId'])];
    case 'search_commands':
      return args['commandId'] === undefined
        ? [['search'], said(args['query']), option('catalog', args['catalog']), option('safety', args['safety'])]
        : [['show'], said(args['commandId'])];
    case 'run_workflow':
      return [
        said(args['workflowId']),
        option('resume', args['runId']),
        keysOf('input', args['inputs']),
        option('confirm', args['confirm']),
        option('mode', args['mode']),
        option('session', args['session']),
        option('repairs', args['repairs']),
        args['fresh'] === true ? ['--fresh'] : [],
        args['takeOver'] === true ? ['--take-over'] : [],
      ];
    case 'list_runs':
      return [option('state', args['state']), option('workflow', args['workflowId']), option('cursor', args['cursor'])];
    case 'get_run':
      return [said(args['runId'])];
    case 'cancel_run':
      return [said(args['runId']), option('reason', args['reason'])];
    case 'settle_command':
      return [said(args['runId']), said(args['call']), said(args['choice']), option('reason', args['reason'])];
    case 'resolve_inputs':
      return [said(args['workflowId'])];
    case 'plan_steps':
      return [said(args['workflowId']), ['--preview']];
    case 'list_providers':
      return [said(args['query']), option('catalog', args['catalog'])];
    case 'start_workflow':
      return [
        said(args['workflowId']),
        option('session', args['session']),
        keysOf('input', args['context']),
        preferencesOf(args),
        args['fresh'] === true ? ['--fresh'] : [],
      ];
    case 'continue_workflow':
      return [
        said(args['stateToken']),
        said(args['ackToken']),
        outputOf(args['output']),
        keysOf('context', args['context']),
        args['confirmed'] === true ? ['--confirmed'] : [],
        preferencesOf(args),
        option('page', args['page']),
      ];
    case 'checkpoint_workflow':
      return [said(args['stateToken'] ?? args['sessionToken']), outputOf(args['output'])];
    case 'resume_session':
      return [
        said(args['query']),
        option('session', args['sessionId']),
        option('branch', args['gitBranch']),
        option('commit', args['gitHead']),
      ];
    default:
      return [];
  }
}

const plain = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value));

function said(value: JsonValue | undefined): readonly string[] {
  if (value === undefined) return [];
  return isHole(value) ? [`<${whatOf(value)}>`] : [plain(value)];
}

/** What a hole asks for. */
const whatOf = (text: string): string => /^<fill in: (.*)>$/su.exec(text)?.[1] ?? 'fill in';

function option(name: string, value: JsonValue | undefined): readonly string[] {
  return value === undefined ? [] : optionWords(name, plain(value));
}

/** What looks like an option itself is tied to the one it belongs to. */
function optionWords(name: string, value: string): readonly string[] {
  return value.startsWith('-') && value !== '-' ? [`--${name}=${value}`] : [`--${name}`, value];
}

/** One option a key. A hole stays one, and is refused when it is sent as it stands. */
function keysOf(name: string, context: JsonValue | undefined): readonly string[] {
  if (context === undefined) return [];
  if (!isJsonObject(context)) return optionWords(name, hole());
  return Object.entries(context).flatMap(([key, value]) => {
    if (!isPlainKey(key)) return optionWords(name, json({ [key]: value }));
    const text = typeof value === 'string' ? value : undefined;
    if (isHole(value)) return optionWords(name, `${key}=${hole()}`);
    return optionWords(
      name,
      text !== undefined && isPlainText(text) && isSayable(text)
        ? `${key}=${text.replace(/^@/u, '@@')}`
        : `${key}:=${json(value)}`,
    );
  });
}

/** A key that `key=value` can name. */
const isPlainKey = (key: string): boolean => /^[^\s=:{[@-][^=]*$/u.test(key) && !key.endsWith(':') && isSayable(key);

/** A text that no reader of `key=value` takes for anything else. */
const isPlainText = (value: string): boolean => /^[^\s\d"{[tfn-]/u.test(value);

function outputOf(output: JsonValue | undefined): readonly string[] {
  if (!isJsonObject(output)) return isHole(output) ? ['--notes', '-'] : [];
  const { notesMarkdown, artifacts, gaps } = output;
  return [
    ...(notesMarkdown === undefined ? [] : notesWords(plain(notesMarkdown))),
    ...listOf(artifacts).flatMap((artifact) => ['--artifact', artifactWord(artifact)]),
    ...listOf(gaps).flatMap((gap) => optionWords('gap', json(gap))),
  ];
}

/** Notes that are still to be written are asked for on stdin, and so are those that a terminal cannot show as they are. */
function notesWords(notes: string): readonly string[] {
  if (!isSayable(notes)) return ['--notes', '-'];
  return optionWords('notes', notes.startsWith('@') ? `@${notes}` : notes);
}

const isSayable = (text: string): boolean => text.trim() !== '' && !isHole(text) && printable(text) === text;

/** JSON that a terminal shows as it is. */
function json(value: JsonValue): string {
  const text = JSON.stringify(value);
  return printable(text) === text
    ? text
    : text.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function artifactWord(artifact: JsonValue): string {
  if (!isHole(artifact)) return json(artifact);
  const kind = /^an artifact of kind (?<kind>[\w.-]+)$/u.exec(whatOf(artifact))?.groups?.['kind'];
  return `@${kind?.split('.').at(-1) ?? 'artifact'}.json`;
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
}

function preferencesOf({ mode, preferences }: JsonObject): readonly string[] {
  const asked: JsonObject = { ...(isJsonObject(preferences) && preferences), ...(mode !== undefined && { mode }) };
  return preferenceOptions.flatMap(({ name, field }) => option(name, asked[field]));
}
