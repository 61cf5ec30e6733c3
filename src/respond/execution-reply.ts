import type { ExecutionAnswer } from '../contract/answer.js';
import type { Reply } from '../contract/reply.js';
import { executionText } from './execution-text.js';
import { asJson } from './reply-with.js';

export function executionReply(answer: ExecutionAnswer, offered: ReadonlySet<string>): Reply {
  return {
    failed: false,
    text: executionText(answer, offered.has('checkpoint_workflow')),
    answer: asJson(answer),
    lookup: false,
  };
}
