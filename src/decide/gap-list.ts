import { firstWords } from '../base/byte-budget.js';
import type { JsonObject } from '../base/json-value.js';
import { tellUnknownValue } from '../definitions/check/known-values.js';
import { secretsInValue } from '../secrets/secrets-in-value.js';
import type { Unset, Way } from '../engine/way.js';
import type { EventData, Gap, Warning } from '../events/event-data.js';
import type { Who } from '../events/event.js';
import type { IdsFromSeed } from './ids-from-seed.js';
import type { RequestedGap, RequestedOutput } from './requested-output.js';

const titleTold = 60;

/** What only the user could have given is never a small thing to go on without. */
export const severityOf = ({
  category,
  severity,
  resolves,
}: Pick<RequestedGap, 'category' | 'severity' | 'resolves'>): Gap['severity'] =>
  category === 'user_only_dependency' && resolves === undefined ? 'critical' : (severity ?? 'warning');

/** Collects the gaps of one event and gives each its id, in order. */
export class GapList {
  readonly gaps: Gap[] = [];
  constructor(
    private readonly draw: IdsFromSeed,
    requested?: RequestedOutput,
  ) {
    for (const { severity, assumption, resolves, category, reason, detail } of requested?.gaps ?? []) {
      this.add({
        category,
        reason,
        detail,
        severity: severityOf({ category, severity, resolves }),
        ...(assumption !== undefined && { assumption }),
        ...(resolves !== undefined && { resolves }),
      });
    }
  }

  add(gap: Omit<Gap, 'id'>): void {
    this.gaps.push({ id: this.draw.gapId(this.gaps.length), ...gap });
  }

  addCritical(category: Gap['category'], reason: string, detail: string): void {
    this.add({ category, reason, detail, severity: 'critical' });
  }
}

/** That nobody set a key, told once as long as that stands open. */
const forgotten = ({ key }: Unset): string => `nobody set ${key}: `;
const reasonForgotten = 'missing_context_key';

export function toldOnce(way: Way, open: () => readonly Pick<Gap, 'reason' | 'detail'>[]): Way {
  if (way.unset.length === 0) return way;
  const told = open().filter(({ reason }) => reason === reasonForgotten);
  return { ...way, unset: way.unset.filter((one) => !told.some(({ detail }) => detail.startsWith(forgotten(one)))) };
}

function stepsSkipped({ titles, count }: Unset): string {
  const more = count > titles.length ? ` and ${count - titles.length} more` : '';
  const steps = titles.map((title) => `“${firstWords(title, titleTold)}”`).join(', ');
  return `${steps}${more} ${count === 1 ? 'was' : 'were'} skipped`;
}

/** What an event records of the way to the next step, and the warnings and gaps that follow from it. */
export function recordWay(
  way: Way,
  gaps: GapList,
  warnings: Warning[],
): Pick<EventData<'step_acked'>, 'next' | 'entered' | 'skipped'> {
  if (way.skippedMore > 0)
    warnings.push({ code: 'STEP_SKIPPED', message: `${way.skippedMore} more steps were skipped than are listed here` });
  for (const { path, message } of way.limited) {
    warnings.push({ code: 'LOOP_LIMIT', message, path });
    gaps.add({ category: 'limit', reason: 'loop_limit', detail: message, severity: 'warning' });
  }
  for (const { path, message: lacks, key } of way.unknown) {
    const detail = `${path}: ${lacks}`;
    const message = `a condition could not be told and was taken as not met: ${detail}`;
    warnings.push({ code: 'GAP_RECORDED', message, path });
    gaps.addCritical('contract_violation', key === undefined ? 'condition_unknown' : reasonForgotten, detail);
  }
  for (const one of way.unset) {
    const detail = `${forgotten(one)}${stepsSkipped(one)} and might have run with it`;
    warnings.push({ code: 'GAP_RECORDED', message: detail });
    gaps.addCritical('contract_violation', reasonForgotten, detail);
  }
  // Where it goes on, who handed the value in is warned and can still mend it.
  for (const one of way.next === undefined ? way.missed : []) {
    const detail = `${tellUnknownValue(one)}: ${stepsSkipped(one)} and might have run with one of them`;
    warnings.push({ code: 'GAP_RECORDED', message: detail });
    gaps.addCritical('contract_violation', 'unknown_value', detail);
  }
  return {
    ...(way.next !== undefined && { next: { ...way.next, frames: [...way.next.frames] } }),
    ...(way.entered.length > 0 && { entered: way.entered.map(({ loop, items }) => ({ loop, items: [...items] })) }),
    ...(way.skipped.length > 0 && { skipped: [...way.skipped] }),
  };
}

/** Whose word it is that a gap is settled is told with it; a line that settles none says no more than it did. */
export const settler = (who: Who | undefined, gaps: readonly Gap[] | undefined): { readonly who?: Who } =>
  who !== undefined && gaps?.some(({ resolves }) => resolves !== undefined) === true ? { who } : {};

export function secretWarning(output: RequestedOutput | undefined, context?: JsonObject): Warning | undefined {
  const told = output?.gaps?.map(({ reason, detail, assumption }) => [reason, detail, assumption ?? '']) ?? [];
  const name = secretsInValue([output?.notesMarkdown ?? '', output?.artifacts ?? [], told, context ?? {}], '')[0]?.name;
  if (name === undefined) return undefined;
  return {
    code: 'LOOKS_LIKE_A_SECRET',
    message: `what was recorded looks as if it held ${name}; the log is meant to be shared: if it is real, revoke it`,
  };
}
