import type { PartRole } from '../compiled/schema-parts.js';

/** What an expression sees of an answer; and of one item, where what is kept is asked of each. */
export const answerNames: readonly string[] = ['status', 'headers', 'body'];
export const itemNames: readonly string[] = ['item', 'i'];

/** What a step has left, where it puts something of it into the shared state. */
const outputName: readonly string[] = ['output'];

/** Names that what is asked of an answer has besides those around the step. */
export function namesOfAnswer(role: PartRole, isPaged: boolean): readonly string[] {
  if (role === 'kept') return isPaged ? itemNames : answerNames;
  if (role === 'put') return outputName;
  return role === 'answered' || role === 'paged' ? answerNames : [];
}
