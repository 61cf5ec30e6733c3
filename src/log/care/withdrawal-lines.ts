import type { EventSum, OriginId, WriterId } from '../../base/ids.js';
import { limits } from '../../base/limits.js';
import type { EventData } from '../../events/event-data.js';
import { encodeLine } from '../../events/line-codec.js';

/** One append that only says which lines were taken out. */
export function withdrawalLines(
  withdrawal: EventData<'lines_withdrawn'>,
  around: {
    readonly seq: number;
    readonly by: WriterId;
    readonly at: string;
    readonly origin: OriginId;
    readonly prev?: EventSum;
  },
): Buffer {
  const { sums, reason, detail } = withdrawal;
  const parts = Math.ceil(sums.length / limits.withdrawnSums);
  let prev: EventSum | '' = around.prev ?? '';
  let text = '';
  for (let part = 0; part < parts; part += 1) {
    const drafted = {
      kind: 'lines_withdrawn',
      data: { sums: sums.slice(part * limits.withdrawnSums, (part + 1) * limits.withdrawnSums), reason, detail },
    } as const;
    const { by, at, origin } = around;
    const { line, event } = encodeLine(drafted, {
      seq: around.seq + part,
      by,
      at,
      prev,
      origin: part === 0 ? origin : undefined,
      more: part < parts - 1 || undefined,
    });
    text += line;
    prev = event.sum;
  }
  return Buffer.from(text, 'utf8');
}
