import type { JsonObject } from '../../base/json-value.js';
import type { OutputContract } from '../compiled/compiled-workflow.js';
import { JudgingWork } from './judging-work.js';
import { judgeValue } from './schema-judge.js';

export interface ArtifactProblem {
  readonly pointer: string;
  readonly message: string;
  /** A field that the contract does not know: the remedy is to take it out. */
  readonly stray?: true;
}

/** What is wrong with an artifact by the schema of its contract, in words. */
export function checkArtifact(
  { schema }: OutputContract,
  artifact: JsonObject,
  work = new JudgingWork(),
): readonly ArtifactProblem[] {
  const cannot = (message: string): readonly ArtifactProblem[] => [{ pointer: '', message }];
  const verdict = judgeValue(schema, artifact, work);
  switch (verdict.kind) {
    case 'no_schema': {
      const { pointer, message } = verdict.problem;
      return cannot(`the contract's schema cannot be used${pointer === '' ? '' : ` at ${pointer}`}: ${message}`);
    }
    case 'not_judged':
      return cannot(
        'it cannot be held against its schema, which asks in `unevaluatedProperties` or `unevaluatedItems` what a choice among schemas has judged: the workflow’s author must say it without them',
      );
    case 'too_much_work':
      return cannot(
        'it takes too much work to hold it against its schema: hand in a smaller or flatter one, or several; if no smaller one is right, the workflow’s author must make the schema simpler',
      );
    case 'judged':
      return verdict.problems.map(({ stray, ...problem }) =>
        stray === undefined
          ? problem
          : { ...problem, message: `\`${stray}\` is not one of the contract's fields`, stray: true },
      );
  }
}
