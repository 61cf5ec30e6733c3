import { closestName } from '../../base/closest-name.js';
import type { Assessment } from '../compiled/compiled-workflow.js';
import { warning } from '../source/finding.js';
import { type Part, partAt, partsAt, textAt, textsAt, warnOfKeys } from './workrail-part.js';
import type { Book } from './workrail-surroundings.js';

interface Judged {
  readonly assessments: readonly Assessment[];
  /** Consequences that are asked for, and that nothing here can ask of one dimension alone. */
  readonly lines: readonly string[];
}

type Followed = Assessment & { readonly followUps: { readonly level: string; readonly guidance: string }[] };

/** The assessments that a step refers to, each with what follows from its levels. */
export function assessmentsOf(part: Part, book: Book): Judged {
  const assessments = textsAt(part, 'assessmentRefs').flatMap((ref, index): readonly Followed[] => {
    const assessment = book.assessments.get(ref);
    if (assessment === undefined)
      part.say({
        path: [...part.path, 'assessmentRefs', index],
        rule: 'unknown_assessment',
        message: `the workflow has no assessment \`${ref}\``,
        actual: ref,
        closest: closestName(ref, book.assessments.keys()),
      });
    return assessment === undefined ? [] : [{ ...assessment, followUps: [] }];
  });
  const lines = partsAt(part, 'assessmentConsequences').flatMap((one) => follow(one, assessments));
  return { assessments, lines };
}

interface Consequence {
  readonly level: string | undefined;
  readonly dimension: string | undefined;
  readonly only: string | undefined;
  readonly kind: string;
  readonly guidance: string | undefined;
}

function consequenceAt(part: Part): Consequence {
  const when = partAt(part, 'when', { text: 'anyEqualsLevel' });
  const effect = partAt(part, 'effect', { text: 'guidance' });
  warnOfKeys(part, ['when', 'effect']);
  if (when) warnOfKeys(when, ['anyEqualsLevel', 'forAssessment', 'dimensionId', 'equalsLevel']);
  if (effect) warnOfKeys(effect, ['kind', 'guidance']);
  return {
    level: when && (textAt(when, 'anyEqualsLevel') ?? textAt(when, 'equalsLevel')),
    dimension: when && textAt(when, 'dimensionId')?.trim(),
    only: when && textAt(when, 'forAssessment'),
    kind: (effect && textAt(effect, 'kind')) ?? 'require_followup',
    guidance: effect && textAt(effect, 'guidance'),
  };
}

function follow(part: Part, assessments: readonly Followed[]): readonly string[] {
  const { level, dimension, only, kind, guidance } = consequenceAt(part);
  const meant = assessments.filter(
    ({ id, dimensions }) =>
      (only === undefined || id === only) &&
      (dimension === undefined || dimensions.some((one) => one.id.trim() === dimension)),
  );
  const passedOver = (why: string): readonly string[] => {
    const instead = guidance === undefined ? '' : '; the agent gets its guidance';
    part.say(warning(part.path, 'assessment', `the consequence is ignored: ${why}${instead}`));
    return guidance === undefined
      ? []
      : [`Of the assessment${level === undefined ? '' : `, where it is ${level}`}: ${guidance}`];
  };
  if (level === undefined) return passedOver('it names no `anyEqualsLevel`');
  if (meant.length === 0) return passedOver('the step does not refer to this assessment');
  if (kind !== 'require_followup') return passedOver(`\`${kind}\` is not a known effect`);
  warnOfNoLevel(part, level, meant);
  const asked = guidance ?? 'Find out more, and assess again.';
  // A level is followed up in whichever dimension it stands: of one that others have as well, the agent is told.
  const isShared = ({ dimensions }: Followed): boolean =>
    dimension !== undefined && dimensions.some(({ id, levels }) => id.trim() !== dimension && hasLevel(levels, level));
  for (const assessment of meant) if (!isShared(assessment)) assessment.followUps.push({ level, guidance: asked });
  return meant.filter(isShared).map(({ id }) => `Where ${dimension!} of the assessment ${id} is ${level}: ${asked}`);
}

function warnOfNoLevel(part: Part, level: string, meant: readonly Followed[]): void {
  const levels = meant.flatMap(({ dimensions }) => dimensions.flatMap((one) => one.levels));
  if (hasLevel(levels, level)) return;
  const message = `no dimension has the level \`${level}\`: this consequence never follows`;
  const more = { expected: [...new Set(levels)].join(', '), actual: level, closest: closestName(level, levels) };
  part.say(warning([...part.path, 'when'], 'assessment', message, more));
}

const hasLevel = (levels: readonly string[], level: string): boolean =>
  levels.some((one) => plain(one) === plain(level));

const plain = (level: string): string => level.trim().toLowerCase();
