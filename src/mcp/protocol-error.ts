import type { ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { JsonObject } from '../base/json-value.js';

/** An error of the protocol itself, with its code; the SDK's own class would put the code into the words as well. */
export function protocolError(code: ProtocolErrorCode, message: string, data?: JsonObject): Error {
  return Object.assign(new Error(message), { code }, data && { data });
}
