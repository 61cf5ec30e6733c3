import { firstWords } from '../../base/byte-budget.js';
import { defined } from '../../base/defined.js';
import { isJsonObject } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { autonomySchema, riskPolicySchema } from '../../base/preferences-schema.js';
import { own } from '../../base/own.js';
import { pointerTo } from '../../base/patch/json-pointer.js';
import { checkExpanded } from '../check/check-expanded.js';
import type { Compilation } from '../expand/compilation.js';
import type {
  CompiledStep,
  CompiledWorkflow,
  FunctionText,
  Provenance,
  RecommendedPreferences,
} from '../compiled/compiled-workflow.js';
import { everyStep } from '../compiled/visit-steps.js';
import type { SourceDocument } from '../source/source-document.js';
import { finding, type Finding, warning } from '../source/finding.js';
import { locateFindings } from '../source/source-reporter.js';
import { readDefinitions } from './workrail-definitions.js';
import { has, modelTierLine, type Part, partAt, textAt, textsAt, titleAt, warnOfKeys } from './workrail-part.js';
import { withOptionalLists } from './workrail-loops.js';
import { needsOfRounds } from '../expand/needs-of-rounds.js';
import { withKeysAsked } from './workrail-keys.js';
import { stepsToRun } from './workrail-routines.js';
import { compileSteps } from './workrail-steps.js';
import type { Book, Draft, FindRoutine } from './workrail-surroundings.js';
import { inWords } from './workrail-texts.js';

const fileKeys = [
  '$schema',
  'schemaVersion',
  'validatedAgainstSpecVersion',
  'id',
  'name',
  'description',
  'version',
  'steps',
  'metaGuidance',
  'preconditions',
  'examples',
  'about',
  'recommendedPreferences',
  'clarificationPrompts',
  'assessments',
  'features',
  'references',
  'functionDefinitions',
  'extensionPoints',
  'modelTier',
  'tags',
  'tips',
  // Most files of this format have it, and it asks nothing of anybody.
  'metricsProfile',
];
const ignoredKeys = {
  autoRecognitionPatterns: 'an agent chooses a workflow by its description',
};

/** A file of the WorkRail JSON format as the workflow that its author meant, or everything that is wrong with it. */
export function compileWorkrailJson(document: SourceDocument, file: string, routines: FindRoutine): Compilation {
  const findings: Finding[] = [];
  const source = isJsonObject(document.value) ? document.value : {};
  const part: Part = { value: source, path: [], say: (finding) => void findings.push(finding) };
  warnOfKeys(part, has(part, 'name') ? fileKeys : [...fileKeys, 'title'], ignoredKeys);
  const id = idOf(part, file);
  const title = titleAt(part, 'name', 'title');
  const draft: Draft = {
    routines,
    ids: new Set(),
    marks: [],
    references: new Map(),
    functionsTold: new Set(),
    books: new Map(),
    left: { steps: limits.steps, characters: limits.compiledWorkflow },
  };
  const book = readDefinitions(part, draft);
  const steps = withOptionalLists(
    compileSteps(stepsToRun(part), {
      book,
      draft,
      names: {},
      prefix: '',
      condition: undefined,
      within: [`routine ${id}`],
      brief: false,
    }),
  );
  if (steps.length === 0 && findings.every(({ severity }) => severity === 'warning'))
    part.say(finding(['steps'], 'missing', 'a workflow needs at least one step', { expected: 'a list of steps' }));
  if (!has(part, 'description'))
    part.say(warning([], 'no_description', 'without a `description` no agent can tell when to use this workflow'));
  const kind = /(?:^|[./])routines?[-_./]/u.test(id) || /(?:^|\/)routines\//u.test(file) ? 'routine' : 'workflow';
  const workflow = withKeysAsked(
    workflowOf(part, { id, kind, title: title ?? inWords(id) }, book, draft, needsOfRounds(steps)),
  );
  if (findings.every(({ severity }) => severity === 'warning')) findings.push(...checkExpanded(workflow));
  const violations = [...(document.doubts ?? []), ...locateFindings(findings, document)];
  if (violations.some(({ severity }) => severity === 'error'))
    return { ok: false, id, ...(title !== undefined && { title }), violations };
  return { ok: true, workflow, warnings: violations };
}

const nameOf = (file: string): string => file.slice(file.lastIndexOf('/') + 1).replace(/\.json$/u, '');

const idForm = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)?$/u;

function idOf(part: Part, file: string): string {
  const id = textAt(part, 'id') ?? '';
  if (!idForm.test(id) || id.length > 2 * limits.definitionName) {
    const expected = 'letters in lower case, digits, `_` and `-`, with at most one dot, as in team.review-change';
    const near = (id.trim() || nameOf(file))
      .toLowerCase()
      .replaceAll(/[^a-z0-9_.-]+/gu, '-')
      .replace(/^([^.]+\.)(.*)$/u, (_, first: string, rest: string) => first + rest.replaceAll('.', '-'));
    part.say({
      path: ['id'],
      rule: 'format',
      message: id.trim() === '' ? `${file} says no \`id\`` : `\`${id.slice(0, 100)}\` cannot be the id of ${file}`,
      expected,
      actual: id.slice(0, 100),
      ...(idForm.test(near) && near.length <= limits.definitionName && { closest: near }),
    });
  }
  return id;
}

function workflowOf(
  part: Part,
  named: Pick<CompiledWorkflow, 'id' | 'kind' | 'title'>,
  book: Book,
  draft: Draft,
  steps: readonly CompiledStep[],
): CompiledWorkflow {
  const recommends = recommendedBy(part);
  const references = [...draft.references.values()];
  const provenance = provenanceOf(steps, draft);
  const tier = textAt(part, 'modelTier');
  return {
    compiled: 1,
    ...named,
    description: describedBy(part),
    version: textAt(part, 'version') ?? '0.0.0',
    tags: textsAt(part, 'tags'),
    guidance: [
      ...textsAt(part, 'metaGuidance'),
      ...textsAt(part, 'tips'),
      ...(tier === undefined ? [] : [modelTierLine(tier)]),
      ...featureLines(book, draft),
      ...book.functions.filter(({ name }) => !draft.functionsTold.has(name)).map(functionLine),
    ],
    preconditions: textsAt(part, 'preconditions'),
    clarify: textsAt(part, 'clarificationPrompts'),
    ...(Object.keys(recommends).length > 0 && { recommends }),
    inputs: {},
    ...(references.length > 0 && { references }),
    steps,
    ...(provenance.length > 0 && { provenance }),
  };
}

/** An example is a line or two; what is written as an object may be a screen. */
const exampleBytes = 240;

/** What it is for and when to choose it, as a catalogue shows it: the description, how `about` begins, some examples. */
function describedBy(part: Part): string {
  const about = (textAt(part, 'about') ?? '')
    .split(/\n\s*\n/u)
    .map((paragraph) => paragraph.trim())
    .find((paragraph) => paragraph !== '' && !paragraph.startsWith('#'));
  const examples = textsAt(part, 'examples')
    .slice(0, 3)
    .map((example) => firstWords(example, exampleBytes));
  return [
    textAt(part, 'description') ?? '',
    about ?? '',
    examples.length === 0 ? '' : `For example: ${examples.join('; ')}`,
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

/** Features speak through prompts in blocks; where there are none, for the run as a whole. */
function featureLines({ features }: Book, { marks }: Draft): readonly string[] {
  if (marks.some(({ from }) => from.startsWith('feature '))) return [];
  return features.flatMap(({ guidance, constraints, verify }) => [...guidance, ...constraints, ...verify]);
}

function functionLine({ name, params, text }: FunctionText): string {
  return `${name}(${params.join(', ')}): ${text}`;
}

/** Each with the shorter words it is known by. */
const shorter: { readonly [word: string]: string } = {
  auto_stop: 'full_auto_stop_on_user_deps',
  stop_on_user_deps: 'full_auto_stop_on_user_deps',
  auto_never_stop: 'full_auto_never_stop',
  never_stop: 'full_auto_never_stop',
};

function recommendedBy(file: Part): RecommendedPreferences {
  const part = partAt(file, 'recommendedPreferences', { text: 'recommendedAutonomy' });
  if (!part) return {};
  warnOfKeys(part, ['recommendedAutonomy', 'recommendedRiskPolicy']);
  const choice = <T extends string>(key: string, choices: readonly T[]): T | undefined => {
    const value = textAt(part, key);
    const found = choices.find((one) => one === value || one === own(shorter, value ?? ''));
    if (value !== undefined && found === undefined) {
      const message = `\`${value}\` is not one of ${choices.join(', ')}; it is ignored`;
      part.say(warning([...part.path, key], 'choice', message, { expected: choices.join(', '), actual: value }));
    }
    return found;
  };
  const autonomy = choice('recommendedAutonomy', autonomySchema.options);
  const riskPolicy = choice('recommendedRiskPolicy', riskPolicySchema.options);
  return defined<Pick<RecommendedPreferences, 'autonomy' | 'riskPolicy'>>({ autonomy, riskPolicy });
}

function provenanceOf(steps: readonly CompiledStep[], { marks }: Draft): readonly Provenance[] {
  const places = new Map([...everyStep(steps)].map(({ step, path }) => [step.id, pointerTo(path)]));
  const told = marks.flatMap(({ id, field, from }) =>
    places.has(id) ? [{ at: `${places.get(id)!}${field === '' ? '' : `/${field}`}`, from }] : [],
  );
  return [...new Map(told.map((one) => [`${one.at} ${one.from}`, one])).values()];
}
