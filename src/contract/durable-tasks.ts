import type { JsonObject } from '../base/json-value.js';
import type { Result } from '../base/result.js';
import type { Reply } from './reply.js';

/** What a person is asked, as a form: what they read, and the JSON Schema of what they fill in. Never for a secret. */
export interface TaskQuestion {
  readonly message: string;
  readonly requestedSchema: JsonObject;
}

/** What a person did with a question before their client. A cancelled form says nothing. */
export type PersonSaid =
  | { readonly action: 'accept'; readonly content: JsonObject }
  | { readonly action: 'decline' | 'cancel' };

interface TaskFacts {
  readonly taskId: string;
  /** Where it stands, in words that a person or an agent can go by. */
  readonly statusMessage?: string;
  /** Timestamps of RFC 3339. */
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** How long to wait before looking again, in whole milliseconds. */
  readonly pollIntervalMs: number;
}

/** What a task is, told from the log. It stays for as long as its log does. */
export type TaskTold = TaskFacts &
  (
    | { readonly status: 'working' | 'cancelled' }
    /** Waits for a person; an answered question is not among them any more, and changed work asks under another name. */
    | { readonly status: 'input_required'; readonly questions: { readonly [name: string]: TaskQuestion } }
    /** With the answer of the call, one that refuses too. */
    | { readonly status: 'completed'; readonly reply: Reply }
    /** It never had an answer. */
    | { readonly status: 'failed'; readonly error: { readonly code: number; readonly message: string } }
  );

export interface TaskPage {
  readonly tasks: readonly TaskTold[];
  readonly nextCursor?: string;
}

/** Calls that can be asked for again by a handle. Nothing is thrown at a caller: what is refused is the reply that says so. */
export interface DurableTasks {
  /** `forms` false: whoever looks shows a person no form. */
  get(taskId: string, forms?: boolean): Promise<Result<TaskTold, Reply>>;
  /**
   * What a person answered, by the names of the questions. A name that is not asked, or not any more, is passed over:
   * the first answer counts. A value of the wrong kind is refused, and nothing is recorded.
   */
  answer(taskId: string, said: { readonly [name: string]: PersonSaid }): Promise<Result<TaskTold, Reply>>;
  /** The task as it stands afterwards: one that has ended already stays as it ended. */
  cancel(taskId: string): Promise<Result<TaskTold, Reply>>;
  /** The newest first. */
  list(cursor: string | undefined): Promise<Result<TaskPage, Reply>>;
}
