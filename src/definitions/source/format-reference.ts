import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import { bodyFields, loopFields, loopKeys, promptFields, runFields } from './step-keys.js';
import { workflowSchema } from './workflow-schema.js';

/** Every key of the format in one answer: for agents whose clients show no resources, and who cannot read the docs. */
export function formatReference(contracts: readonly string[]): string {
  const schema = workflowSchema();
  const step = definition(schema, 'step');
  const whole = propertiesOf(step);
  const keysOf = (names: readonly string[]): readonly string[] => keyLines(schema, step, new Set(names));
  const special = new Set<string>([
    ...bodyFields,
    ...promptFields,
    ...loopFields,
    ...loopKeys,
    ...runFields,
    'with',
    'as',
  ]);
  const value = definition(schema, 'value');
  const adding = variants(whole['sets']).find((one) => propertiesOf(one)['add'] !== undefined) ?? {};
  const known = new Set(Object.keys(propertiesOf(value)));
  const added = new Set(Object.keys(propertiesOf(adding)).filter((key) => !known.has(key)));
  return [
    beginning,
    section(
      'The file',
      keyLines(schema, schema, new Set(Object.keys(propertiesOf(schema)).filter((key) => !ofCommands.has(key)))),
    ),
    section('Any step', keysOf(Object.keys(whole).filter((key) => !special.has(key)))),
    section('Its body, exactly one', keysOf([...bodyFields, 'with'])),
    section('With prompt or delegate', keysOf(promptFields)),
    section(`With steps: ${loopFields.join(', ')} makes it a loop`, keysOf([...loopFields, 'as', ...loopKeys])),
    section('A value', [...keyLines(schema, value), ...keyLines(schema, adding, added)]),
    section('A rule', keyLines(schema, definition(schema, 'rule'))),
    `Contracts, for output, each as wr.contracts.<name>: ${contracts.map(nameAlone).join(', ')}`,
    section(
      'What no key says',
      sayings.map((line) => `- ${line}`),
    ),
    `An example\n\n${formatExample}`,
  ].join('\n\n');
}

/** Told on a page of their own. */
const ofCommands: ReadonlySet<string> = new Set(['returns', 'meta']);

/** The same of what WorkRail does itself. */
export function commandReference(): string {
  const schema = workflowSchema();
  const step = definition(schema, 'step');
  const told = (part: JsonObject | undefined): readonly string[] => keyLines(schema, part ?? {});
  const inside = (name: string): JsonObject | undefined => own(propertiesOf(step), name);
  const inputs = variants(propertiesOf(schema)['inputs']).find((one) => propertiesOf(one)['provider'] !== undefined);
  return [
    'Commands in workflow files: steps that WorkRail does itself, by the operations of an OpenAPI catalog. What changes something is sent only once the user agrees; reads are sent at once.',
    section('The file', keyLines(schema, schema, ofCommands)),
    section('Its body', keyLines(schema, step, new Set(['run', 'fail', 'with']))),
    section('With run', keyLines(schema, step, new Set([...runFields, 'confirm', 'puts', 'until', 'max']))),
    section('retry', told(inside('retry'))),
    section('paginate', told(inside('paginate'))),
    section('provider, of an input', told(propertiesOf(inputs)['provider'])),
    section(
      'What no key says',
      commandSayings.map((line) => `- ${line}`),
    ),
    `An example\n\n${commandExample}`,
  ].join('\n\n');
}

const commandSayings: readonly string[] = [
  '`puts` writes to the shared state of the session, which `state.x` reads. Its expressions see what the step has left as `output`: output.body, output.ok; in a step with a prompt the fields of its artifacts. Text is quoted: /status: "\'done\'".',
  'A command is named by its operationId, or by its method and path, which always works: github GET /repos/{owner}/{repo}.',
  '`with` names parameters as the catalog does; where a name stands in two places write path.id, query.id, header.id or cookie.id.',
  'A hole that stands alone keeps its type. One whose optional input is not given leaves its parameter out; any other without a value stops the step before anything is sent. ${{ secrets.X }} stands in `with` and `body` alone.',
  'A file, alone as a body or as a field of a multipart one, is { file: path } with a path in the workspace, and optionally name and type. { file: "${{ outputs.step.body }}" } sends what that step downloaded. A plain text is sent as this text.',
  '`expect`, `until` and `keep` see status, headers and body; with `paginate`, `keep` is asked of each item, as item and i. Later steps read outputs.step.body, .status, .headers and .ok. Fields that the API document does not declare are told; dyn(body).x reads one all the same.',
  'With `run`, `until` asks again until it holds, and needs `timeout` or `max`. `until`, `paginate` and more `retry` than 2 tries after 429 and 503 are for commands that may be sent twice: GET, PUT, DELETE, or `repeatable: true`.',
];

export const commandExample = `workflow: team.file_bug
description: Use this to file a bug, unless it was filed before.
inputs:
  repo: { type: string, required: true, provider: { run: github repos/list-for-org, with: { org: acme }, value: item.name } }
  words: { type: string, required: true }
steps:
  - id: similar
    run: github search/issues-and-pull-requests
    with: { q: "repo:acme/\${{ inputs.repo }} \${{ inputs.words }}" }
    keep: { titles: "body.items.map(i, i.title)" }
    retry: { max: 3, on: [429, 503, network], up_to: 60s }
  - id: write
    prompt: |
      Is one of these the same bug? Else write the report.
      \${{ outputs.similar.body.titles }}
    sets: { same: { type: boolean }, title: { type: string }, text: { type: string } }
  - id: file
    if: "!context.same"
    run: github issues/create
    with: { owner: acme, repo: "\${{ inputs.repo }}" }
    body: { title: "\${{ context.title }}", body: "\${{ context.text }}" }
    confirm: true
returns: { similar: "\${{ outputs.similar.body.titles }}" }
`;

const beginning =
  'Workflow files in short: YAML or JSON in .workrail/workflows/ of a project. Other keys are violations.';

const sayings: readonly string[] = [
  'YAML: quote a text with ": " or " #" in it, an expression with ? and :, an item with a comma in [ … ], and a hole in { … } or in [ … ].',
  'Expressions are CEL. They see inputs.x, context.x, state.x, outputs.step.notes and outputs.step.artifacts[0].field, iteration, and item (or what `as` names). Besides operators: size, has, int, double, string, bool, type; x.all, exists, exists_one, filter, map (i, …), x.join(", "); contains, startsWith, endsWith, matches, indexOf, substring, replace, split, trim, lowerAscii, upperAscii.',
  'A hole, ${{ context.x }}, stands in titles, roles, prompts, guidance, asks and goals. Alone on its line, or after a colon there, it prints a list one a line. A title of a loop cannot see its item; titles of its steps can.',
  'More of run, fail, provider and returns: cursor "format.commands".',
  'Set a key in an earlier step than the one that prints it. Where it may be unset write has(context.x) ? context.x : [].',
  '`sets` is what conditions read, `output` what people and programs read later. sets: { risk: { from: output.risk } } takes a key from the artifact.',
  'In a loop each round writes over `sets`: `collect`, under a name of its own, or `add: true` keeps them. `needs` and `confirm` are asked anew in each round, so `ask` names the item.',
];

/** Uses most of the keys, compiles without a warning, and is short. */
export const formatExample = `workflow: team.upgrade_dependencies
description: Use this to move dependencies to newer versions. For a new one use wr.coding_task.
inputs:
  scope: { type: string, required: true, example: security notices }
steps:
  - id: survey
    prompt: |
      List what is outdated in \${{ inputs.scope }}, riskiest first.
    sets:
      packages: { type: array, items: { type: string }, example: [zod] }
      size: { type: string, enum: [Small, Large] }
    rules: [ { contains: "From:" } ]
  - id: plan
    if: context.size == "Large"
    title: Agree on the order
    prompt: Show the user the order and what could break.
    confirm: true
  - id: upgrades
    foreach: context.packages
    as: dep
    max: 20
    collect: { risks: "outputs.upgrade.artifacts[0].risk" }
    steps:
      - id: upgrade
        title: "Upgrade \${{ dep }}"
        prompt: "Read its changelog, move it, and run all tests."
        output:
          kind: team.upgrade
          schema: { required: [risk], properties: { risk: { enum: [low, high] } } }
          example: { risk: low }
  - id: report
    prompt: |
      Say what was moved and what was left. Risks:
      \${{ context.risks }}
    notes: required
`;

const nameAlone = (id: string): string => id.slice(id.lastIndexOf('.') + 1);

type Fields = { readonly [name: string]: JsonObject };

const propertiesOf = (schema: JsonObject | undefined): Fields =>
  isJsonObject(schema?.['properties']) ? (schema['properties'] as Fields) : {};

function definition(schema: JsonObject, name: string): JsonObject {
  const all = schema['$defs'];
  const found = isJsonObject(all) ? own(all, name) : undefined;
  return isJsonObject(found) ? found : {};
}

function keyLines(whole: JsonObject, part: JsonObject, only?: ReadonlySet<string>): readonly string[] {
  const required = new Set(stringsOf(part['required']));
  return Object.entries(propertiesOf(part)).flatMap(([name, told]) => {
    if (only?.has(name) === false) return [];
    const said = textOf(told['description']).replace(/^(?:Body|Loop): /u, '');
    const words = [said, formOf(whole, told)].filter((one) => one !== '');
    const about = [
      ...(required.has(name) && !('default' in told) ? ['required'] : []),
      ...(told['type'] === 'array' ? ['list'] : []),
    ];
    return [`- ${name}${about.length > 0 ? ` (${about.join(', ')})` : ''}: ${words.join('. ')}`];
  });
}

const section = (title: string, lines: readonly string[]): string => [title, ...lines].join('\n');

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
const stringsOf = (value: JsonValue | undefined): readonly string[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]).filter((one) => typeof one === 'string') : [];

/** Its words where they are few, else the keys inside it. */
function formOf(whole: JsonObject, told: JsonObject): string {
  const value = new Set(Object.keys(propertiesOf(definition(whole, 'value'))));
  const forms = variants(told).flatMap((one) => {
    const words = stringsOf(one['enum']);
    if (words.length > 0) return [words.join(' | ')];
    const inside = Object.entries(propertiesOf(one));
    if (inside.length === 0 || one === definition(whole, 'step')) return [];
    const more = inside.filter(([name]) => !value.has(name));
    if (inside.length - more.length === value.size) return [['a value', ...more.map(([name]) => name)].join(', and ')];
    return [`{ ${inside.map(([name, inner], at) => (at === 0 ? innerForm(name, inner) : name)).join(', ')} }`];
  });
  return [...new Set(forms)].slice(0, 2).join(' or ');
}

function innerForm(name: string, told: JsonObject): string {
  const words = stringsOf(told['enum']);
  return words.length > 0 ? `${name}: ${words.join(' | ')}` : name;
}

/** Through choices, lists and objects by name, to what a key holds. */
function variants(told: JsonValue | undefined): readonly JsonObject[] {
  if (!isJsonObject(told)) return [];
  const inside = [
    ...(Array.isArray(told['anyOf']) ? (told['anyOf'] as readonly JsonValue[]) : []),
    told['items'],
    told['additionalProperties'],
  ];
  return [told, ...inside.flatMap(variants)];
}
