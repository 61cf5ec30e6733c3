import type { JsonObject } from '../base/json-value.js';
import { plainCopy } from '../base/plain-copy.js';
import type { Reply } from './reply.js';

/** A text with its backbone in a fenced block, and the whole answer as data. */
export function replyWith(text: string, answer: object, backbone: JsonObject): Reply {
  return {
    failed: false,
    text: `${text}\n\n\`\`\`json\n${JSON.stringify(backbone)}\n\`\`\``,
    answer: asJson(answer),
    lookup: false,
  };
}

/** A lookup says the same in words and as data; neither form lacks anything. */
export function lookupReply(text: string, answer: object): Reply {
  return { failed: false, text, answer: asJson(answer), lookup: true };
}

/** An answer as it will be on the wire: what is undefined is absent. */
export function asJson(answer: object): JsonObject {
  return plainCopy(answer);
}
