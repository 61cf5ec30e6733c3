import { limits } from '../base/limits.js';
import type { DurableTasks, TaskQuestion, TaskTold } from '../contract/durable-tasks.js';
import type { Reply } from '../contract/reply.js';
import type { Asked, Era } from './asked.js';
import type { ToolResult } from './tool-result.js';

/** What one request about tasks is answered with. */
export interface TasksServed {
  readonly era: Era;
  readonly asked: Asked;
  readonly open: () => Promise<DurableTasks>;
  readonly result: (reply: Reply) => ToolResult;
  /** Answers of calls that leave nothing behind to be told from, for a client that takes an answer in no other way. */
  readonly atOnce: Map<string, TaskTold>;
  /** Of each task the questions that the client was shown because it looked. */
  readonly shown: Map<string, Set<string>>;
  readonly log: (line: string) => void;
}

/** Whether its client shows forms, in this answer or over its connection. */
export const showsForms = ({ asked }: TasksServed): boolean => asked.takes.forms || asked.askForm !== undefined;

export const hasEnded = ({ status }: TaskTold): boolean => status !== 'working' && status !== 'input_required';

/** What is shown of a question. */
export const formOf = ({ message, requestedSchema }: TaskQuestion): TaskQuestion => ({ message, requestedSchema });

/** The newest are kept. */
export function keepNewest<T>(kept: Map<string, T>, taskId: string, what: T): void {
  kept.set(taskId, what);
  const [oldest] = kept.keys();
  if (kept.size > limits.tasksAtOnce && oldest !== undefined) kept.delete(oldest);
}
