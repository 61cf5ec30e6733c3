import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import type { Assessment, OutputContract } from '../compiled/compiled-workflow.js';

const kind = 'wr.assessment';

/** What is wrong with an assessment that was handed back, or what it calls for. */
export interface AssessmentProblem {
  readonly problem: 'missing' | 'invalid' | 'follow_up';
  readonly pointer: string;
  readonly message: string;
}

/** An assessment as an artifact: its schema and an example, in which nothing is left to be followed up. */
export function assessmentContract({ id, purpose, dimensions, followUps }: Assessment): OutputContract {
  const alarming = new Set(followUps.map(({ level }) => fold(level)));
  const example = dimensions.map(({ id: name, levels }): [string, JsonValue] => [
    name,
    {
      level: levels.findLast((level) => !alarming.has(fold(level))) ?? levels[0] ?? '',
      rationale: 'Why this level, with what was seen.',
    },
  ]);
  const properties = dimensions.map(({ id: name, purpose: what, levels }): [string, JsonValue] => [
    name,
    {
      description: what,
      anyOf: [
        { enum: [...levels] },
        {
          type: 'object',
          required: ['level'],
          properties: { level: { enum: [...levels] }, rationale: { type: 'string' } },
        },
      ],
    },
  ]);
  const schema: JsonObject = {
    type: 'object',
    description: purpose,
    required: ['kind', 'dimensions'],
    properties: {
      kind: { const: kind },
      assessmentId: { const: id },
      dimensions: {
        type: 'object',
        required: dimensions.filter(({ required }) => required).map(({ id: name }) => name),
        properties: Object.fromEntries(properties),
        additionalProperties: false,
      },
      summary: { type: 'string' },
      ...(followUps.length > 0 && {
        followedUp: { type: 'string', description: 'what the follow-up did, where a level still calls for one' },
      }),
    },
  };
  // Where every level calls for a follow-up, an assessment is only done with one.
  const followed = dimensions.some(({ levels }) => levels.every((level) => alarming.has(fold(level)))) && {
    followedUp: 'What the follow-up did, and what came of it.',
  };
  return {
    kind,
    required: true,
    documents: [{ document: 'assessments', fold: 'log' }],
    schema,
    example: { kind, assessmentId: id, dimensions: Object.fromEntries(example), ...followed },
  };
}

/** Weighs one assessment: the newest artifact that names it, or that names none where it is the only one. */
export function checkAssessment(
  assessment: Assessment,
  artifacts: readonly JsonObject[],
  isOnly: boolean,
): readonly AssessmentProblem[] {
  const at = artifacts.findLastIndex(
    (artifact) =>
      artifact['kind'] === kind &&
      (artifact['assessmentId'] === assessment.id || (isOnly && artifact['assessmentId'] === undefined)),
  );
  const artifact = artifacts[at];
  if (artifact === undefined) {
    const message = `an assessment “${assessment.id}” is required: ${assessment.purpose}`;
    return [{ problem: 'missing', pointer: '', message }];
  }
  const { dimensions } = artifact;
  const judged = isJsonObject(dimensions) ? dimensions : {};
  const unknown = Object.keys(judged).filter((name) => !assessment.dimensions.some(({ id }) => id === name));
  return [
    ...unknown.map((name): AssessmentProblem => ({
      problem: 'invalid',
      pointer: `/${at}/dimensions/${name}`,
      message: `${name} is no dimension of “${assessment.id}”; they are ${assessment.dimensions.map(({ id }) => id).join(', ')}`,
    })),
    ...assessment.dimensions.flatMap((dimension) => {
      const pointer = `/${at}/dimensions/${dimension.id}`;
      return checkDimension(assessment, dimension, own(judged, dimension.id), pointer);
    }),
    ...(isText(artifact['followedUp']) ? [] : askedFor(assessment, judged, `/${at}/followedUp`)),
  ];
}

/** One word beside the dimensions says of all of them what came of the follow-up: it is missed there. */
function askedFor(
  { dimensions, followUps }: Assessment,
  judged: JsonObject,
  pointer: string,
): readonly AssessmentProblem[] {
  return dimensions.flatMap((dimension) => {
    const known = levelOf(dimension, own(judged, dimension.id));
    return followUps
      .filter(({ level }) => known !== undefined && fold(level) === fold(known))
      .map(({ guidance }) => ({ problem: 'follow_up', pointer, message: `${dimension.id} is ${known}: ${guidance}` }));
  });
}

const saidLevel = (value: JsonValue | undefined): JsonValue | undefined =>
  value !== undefined && isJsonObject(value) ? value['level'] : value;

function levelOf({ levels }: Assessment['dimensions'][number], value: JsonValue | undefined): string | undefined {
  const level = saidLevel(value);
  return typeof level === 'string' ? levels.find((one) => fold(one) === fold(level)) : undefined;
}

function checkDimension(
  { id }: Assessment,
  dimension: Assessment['dimensions'][number],
  value: JsonValue | undefined,
  pointer: string,
): readonly AssessmentProblem[] {
  const levels = dimension.levels.join(', ');
  if (value === undefined) {
    const message = `“${id}” lacks its dimension ${dimension.id}, one of ${levels}`;
    return dimension.required ? [{ problem: 'invalid', pointer, message }] : [];
  }
  if (levelOf(dimension, value) !== undefined) return [];
  const message = `${dimension.id} must be one of ${levels} (got ${JSON.stringify(saidLevel(value) ?? null)})`;
  return [{ problem: 'invalid', pointer, message }];
}

const fold = (level: string): string => level.trim().toLowerCase();
const isText = (value: JsonValue | undefined): boolean => typeof value === 'string' && value.trim() !== '';
