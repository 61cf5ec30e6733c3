import { hole, isHole } from '../base/hole.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import type { NextCall } from '../base/rejection.js';
import { preferenceOptions } from './preference-options.js';
import { shellWord } from './shell-word.js';

/** A call that an answer offers, as the words of the command that makes it. Undefined where no command does. */
export function commandOfCall({ tool, arguments: args }: NextCall): readonly string[] | undefined {
  const words = (name: string, ...rest: readonly (readonly string[])[]): readonly string[] => ['workrail', name, ...rest.flat()];
  switch (tool) {
    case 'list_workflows':
      return words('list', said(args['query']), option('tag', args['tag']), option('kind', args['kind']));
    case 'inspect_workflow':
      return words('inspect', said(args['workflowId']), args['mode'] === 'preview' || args['mode'] === 'source' ? [`--${args['mode']}`] : []);
    case 'start_workflow':
      return words('start', said(args['workflowId']), option('session', args['session']), keysOf('input', args['context']), preferencesOf(args), args['fresh'] === true ? ['--fresh'] : []);
    case 'continue_workflow':
      return words('continue', said(args['stateToken']), said(args['ackToken']), outputOf(args['output']), keysOf('context', args['context']), args['confirmed'] === true ? ['--confirmed'] : [], preferencesOf(args), option('page', args['page']));
    case 'checkpoint_workflow':
      return words('checkpoint', said(args['stateToken'] ?? args['sessionToken']), outputOf(args['output']));
    case 'resume_session':
      return words('resume', said(args['query']), option('session', args['sessionId']), option('branch', args['gitBranch']), option('commit', args['gitHead']));
    default:
      return undefined;
  }
}

const plain = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value));

function said(value: JsonValue | undefined): readonly string[] {
  if (value === undefined) return [];
  return isHole(value) ? [`<${whatOf(value)}>`] : [shellWord(plain(value))];
}

/** What a hole asks for. */
const whatOf = (text: string): string => /^<fill in: (.*)>$/su.exec(text)?.[1] ?? 'fill in';

function option(name: string, value: JsonValue | undefined): readonly string[] {
  return value === undefined ? [] : [`--${name}`, shellWord(plain(value))];
}

/** One option a key. A hole stays one, and is refused when it is sent as it stands. */
function keysOf(name: string, context: JsonValue | undefined): readonly string[] {
  if (context === undefined) return [];
  if (!isJsonObject(context)) return [`--${name}`, shellWord(hole())];
  return Object.entries(context).flatMap(([key, value]) => {
    const text = typeof value === 'string' ? value : undefined;
    if (isHole(value)) return [`--${name}`, shellWord(`${key}=${hole()}`)];
    return [`--${name}`, shellWord(text !== undefined && isPlainText(text) ? `${key}=${text}` : `${key}:=${JSON.stringify(value)}`)];
  });
}

/** A text that no reader of `key=value` takes for anything else. */
const isPlainText = (value: string): boolean => /^[^\s\d"{[tfn-]/u.test(value);

function outputOf(output: JsonValue | undefined): readonly string[] {
  if (!isJsonObject(output)) return isHole(output) ? ['--notes', '-'] : [];
  const { notesMarkdown, artifacts, gaps } = output;
  return [
    ...(notesMarkdown === undefined ? [] : ['--notes', isHole(notesMarkdown) ? '-' : shellWord(plain(notesMarkdown))]),
    ...listOf(artifacts).flatMap((artifact) => ['--artifact', artifactWord(artifact)]),
    ...listOf(gaps).flatMap((gap) => ['--gap', shellWord(JSON.stringify(gap))]),
  ];
}

function artifactWord(artifact: JsonValue): string {
  if (!isHole(artifact)) return shellWord(JSON.stringify(artifact));
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
