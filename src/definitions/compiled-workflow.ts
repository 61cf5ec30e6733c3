import type { UserOnlyReason } from '../base/closed-sets.js';
import type { JsonObject, JsonValue } from '../base/json-value.js';

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
  readonly steps: readonly CompiledStep[];
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
}

export type Rule =
  | { readonly contains: string }
  | { readonly matches: string }
  | { readonly minLength: number }
  | { readonly maxLength: number };

export interface LoopStep extends StepBase {
  readonly kind: 'loop';
  readonly loop:
    | { readonly type: 'foreach'; readonly list: string; readonly as: string }
    | { readonly type: 'while'; readonly test: string }
    /** Tested after the body. */
    | { readonly type: 'until'; readonly test: string }
    /** A whole number, or an expression that gives one. */
    | { readonly type: 'repeat'; readonly times: number | string };
  /** The most iterations; reaching it with more to do is a warning and a gap. */
  readonly max: number;
  readonly steps: readonly CompiledStep[];
}

export interface GroupStep extends StepBase {
  readonly kind: 'group';
  readonly steps: readonly CompiledStep[];
}
