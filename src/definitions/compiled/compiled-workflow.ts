import type { UserOnlyReason } from '../../base/closed-sets.js';
import type { JsonObject, JsonValue } from '../../base/json-value.js';

/**
 * What a run executes: a workflow with everything expanded, as one self-contained JSON value.
 * Its canonical bytes are the pin and their digest the workflow hash, so a field is added only where it has a meaning,
 * and an absent field and its default are never two spellings of one thing.
 */
export interface CompiledWorkflow {
  /** Version of this form. A reader refuses one it does not know. */
  readonly compiled: 1;
  readonly id: string;
  readonly kind: 'workflow' | 'routine';
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly tags: readonly string[];
  readonly guidance: readonly string[];
  readonly preconditions: readonly string[];
  /** Questions to settle before the first step. */
  readonly clarify: readonly string[];
  readonly recommends?: RecommendedPreferences;
  readonly inputs: { readonly [name: string]: InputSpec };
  readonly references?: readonly Reference[];
  readonly steps: readonly CompiledStep[];
  /** Where each part came from that the author did not write in this file. */
  readonly provenance?: readonly Provenance[];
}

/** Something to read that is not part of the definition; only named, never opened. */
export interface Reference {
  readonly id: string;
  readonly title: string;
  /** As the author wrote it: a path in the project, or an address. */
  readonly path: string;
  readonly purpose?: string;
  readonly authoritative: boolean;
}

export interface Provenance {
  /** JSON pointer into the compiled workflow. */
  readonly at: string;
  /** Such as `routine wr.routines.hunt`, `feature wr.features.capabilities`, `contract wr.contracts.findings`. */
  readonly from: string;
}

/** The boldest behaviour the author thinks safe. */
export interface RecommendedPreferences {
  readonly mode?: 'guided' | 'auto_stop' | 'auto_never_stop';
  readonly autonomy?: 'guided' | 'full_auto_stop_on_user_deps' | 'full_auto_never_stop';
  readonly gateHandling?: 'block' | 'risk_signal';
  readonly assumptionPolicy?: 'ask_when_missing' | 'record_when_missing';
  readonly riskPolicy?: 'conservative' | 'balanced' | 'aggressive';
}

export interface ValueSpec {
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'any';
  readonly description?: string;
  readonly enum?: readonly JsonValue[];
  /** For strings; a linear-time expression, found anywhere in the value unless anchored. */
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  /** For arrays: what each element is. */
  readonly items?: ValueSpec;
  /** An author's own example of a right value. */
  readonly example?: JsonValue;
}

export interface InputSpec extends ValueSpec {
  readonly required: boolean;
  readonly default?: JsonValue;
}

export type CompiledStep = PromptStep | LoopStep | GroupStep;

interface StepBase {
  /** Unique in the workflow. A place in a run is named by its path: `findings@2/look`. */
  readonly id: string;
  readonly title: string;
  /** An expression; absent means always. */
  readonly if?: string;
}

/** The only kind of step an agent meets; titles, roles and prompts are templates with `${{ … }}` holes. */
export interface PromptStep extends StepBase {
  readonly kind: 'prompt';
  readonly role?: string;
  readonly prompt: string;
  readonly guidance: readonly string[];
  /** Context keys the agent must hand back. */
  readonly sets: { readonly [key: string]: ValueSpec };
  readonly needs: readonly Need[];
  readonly confirm: boolean;
  readonly notes: 'encouraged' | 'required' | 'optional';
  readonly outputs: readonly OutputContract[];
  /** Rules on the notes. */
  readonly rules: readonly Rule[];
  /** With `confirm`: agreement is only asked for where this holds. */
  readonly confirmIf?: string;
  /** The functions that the step refers to, expanded. */
  readonly functions?: readonly FunctionText[];
  /** Parts of the prompt that are told only where their condition holds, after it, in order. */
  readonly fragments?: readonly Fragment[];
  readonly assessments?: readonly Assessment[];
  /** Independent pieces of work that the agent may give to sub-agents. */
  readonly delegates?: readonly Delegate[];
  /** What several of the pieces are told alike, by the routine it comes from. */
  readonly briefs?: readonly { readonly id: string; readonly text: string }[];
}

export interface FunctionText {
  readonly name: string;
  readonly params: readonly string[];
  readonly text: string;
}

export interface Fragment {
  readonly id: string;
  readonly if?: string;
  readonly text: string;
}

/** A judgement the agent hands back as an artifact `wr.assessment`, one level for each dimension. */
export interface Assessment {
  readonly id: string;
  readonly purpose: string;
  readonly dimensions: readonly {
    readonly id: string;
    readonly purpose: string;
    readonly levels: readonly string[];
    readonly required: boolean;
  }[];
  /** Where any of its dimensions has this level, the step is done only after a follow-up and another assessment. */
  readonly followUps: readonly { readonly level: string; readonly guidance: string }[];
}

export interface Delegate {
  readonly title: string;
  readonly goal: string;
  readonly if?: string;
  /** What the sub-agent is told: the routine's prompts, expanded; a template. Beside a `brief`, what is given to this piece. */
  readonly text: string;
  /** One of the step's `briefs`. */
  readonly brief?: string;
}

export interface Need {
  readonly reason: UserOnlyReason;
  /** The context key whose presence satisfies the need. */
  readonly key: string;
  readonly ask: string;
}

export interface OutputContract {
  /** The artifact's kind, as the agent writes it. */
  readonly kind: string;
  readonly required: boolean;
  /** JSON Schema (2020-12) of the whole artifact, its `kind` included. */
  readonly schema: JsonObject;
  readonly example: JsonObject;
  /** The pack it comes from, such as `wr.contracts.findings`. */
  readonly contract?: string;
  readonly documents?: readonly DocumentFold[];
}

/** How an artifact folds into one of the session's documents. */
export interface DocumentFold {
  readonly document: string;
  /** header: fields merge; log: entries append; table: rows by key, sorted; list: entries, each once. */
  readonly fold: 'header' | 'log' | 'table' | 'list';
  /** The field of the artifact that is folded; absent means the artifact itself. */
  readonly field?: string;
  /** For tables: the fields that name a row, as dotted paths. */
  readonly key?: readonly string[];
}

export type Rule = RuleWords &
  (
    | { readonly contains: string }
    | { readonly matches: string }
    | { readonly minLength: number }
    | { readonly maxLength: number }
    | { readonly all: readonly Rule[] }
    | { readonly any: readonly Rule[] }
    | { readonly not: Rule }
  );

interface RuleWords {
  /** The author's own words for what to write, told with the rule. */
  readonly message?: string;
  /** Notes, or a piece of them, that keep the rule. */
  readonly example?: string;
}

export interface LoopStep extends StepBase {
  readonly kind: 'loop';
  readonly loop:
    | { readonly type: 'foreach'; readonly list: string; readonly as: string }
    | { readonly type: 'while'; readonly test: string }
    /** Tested after the body. */
    | { readonly type: 'until'; readonly test: string }
    /** A whole number, or an expression that gives one. */
    | { readonly type: 'repeat'; readonly times: number | string }
    /** Goes on until an artifact `wr.loop_control` of the iteration says stop. */
    | { readonly type: 'control' };
  /** Names that the loop gives, besides `as` and `iteration`: the iteration from 1, and from 0. */
  readonly counter?: string;
  readonly index?: string;
  /** The most iterations; reaching it with more to do is a warning and a gap. */
  readonly max: number;
  readonly steps: readonly CompiledStep[];
}

export interface GroupStep extends StepBase {
  readonly kind: 'group';
  /** The routine whose steps these are. Their ids begin with that of the group. */
  readonly routine?: string;
  readonly steps: readonly CompiledStep[];
}
