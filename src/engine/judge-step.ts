import { firstWords } from '../base/byte-budget.js';
import { shownJson } from '../base/canonical-json.js';
import type { JsonObject, JsonValue } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { field } from '../base/sentence.js';
import { own } from '../base/own.js';
import { secretGiven } from '../base/secret-given.js';
import { describeAsked } from '../definitions/check/known-values.js';
import { assessmentContract, checkAssessment } from '../definitions/contracts/assessment-contract.js';
import { checkUnasked, kindOf, unknownKinds } from '../definitions/contracts/known-contracts.js';
import type { CompiledWorkflow, PromptStep } from '../definitions/compiled/compiled-workflow.js';
import { JudgingWork } from '../definitions/contracts/judging-work.js';
import { answerTo, askOf, type Known, wrongWith } from '../definitions/contracts/needs-asked.js';
import { checkNotes, describeRule } from '../definitions/contracts/notes-rules.js';
import { checkArtifact } from '../definitions/contracts/output-contract.js';
import { checkValue, describeKey } from '../definitions/contracts/value-spec.js';
import type { Blocker, Mendable } from './blocker.js';
import { judgeCollected, judgeTaken } from './taken-keys.js';

/** What an agent handed back for a step, and the context as it would be with it. */
export interface Handed extends Known {
  readonly notes: string | undefined;
  readonly artifacts: readonly JsonObject[];
  readonly patch: JsonObject;
  readonly confirmed: boolean;
  /** User-only dependencies the agent itself reports. */
  readonly reported: readonly { readonly reason: string; readonly detail: string; readonly index: number }[];
}

export interface Judgement {
  /** What the agent can mend itself. */
  readonly mend: readonly Mendable[];
  /** What only the user can settle. */
  readonly user: readonly Blocker[];
  /** Set when the step asks for the user's agreement and it was not given. */
  readonly unconfirmed: Blocker | undefined;
}

/** Weighs what was handed back against what the step asks for: everything at once, in a fixed order. */
export function judgeStep(
  workflow: CompiledWorkflow,
  step: PromptStep,
  handed: Handed,
  asksAgreement: boolean,
): Judgement {
  const work = new JudgingWork();
  const artifacts = judgeArtifacts(workflow, step, handed, work);
  return {
    mend: [
      ...judgeNotes(step, handed, work),
      ...artifacts,
      ...judgeTaken(step, handed, artifacts.length === 0),
      ...judgeCollected(workflow, handed),
      ...judgeUnasked(workflow, step, handed, work),
      ...judgeAssessments(step, handed),
      ...judgeContext(workflow, step, handed, work),
    ],
    user: [...judgeNeeds(step, handed, work), ...reportedNeeds(handed)],
    unconfirmed:
      asksAgreement && !handed.confirmed
        ? {
            code: 'CONFIRMATION_REQUIRED',
            pointer: '/confirmed',
            message: 'the user has not confirmed this step',
            fix: 'show the user what this step did or is about to do, and once they agree to it send everything again with "confirmed": true',
          }
        : undefined,
  };
}

function judgeNotes(step: PromptStep, { notes }: Handed, work: JudgingWork): readonly Mendable[] {
  const pointer = '/output/notesMarkdown';
  if (notes === undefined || notes.trim() === '') {
    if (step.notes !== 'required' && step.rules.length === 0) return [];
    const message = [field(pointer), ' is required here'];
    const fix = 'write notes: what happened and what is next';
    return [{ code: 'MISSING_REQUIRED_OUTPUT', pointer, message, fix, wanted: rulesOf(step) }];
  }
  return checkNotes(step.rules, notes, work).map((message) => ({
    code: 'RULE_FAILED',
    pointer,
    message,
    fix: 'mend the notes and send everything again',
    wanted: rulesOf(step),
  }));
}

const rulesOf = (step: PromptStep): string =>
  ['what happened, what is next', ...step.rules.map((rule) => `must ${describeRule(rule)}`)].join('; ');

const mendField = 'mend this field and send everything again';

function judgeArtifacts(
  workflow: CompiledWorkflow,
  step: PromptStep,
  { artifacts }: Handed,
  work: JudgingWork,
): readonly Mendable[] {
  return step.outputs.flatMap((contract): readonly Mendable[] => {
    const handed = artifacts
      .map((artifact, index) => ({ artifact, index }))
      .filter(({ artifact }) => artifact['kind'] === contract.kind);
    if (handed.length === 0) {
      if (!contract.required) return [];
      const misnamed = artifacts.findIndex(
        (artifact) => unknownKinds(workflow, [artifact])[0]?.nearest === contract.kind,
      );
      if (misnamed >= 0) return [wrongKind(contract.kind, artifacts[misnamed]!['kind'], misnamed)];
      const message = `an artifact of kind ${contract.kind} is required`;
      const fix = `add one like ${JSON.stringify(contract.example)}`;
      const wanted = `an artifact of kind ${contract.kind}`;
      return [{ code: 'MISSING_REQUIRED_OUTPUT', pointer: '/output/artifacts', message, fix, wanted }];
    }
    return handed.flatMap(({ artifact, index }) =>
      checkArtifact(contract, artifact, work).map(({ pointer, message, stray }): Mendable => ({
        code: 'INVALID_REQUIRED_OUTPUT',
        pointer: `/output/artifacts/${index}${pointer}`,
        message: `artifact ${contract.kind}: ${message}`,
        fix: stray === true ? 'take it out, or give it the right name' : mendField,
        wanted: message,
        artifact: contract.kind,
        ...(stray !== undefined && { stray }),
      })),
    );
  });
}

/** Nobody knows a kind of that name, and it is nearly that of the one that is missing. */
const wrongKind = (kind: string, given: JsonValue | undefined, index: number): Mendable => ({
  code: 'INVALID_REQUIRED_OUTPUT',
  pointer: `/output/artifacts/${index}/kind`,
  message: `an artifact of kind ${kind} is required, and ${JSON.stringify(given)} is another kind`,
  fix: `where ${kind} is meant, give it that kind and send everything again; else add one`,
  wanted: kind,
});

/** What the step does not ask for has the form of its kind all the same, where its kind is known. */
function judgeUnasked(
  workflow: CompiledWorkflow,
  { outputs }: PromptStep,
  { artifacts }: Handed,
  work: JudgingWork,
): readonly Mendable[] {
  return artifacts.flatMap((artifact, index): readonly Mendable[] => {
    const kind = kindOf(artifact);
    if (outputs.some((contract) => contract.kind === kind)) return [];
    return checkUnasked(workflow, artifact, work).map(({ pointer, message, stray }) => ({
      code: 'INVALID_REQUIRED_OUTPUT',
      pointer: `/output/artifacts/${index}${pointer}`,
      message: `artifact ${kind}: ${message}`,
      fix: stray === true ? 'take it out, or give it the right name' : mendField,
      wanted: message,
      ...(stray !== undefined && { stray }),
    }));
  });
}

function judgeAssessments({ assessments = [] }: PromptStep, { artifacts }: Handed): readonly Mendable[] {
  return assessments.flatMap((assessment) =>
    checkAssessment(assessment, artifacts, assessments.length === 1).map(({ problem, pointer, message }): Mendable => {
      const told = { pointer: `/output/artifacts${pointer}`, message };
      if (problem === 'missing') {
        const fix = `add one like ${JSON.stringify(assessmentContract(assessment).example)}`;
        const wanted = `an artifact wr.assessment, “${assessment.id}”`;
        return { code: 'MISSING_REQUIRED_OUTPUT', ...told, fix, wanted };
      }
      if (problem === 'invalid') return { code: 'INVALID_REQUIRED_OUTPUT', ...told, fix: mendField, wanted: message };
      const fix =
        'do that, and say in `followedUp`, beside `dimensions`, what came of it, or give the new level; send everything again';
      const wanted = 'what the follow-up did, and what came of it';
      return { code: 'ASSESSMENT_FOLLOWUP_REQUIRED', ...told, fix, wanted };
    }),
  );
}

function judgeContext(
  workflow: CompiledWorkflow,
  step: PromptStep,
  handed: Handed,
  work: JudgingWork,
): readonly Mendable[] {
  const { patch } = handed;
  return Object.entries(step.sets).flatMap(([key, spec]): readonly Mendable[] => {
    const value = own(patch, key);
    const pointer = `/context/${key}`;
    const wanted = describeAsked(workflow, key, spec);
    const fix = ['set ', field(pointer), ` to ${wanted}`];
    if (value === undefined || value === null) {
      if (spec.required === false) return [];
      // What only the user can give is asked of them, with the rest kept; it is no key that an agent forgot.
      if (step.needs.some((need) => need.key === key)) return [];
      const stands = value === undefined ? own(handed.context, key) : undefined;
      const isKnown = stands !== undefined;
      const said = isKnown ? ` is known, and this step sets it anew: it is still ${shownJson(stands)}` : ' is not set';
      const message = [field(pointer), said];
      const again = ['send ', field(pointer), ' again, unchanged where it stays as it is'];
      const fixed = isKnown ? again : fix;
      return [
        {
          code: 'MISSING_CONTEXT_KEY',
          pointer,
          message,
          fix: fixed,
          wanted,
          ...(isKnown && { stands: true as const }),
        },
      ];
    }
    if (value === secretGiven && step.needs.some((need) => need.key === key)) return [];
    // One element comes to its list as a list of one does, and is told of as it was handed in.
    const isOne = spec.add === true && !Array.isArray(value);
    return checkValue(spec, isOne ? [value] : value, work).map(({ pointer: at, message }) => {
      const inner = isOne ? at.replace(/^\/0/u, '') : at;
      return {
        code: 'INVALID_REQUIRED_OUTPUT',
        pointer: `${pointer}${inner}`,
        message: [field(pointer), `: ${message}`],
        fix,
        wanted: inner === '' ? wanted : message,
      };
    });
  });
}

function judgeNeeds(step: PromptStep, handed: Handed, work: JudgingWork): readonly Blocker[] {
  return step.needs.flatMap((need): readonly Blocker[] => {
    const pointer = `/context/${need.key}`;
    const answer = answerTo(need, handed);
    // What was given just now is the agent's to mend.
    const isFresh = own(handed.patch, need.key) !== undefined;
    const [wrong] = answer === undefined || isFresh ? [] : wrongWith(step, need, answer, work);
    if (answer !== undefined && wrong === undefined) return [];
    const isEarly = answer === undefined && own(handed.context, need.key) !== undefined;
    const early = isEarly ? ' (what is there was handed back before it was asked, or in another round)' : '';
    const known = wrong === undefined ? early : ` (what is known does not do: ${wrong.message})`;
    return [
      {
        code: 'USER_ONLY_DEPENDENCY',
        pointer,
        message: `${need.reason}: ${askOf(need, handed)}${known}`,
        fix: `ask the user, then send context.${need.key}${wantedOf(step, need)}; the rest is taken as it is kept`,
      },
    ];
  });
}

function wantedOf({ sets }: PromptStep, { key }: PromptStep['needs'][number]): string {
  const spec = own(sets, key);
  return spec === undefined ? '' : ` (${describeKey(spec)})`;
}

function reportedNeeds({ reported }: Handed): readonly Blocker[] {
  return reported.map(({ reason, detail, index }) => ({
    code: 'USER_ONLY_DEPENDENCY',
    pointer: `/output/gaps/${index}`,
    message: `${reason}: ${firstWords(detail, limits.recordedReason)}`,
    fix: 'ask the user, then send "confirmed": true with notes that say what they answered; the rest is kept',
  }));
}
