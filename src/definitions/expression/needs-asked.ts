import type { JsonObject } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import type { Need } from '../compiled/compiled-workflow.js';

/** The context at a step, and what of it its round knows; and how the holes of a request to the user are filled there. */
export interface Known {
  readonly context: JsonObject;
  readonly ofRound: JsonObject;
  readonly fill: (text: string) => string;
}

/** The request as the user reads it. */
export const askOf = ({ ask, holes }: Need, { fill }: Pick<Known, 'fill'>): string =>
  holes === true ? fill(ask) : ask;

/** Blank text is no answer of the user's, and what another round was given answers nothing in this one. */
export function isGiven({ key, round }: Need, { context, ofRound }: Pick<Known, 'context' | 'ofRound'>): boolean {
  const value = own(round === true ? ofRound : context, key);
  return value !== undefined && !(typeof value === 'string' && value.trim() === '');
}
