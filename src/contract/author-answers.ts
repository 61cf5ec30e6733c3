import type { JsonObject } from '../base/json-value.js';
import type { NextCall } from '../base/rejection.js';
import type { WarningTold } from './answer.js';
import type { ChoiceTold } from './tools/catalog-answers.js';

/** A workflow file by its id, where it lies and what it holds now. */
export interface FileTold {
  readonly workflowId: string;
  readonly path: string;
  readonly format: 'yaml' | 'json';
  readonly revision: string;
}

export interface GetAnswer extends FileTold {
  readonly content: string;
  /** The same as data, where both fit into an answer. */
  readonly parsed?: JsonObject;
  readonly nextCursor?: string;
  readonly nextCall: NextCall;
}

export interface ValidateAnswer {
  readonly valid: boolean;
  readonly file: string;
  readonly workflowId?: string;
  readonly title?: string;
  readonly violations: readonly JsonObject[];
  readonly violationsOmitted?: number;
  readonly warnings: readonly JsonObject[];
  readonly nextCall?: NextCall;
}

/** What became of a file. */
export interface WrittenAnswer extends FileTold {
  readonly happened: 'created' | 'replaced' | 'unchanged' | 'renamed' | 'deleted';
  readonly warnings: readonly WarningTold[];
  readonly nextCall: NextCall;
}

export interface InputTold {
  readonly name: string;
  readonly required: boolean;
  readonly wanted: string;
  readonly description?: string;
  readonly default?: JsonObject[string];
  readonly rules: JsonObject;
}

export interface InputsAnswer {
  readonly workflowId: string;
  readonly inputs: readonly InputTold[];
  readonly example: NextCall;
}

export interface ResolvedInput {
  readonly name: string;
  /** `prompt`: somebody has to say it; `skip`: it may stay out. */
  readonly outcome: 'resolved' | 'prompt' | 'skip' | 'error';
  readonly value?: JsonObject[string];
  readonly reason?: string;
  /** What its provider offers, the first of it. */
  readonly choices?: readonly ChoiceTold[];
  readonly choicesTotal?: number;
  readonly nextCall?: NextCall;
}

export interface ResolveAnswer {
  readonly workflowId: string;
  readonly ready: boolean;
  readonly resolved: JsonObject;
  readonly inputs: readonly ResolvedInput[];
  readonly unknown: readonly string[];
  readonly nextCall: NextCall;
}

export interface RenderedAnswer {
  readonly workflowId: string;
  readonly steps: readonly JsonObject[];
  readonly nextCursor?: string;
}

export interface PlanAnswer {
  readonly workflowId: string;
  readonly plan: string;
  readonly confirm: boolean;
  readonly catalogs: readonly JsonObject[];
  readonly steps: readonly JsonObject[];
  readonly nextCursor?: string;
  readonly nextCall: NextCall;
}
