import type { NextCall } from '../base/rejection.js';

/** A call as it is written in a sentence. */
export function callText({ tool, arguments: args }: NextCall): string {
  return `${tool} ${JSON.stringify(args)}`;
}
