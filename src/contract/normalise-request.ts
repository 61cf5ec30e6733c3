import { isJsonObject, isJsonValue, type JsonObject, type JsonValue } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { own } from '../base/own.js';
import { type RequestName, requestSchemas } from './request-schemas.js';
import { tools } from './tool-catalogue.js';

/** Fields that hold an object; some clients send those as JSON text. */
const objectFields = new Set(['context', 'output', 'preferences', 'inputs', 'auth', 'headers', 'limits']);
const outputFields = Object.keys(requestSchemas.checkpoint_workflow.shape.output.shape);

/** Spellings that agents use for a field of the output, besides other case and separators. */
const outputAliases: { readonly [alias: string]: string } = {
  notes: 'notesMarkdown',
  note: 'notesMarkdown',
  summary: 'notesMarkdown',
  markdown: 'notesMarkdown',
  artifact: 'artifacts',
  artefact: 'artifacts',
  artefacts: 'artifacts',
  gap: 'gaps',
};

const foldName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/gu, '');

/** Puts near-misses of names and shapes right where there can be no doubt what is meant. What is in doubt stays and is refused later. */
export function normaliseRequest(name: RequestName, raw: JsonObject): JsonObject {
  // It is refused for its number of fields; nobody need guess what each of them was meant to be.
  if (isCrowded(raw)) return raw;
  const known = Object.keys(requestSchemas[name].shape);
  const fields = new Map(Object.entries(renamed(raw, known, tools[name].aliases)));
  for (const field of objectFields) {
    const parsed = parsedObject(fields.get(field));
    if (parsed !== undefined && known.includes(field)) fields.set(field, parsed);
  }
  const operations = known.includes('operations') ? parsedText(fields.get('operations'), '[') : undefined;
  if (operations !== undefined) fields.set('operations', operations);
  if (known.includes('output')) {
    const output = fields.get('output');
    if (isJsonObject(output)) fields.set('output', normaliseOutput(output));
    // Notes at the top level belong into the output.
    const notes = [...fields.keys()].find(
      (field) => own(outputAliases, foldName(field)) === 'notesMarkdown' || foldName(field) === 'notesmarkdown',
    );
    const target = fields.get('output') ?? {};
    if (notes !== undefined && isJsonObject(target) && target['notesMarkdown'] === undefined) {
      fields.set('output', { ...target, notesMarkdown: fields.get(notes) ?? null });
      fields.delete(notes);
    }
    notesOutOfContext(fields);
  }
  return Object.fromEntries([...fields].filter(([, value]) => value !== null));
}

/** Notes among the facts: context they never are. With notes in both places nothing is dropped without a word. */
function notesOutOfContext(fields: Map<string, JsonValue>): void {
  const [context, output = {}] = [fields.get('context'), fields.get('output')];
  if (!isJsonObject(context) || !isJsonObject(output) || output['notesMarkdown'] !== undefined) return;
  const { notesMarkdown, ...facts } = context;
  if (typeof notesMarkdown !== 'string') return;
  fields.set('output', { ...output, notesMarkdown });
  if (Object.keys(facts).length > 0) fields.set('context', facts);
  else fields.delete('context');
}

function normaliseOutput(output: JsonObject): JsonObject {
  // One artifact written straight into the output: its kind and fields side by side.
  if (typeof output['kind'] === 'string' && output['artifacts'] === undefined) {
    const own = Object.entries(output).filter(([field]) => field === 'notesMarkdown' || field === 'gaps');
    const artifact = Object.entries(output).filter(([field]) => field !== 'notesMarkdown' && field !== 'gaps');
    return { ...Object.fromEntries(own), artifacts: [Object.fromEntries(artifact)] };
  }
  if (isCrowded(output)) return output;
  const fields = renamed(output, outputFields, outputAliases);
  const { artifacts, gaps } = fields;
  return {
    ...fields,
    ...(artifacts !== undefined && { artifacts: listed(artifacts) }),
    ...(gaps !== undefined && { gaps: listed(gaps) }),
  };
}

const isCrowded = (value: JsonObject): boolean => Object.keys(value).length > limits.requestFields;

/** One where a list is wanted is a list of one. */
const listed = (value: JsonValue): JsonValue => (isJsonObject(value) ? [value] : value);

function renamed(raw: JsonObject, known: readonly string[], aliases: { readonly [alias: string]: string }): JsonObject {
  const taken = new Set(Object.keys(raw));
  return Object.fromEntries(
    Object.entries(raw).map(([field, value]): [string, JsonValue] => {
      if (known.includes(field)) return [field, value];
      const folded = foldName(field);
      const meant = known.find((name) => foldName(name) === folded) ?? own(aliases, folded);
      if (meant === undefined || !known.includes(meant) || taken.has(meant)) return [field, value];
      taken.add(meant);
      return [meant, value];
    }),
  );
}

function parsedObject(value: JsonValue | undefined): JsonObject | undefined {
  const parsed = parsedText(value, '{');
  return isJsonObject(parsed) ? parsed : undefined;
}

function parsedText(value: JsonValue | undefined, start: '{' | '['): JsonValue | undefined {
  if (typeof value !== 'string' || !value.trimStart().startsWith(start)) return undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return isJsonValue(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
