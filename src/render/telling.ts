import type { JsonObject } from '../base/json-value.js';
import type { Expects } from '../contract/answer.js';
import type { NextCall, Rejection } from '../base/rejection.js';
import { visibleText } from './visible-text.js';

/** What an answer says, as data: an agent reads of calls and fields, a person of commands and options, and each printer says a line in its reader's words. */
export type Telling = readonly (readonly Told[])[];

export type Told =
  | { readonly kind: 'text'; readonly text: string; readonly tone?: 'good' | 'bad' | 'dim' }
  | { readonly kind: 'heading'; readonly text: string; readonly marks?: string }
  | {
      readonly kind: 'item';
      readonly lead: string;
      readonly text: string;
      readonly json?: JsonObject;
    }
  /** Lines that somebody left in the log: none of them can pass for one of ours, whatever it begins with. */
  | { readonly kind: 'quote'; readonly text: string }
  /** One of several: its name, and facts about it. */
  | { readonly kind: 'entry'; readonly lead: string; readonly name: string; readonly facts: readonly string[] }
  /** Something to hand back, in a field of the request. */
  | {
      readonly kind: 'wanted';
      readonly pointer: string;
      readonly how: string;
      readonly text: string;
      readonly json?: JsonObject;
    }
  /** What a step lacks. */
  | { readonly kind: 'missing'; readonly index: number; readonly blocker: Missing; readonly need: Need | undefined }
  /** A call to make, in its sentence. */
  | { readonly kind: 'call'; readonly lead: string; readonly call: NextCall; readonly rest?: string };

/** What a step needs that only the user has. */
type Need = Pick<Expects['needs'][number], 'ask' | 'reason'>;

export type Missing = NonNullable<Rejection['blockers']>[number];

/** Whom it is told to. */
export type Reader = 'agent' | 'person';

export interface Audience {
  readonly reader: Reader;
  /** Whether work can be kept without completing a step. */
  readonly keeps: boolean;
}

export const said = (text: string, tone?: 'good' | 'bad' | 'dim'): Told => ({
  kind: 'text',
  text,
  ...(tone !== undefined && { tone }),
});

/** A list below its lead; a single line stands beside it. */
export function listed(lead: string, lines: readonly string[] = []): readonly Told[] {
  if (lines.length === 0) return [];
  if (lines.length === 1) return [said(`${lead}: ${lines[0]}`)];
  return [said(`${lead}:`), ...lines.map((text): Told => ({ kind: 'item', lead: '- ', text }))];
}

/** What somebody wrote, beside its lead where it is a single line, else quoted below it. */
export function quotedBelow(lead: string, text: string): readonly Told[] {
  const shown = visibleText(text).trim();
  return shown.includes('\n')
    ? [{ kind: 'item', lead: '- ', text: `${lead}:` }, quote(shown)]
    : [{ kind: 'item', lead: '- ', text: `${lead}: ${shown}` }];
}

export const quote = (text: string): Told => ({ kind: 'quote', text: visibleText(text).trimEnd() });

/** What each line of a quote begins with. */
export const quoteLines = (text: string): readonly string[] =>
  text.split('\n').map((line) => (line.trim() === '' ? '>' : `> ${line}`));
