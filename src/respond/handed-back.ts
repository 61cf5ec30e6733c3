import { byteLength } from '../base/byte-budget.js';
import { own } from '../base/own.js';
import type { Event } from '../events/event.js';
import { contextReads } from '../definitions/expression/context-reads.js';
import { outputReads } from '../definitions/expression/output-reads.js';
import { draftBefore } from '../sessions/drafts.js';
import type { RunNode } from '../sessions/folded-session.js';
import { withoutUsage } from '../sessions/usage.js';

/** What is shorter is told as it is: to name it would take as many words. */
export const worthNaming = 160;

/** Whether whoever is answered knows what the step was done with: not where it waited as a draft, or redoes what was done. */
export const knowsWhatCame = (
  parent: RunNode,
  record: Event<'step_acked'>,
  kept: Event<'checkpoint'> | undefined,
): boolean => kept === undefined && record.data.fork === undefined && draftBefore(parent, record) === undefined;

/** What stands in a hole for a long value that has come with the very call that is answered. */
export function handedBack({ madeBy, did }: RunNode): (source: string, text: string) => string | undefined {
  const { data } = madeBy;
  const set = data.context ?? {};
  const kinds = (withoutUsage(('output' in data ? data.output : undefined) ?? {}).artifacts ?? []).flatMap(
    ({ kind }) => (typeof kind === 'string' ? [kind] : []),
  );
  return (source, text) => {
    if (byteLength(text) <= worthNaming) return undefined;
    const keys = contextReads(source).map(({ key }) => key);
    const [key] = keys;
    if (key !== undefined && source === `context.${key}`) return named(key);
    const outputs = outputReads(source);
    const isOwn = outputs.size === 1 && did !== undefined && outputs.has(did.id);
    const isAlone = keys.every((one) => own(set, one) !== undefined) && !/\b(?:inputs|ledger)\b/u.test(source);
    return isOwn && isAlone
      ? `what you have just handed back (${kinds.length === 0 ? 'the notes' : kinds.join(', ')})`
      : undefined;
  };

  function named(key: string): string | undefined {
    const value = own(set, key);
    if (value === undefined) return undefined;
    return `your ${Array.isArray(value) ? `${value.length} ` : ''}\`${key}\`, as just handed back`;
  }
}
