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

function follow(consequence: Part, assessments: readonly Followed[]): readonly string[] {
  const when = partAt(consequence, 'when', { text: 'anyEqualsLevel' });
  const effect = partAt(consequence, 'effect', { text: 'guidance' });
  warnOfKeys(consequence, ['when', 'effect']);
  if (when) warnOfKeys(when, ['anyEqualsLevel', 'forAssessment', 'dimensionId', 'equalsLevel']);
  if (effect) warnOfKeys(effect, ['kind', 'guidance']);
  const level = when && (textAt(when, 'anyEqualsLevel') ?? textAt(when, 'equalsLevel'));
  const dimension = when && textAt(when, 'dimensionId');
  const kind = (effect && textAt(effect, 'kind')) ?? 'require_followup';
  const only = when && textAt(when, 'forAssessment');
  const meant = assessments.filter(
    ({ id, dimensions }) =>
      (only === undefined || id === only) &&
      (dimension === undefined || dimensions.some((one) => one.id.trim() === dimension.trim())),
  );
  const guidance = effect && textAt(effect, 'guidance');
  if (level === undefined || kind !== 'require_followup' || meant.length === 0) {
    const why =
      level === undefined
        ? 'it names no `anyEqualsLevel`'
        : meant.length === 0
          ? 'the step refers to no such assessment'
          : `\`${kind}\` is no effect that is known`;
    const instead = guidance === undefined ? '' : '; its guidance is told to the agent';
    consequence.say(warning(consequence.path, 'assessment', `the consequence is passed over: ${why}${instead}`));
    return guidance === undefined
      ? []
      : [`Of the assessment${level === undefined ? '' : `, where it is ${level}`}: ${guidance}`];
  }
  const has = (levels: readonly string[]): boolean => levels.some((one) => plain(one) === plain(level));
  const levels = meant.flatMap(({ dimensions }) => dimensions.flatMap((one) => one.levels));
  if (!has(levels))
    consequence.say(
      warning(
        [...consequence.path, 'when'],
        'assessment',
        `no dimension has the level \`${level}\`: this consequence never follows`,
        { expected: [...new Set(levels)].join(', '), actual: level, closest: closestName(level, levels) },
      ),
    );
  const lines: string[] = [];
  for (const { id, dimensions, followUps } of meant) {
    const asked = guidance ?? 'Find out more, and assess again.';
    // A level is followed up in whichever dimension it stands: of one that others have as well, the agent is told.
    const shared = dimension !== undefined && dimensions.some((one) => one.id !== dimension.trim() && has(one.levels));
    if (shared) lines.push(`Where ${dimension} of the assessment ${id} is ${level}: ${asked}`);
    else followUps.push({ level, guidance: asked });
  }
  return lines;
}

const plain = (level: string): string => level.trim().toLowerCase();
