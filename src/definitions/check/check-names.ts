import { closestName } from '../../base/closest-name.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { features } from '../expand/features.js';
import type { SourcePath } from '../source/source-path.js';
import type { StepOutline } from '../source/source-outline.js';
import { type Finding, finding, replacing, warning } from '../source/finding.js';

/** Features, functions, assessments and references: what is defined once and named elsewhere. */
export function checkNames(source: JsonObject, all: readonly StepOutline[]): readonly Finding[] {
  const functions = isJsonObject(source['functions']) ? source['functions'] : {};
  const assessments = listed(source['assessments'], ['assessments']);
  const ids = new Set(assessments.flatMap(([, one]) => idOf(one)));
  const inSteps = all.flatMap((step) => listed(step.source['assessments'], [...step.path, 'assessments']));
  const functionUses = all.flatMap((step) => listed(step.source['functions'], [...step.path, 'functions']));
  return [
    ...listed(source['uses'], ['uses']).flatMap(([path, name]) =>
      mustBe(name, path, 'feature', new Set(features.keys()), 'no feature is named'),
    ),
    ...functionUses.flatMap(([path, name]) =>
      mustBe(name, path, 'function', new Set(Object.keys(functions)), 'the workflow has no function'),
    ),
    ...inSteps.flatMap(([path, one]) => mustBe(one, path, 'assessment', ids, 'the workflow has no assessment')),
    ...twice(assessments),
    ...twice(listed(source['references'], ['references'])),
    ...all.flatMap((step) => twice(listed(step.source['assessments'], [...step.path, 'assessments']))),
    ...[...assessments, ...inSteps].flatMap(([path, one]) => checkAssessmentSource(one, path)),
    ...Object.entries(functions).flatMap(([name, one]) => checkFunction(one, ['functions', name])),
    ...unused(Object.keys(functions), functionUses, 'functions', 'function'),
    ...unused([...ids], inSteps, 'assessments', 'assessment'),
  ];
}

type Listed = readonly (readonly [SourcePath, JsonValue])[];

function listed(value: JsonValue | undefined, path: SourcePath): Listed {
  return Array.isArray(value) ? (value as readonly JsonValue[]).map((one, at) => [[...path, at], one] as const) : [];
}

function idOf(one: JsonValue): readonly string[] {
  if (typeof one === 'string') return [one];
  return isJsonObject(one) && typeof one['id'] === 'string' ? [one['id']] : [];
}

function mustBe(
  name: JsonValue,
  path: SourcePath,
  rule: string,
  known: ReadonlySet<string>,
  message: string,
): readonly Finding[] {
  if (typeof name !== 'string' || known.has(name)) return [];
  const closest = closestName(name, known);
  const patch = replacing(path, closest);
  return [
    finding(path, rule, `${message} \`${name}\``, {
      expected: known.size === 0 ? undefined : [...known].join(', '),
      actual: name,
      closest,
      patch,
    }),
  ];
}

function twice(all: Listed): readonly Finding[] {
  const seen = new Set<string>();
  return all.flatMap(([path, one]) =>
    idOf(one).flatMap((id): readonly Finding[] => {
      const double = seen.has(id);
      seen.add(id);
      return double
        ? [
            finding(typeof one === 'string' ? path : [...path, 'id'], 'duplicate_id', `\`${id}\` is there already`, {
              actual: id,
            }),
          ]
        : [];
    }),
  );
}

function checkAssessmentSource(one: JsonValue, path: SourcePath): readonly Finding[] {
  if (!isJsonObject(one) || !isJsonObject(one['dimensions'])) return [];
  const dimensions = Object.entries(one['dimensions']);
  const found: Finding[] =
    dimensions.length === 0
      ? [{ path: [...path, 'dimensions'], rule: 'assessment', message: 'an assessment has at least one dimension' }]
      : [];
  const known = new Set<string>();
  for (const [name, dimension] of dimensions) {
    const levels =
      isJsonObject(dimension) && Array.isArray(dimension['levels'])
        ? (dimension['levels'] as readonly JsonValue[])
        : [];
    const own = new Set<string>();
    for (const level of levels) {
      if (typeof level !== 'string') continue;
      if (own.has(fold(level))) {
        const message = `the level \`${level}\` is there twice`;
        found.push(finding([...path, 'dimensions', name, 'levels'], 'assessment', message, { actual: level }));
      }
      own.add(fold(level));
      known.add(level);
    }
  }
  for (const [at, followUp] of listed(one['followUps'], [...path, 'followUps'])) {
    const level = isJsonObject(followUp) ? followUp['level'] : undefined;
    if (typeof level !== 'string' || [...known].some((other) => fold(other) === fold(level))) continue;
    found.push(
      finding([...at, 'level'], 'assessment', `no dimension has the level \`${level}\`, so this never applies`, {
        expected: [...known].join(', '),
        actual: level,
        closest: closestName(level, known),
      }),
    );
  }
  return found;
}

const fold = (level: string): string => level.trim().toLowerCase();

/** In a function's text `{{x}}` is where its parameter goes. */
function checkFunction(one: JsonValue, path: SourcePath): readonly Finding[] {
  if (!isJsonObject(one) || typeof one['text'] !== 'string') return [];
  const params = new Set(listed(one['params'], path).flatMap(([, name]) => (typeof name === 'string' ? [name] : [])));
  const text = one['text'];
  const named = [...text.matchAll(/\{\{\s*([A-Za-z_]\w*)\s*\}\}/gu)];
  return [
    ...named.flatMap(([whole, name]): readonly Finding[] =>
      params.has(name!)
        ? []
        : [
            finding([...path, 'text'], 'function', `\`${whole}\` is not one of the function's \`params\``, {
              of: { text: whole },
              expected: [...params].join(', '),
              actual: name,
              closest: closestName(name!, params),
            }),
          ],
    ),
    ...[...params]
      .filter((param) => !named.some(([, name]) => name === param))
      .map((param): Finding =>
        warning([...path, 'params'], 'never_used', `the text of the function does not use its parameter \`${param}\``),
      ),
  ];
}

function unused(names: readonly string[], uses: Listed, field: string, what: string): readonly Finding[] {
  const used = new Set(uses.flatMap(([, one]) => (typeof one === 'string' ? [one] : [])));
  return names.flatMap((name, at): readonly Finding[] =>
    used.has(name)
      ? []
      : [
          warning(
            [field, field === 'functions' ? name : at],
            'never_used',
            `no step refers to the ${what} \`${name}\``,
            { of: 'key' },
          ),
        ],
  );
}
