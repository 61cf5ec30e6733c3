import type { JsonObject, JsonValue } from '../base/json-value.js';
import { isJsonObject } from '../base/json-value.js';
import { repeatableWords } from './repeatable-words.js';

/** An agent reads a schema as it is, a person in words. */
type TellSchema = (schema: JsonValue) => string;
const asJsonText: TellSchema = (schema) => ` ${JSON.stringify(schema)}`;

/** A step of a preview as an agent reads it: when it runs, what it says, what it asks back. Nothing of the data is left out. */
export function previewText(step: JsonObject, tellSchema: TellSchema = asJsonText): string {
  const { path, title, kind, goes, role, prompt } = step;
  const named = (field: string, words: string): readonly string[] =>
    typeof step[field] === 'string' ? [`  ${words}: ${step[field]}`] : [];
  const lines = [
    `- ${text(path)}: ${text(title)}${kind === 'group' ? ' (a group)' : kind === 'loop' ? ` (a loop: ${text(goes)})` : ''}`,
    ...named('if', 'only if'),
    ...sent(step),
    ...named('fail', 'the run fails here'),
    ...(typeof role === 'string' ? [`  role: ${role}`] : []),
    ...list(step['guidance']).map((line) => `  heed: ${text(line)}`),
    ...(typeof prompt === 'string' ? barred(prompt) : []),
    ...objects(step['fragments']).flatMap((part) => [`  and${where(part)}:`, ...barred(text(part['text']))]),
    ...objects(step['functions']).map(
      ({ name, params, text: said }) => `  function ${text(name)}(${list(params).map(text).join(', ')}): ${text(said)}`,
    ),
    ...objects(step['delegates']).flatMap((part) => [
      `  to be delegated${where(part)}: ${text(part['title'])}; goal: ${text(part['goal'])}`,
      ...barred(text(part['text'])),
    ]),
    ...asked(step, tellSchema),
    ...objects(step['needs']).map(
      ({ reason, key, ask }) => `  only the user can give context.${text(key)} (${text(reason)}): ${text(ask)}`,
    ),
    ...confirmation(step['confirm']),
    ...fields(step['puts']).map(
      ([place, value]) => `  puts into the shared state at ${place === '' ? 'its root' : place}: ${text(value)}`,
    ),
  ];
  return lines.join('\n');
}

/** A command as it will be sent. */
function sent(step: JsonObject): readonly string[] {
  const { run, method, template, address, safety, repeatable, body, content, keep, expect } = step;
  if (typeof run !== 'string') return [];
  const once = repeatable === false ? [repeatableWords(false)] : [];
  const about = [...(typeof safety === 'string' ? [safety] : []), ...once].join(', ');
  const request = [method, template].filter((part) => typeof part === 'string').join(' ');
  const at = typeof address === 'string' ? ` at ${address}` : '';
  return [
    `  WorkRail runs ${run}${request === '' || run.endsWith(request) ? '' : `, ${request}`}${at}${about === '' ? '' : ` (${about})`}`,
    ...fields(step['with']).map(([name, value]) => `  with ${name}: ${text(value)}`),
    ...(body === undefined
      ? []
      : [`  with the body${content === undefined ? '' : ` (${text(content)})`}: ${text(body)}`]),
    ...(expect === undefined
      ? []
      : [`  expects ${Array.isArray(expect) ? list(expect).map(text).join(' or ') : text(expect)}`]),
    ...fields(keep).map(([name, value]) => `  keeps ${name}: ${text(value)}`),
    ...(typeof step['how'] === 'string' ? [`  ${step['how']}`] : []),
    ...(Array.isArray(step['dependsOn']) ? [`  only after ${list(step['dependsOn']).map(text).join(', ')}`] : []),
    ...(step['secret'] === true ? ['  what comes back is not written to disk'] : []),
  ];
}

function asked(step: JsonObject, tellSchema: TellSchema): readonly string[] {
  const lines: string[] = [];
  const notes = step['notes'];
  if (isJsonObject(notes) && notes['required'] === true) {
    const rules = list(notes['rules']).map(text).join(', and ');
    lines.push(`  hand back notes (required)${rules === '' ? '' : `; they must ${rules}`}`);
  }
  for (const { key, required, wanted, description, neededBy } of objects(step['context'])) {
    const why = list(neededBy).map(text).join(', ');
    lines.push(
      `  hand back context.${text(key)}${required === true ? ' (required)' : ' (where known)'}: ${text(wanted)}${description === undefined ? '' : ` (${text(description)})`}${why === '' ? '' : `; for ${why}`}`,
    );
  }
  for (const { kind, required, contract, documents, schema } of objects(step['artifacts'])) {
    const from = contract === undefined ? '' : ` of ${text(contract)}`;
    const kept = objects(documents)
      .map(({ document, fold }) => `${text(document)} (${text(fold)})`)
      .join(', ');
    lines.push(
      `  hand back artifact ${text(kind)}${from}${required === true ? ' (required)' : ' (where there is one)'}${kept === '' ? '' : `, kept in ${kept}`}; schema:${tellSchema(schema ?? null)}`,
    );
  }
  for (const { id, purpose, dimensions, followUps } of objects(step['assessments'])) {
    lines.push(`  hand back assessment ${text(id)}: ${text(purpose)}`);
    for (const dimension of objects(dimensions))
      lines.push(
        `  - ${text(dimension['id'])}${dimension['required'] === false ? ' (where it applies)' : ''}: ${text(dimension['purpose'])} (${list(dimension['levels']).map(text).join(', ')})`,
      );
    for (const { level, guidance } of objects(followUps))
      lines.push(`  - where any is ${text(level)}: ${text(guidance)}`);
  }
  return lines;
}

function confirmation(confirm: JsonValue | undefined): readonly string[] {
  if (confirm === true) return ['  needs the user’s agreement'];
  return isJsonObject(confirm) ? [`  needs the user’s agreement where ${text(confirm['if'])}`] : [];
}

const fields = (value: JsonValue | undefined): readonly (readonly [string, JsonValue])[] =>
  isJsonObject(value) ? Object.entries(value) : [];
const where = (part: JsonObject): string => (typeof part['if'] === 'string' ? ` where ${part['if']}` : '');
const barred = (prompt: string): readonly string[] =>
  prompt
    .trimEnd()
    .split('\n')
    .map((line) => `  | ${line}`.trimEnd());
const list = (value: JsonValue | undefined): readonly JsonValue[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]) : [];
const objects = (value: JsonValue | undefined): readonly JsonObject[] => list(value).filter(isJsonObject);
const text = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
