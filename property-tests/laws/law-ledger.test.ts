import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limits } from '../../src/base/limits.js';
import { decideAck } from '../../src/decide/decide-ack.js';
import { idsFromSeed } from '../../src/decide/ids-from-seed.js';
import { compileSource } from '../../src/definitions/compile-source.js';
import { tellLedgers } from '../../src/respond/tell-ledgers.js';
import { tellStep } from '../../src/respond/tell-step.js';
import type { CompiledWorkflow } from '../../src/definitions/compiled/compiled-workflow.js';
import type { FoldedSession, RunNode } from '../../src/sessions/folded-session.js';
import { beginRun, key } from '../worlds/decided-run.js';
import { runs } from '../worlds/runs-of-law.js';

interface Item {
  readonly name: string;
  readonly skip: boolean;
  readonly notes: string;
}

const item = fc.record({
  name: fc.constantFrom('bl', 'tar', 'end-of-stream'),
  skip: fc.boolean(),
  notes: fc.lorem({ maxCount: 30 }),
});
const items = fc.oneof(
  fc.array(item, { minLength: 1, maxLength: 5 }),
  fc.array(item, { minLength: 1, maxLength: 150, size: 'max' }),
);

/** Which rounds a line speaks of. */
function roundsIn(line: string): readonly number[] {
  const [, from = '', to = from] = /^(\d+)(?:\.| to (\d+))/u.exec(line) ?? [];
  return Array.from({ length: Number(to) - Number(from) + 1 }, (_, at) => Number(from) + at);
}

/** How many rounds are done; each is told with the author's line. */
function saysLines(lines: readonly string[], list: readonly Item[]): number {
  const done = lines.filter((line) => line.includes('(done)'));
  for (const line of done) {
    const [number = 0] = roundsIn(line);
    expect(line).toContain(`: left by ${number}: ${list[number - 1]!.notes.slice(0, 20)}`.trim());
  }
  return done.length;
}

function audit(list: readonly Item[], isLined: boolean): ReturnType<typeof compileSource> {
  return compileSource(
    JSON.stringify({
      workflow: 'team.ledger',
      steps: [
        {
          id: 'audit',
          title: 'Audit them',
          foreach: JSON.stringify(list.map(({ name, skip }) => ({ name, skip }))),
          as: 'one',
          ...(isLined && { line: 'left by ${{ iteration }}: ${{ outputs.look.notes }}' }),
          steps: [{ id: 'look', if: '!one.skip', prompt: 'Look.' }],
        },
        { id: 'report', if: 'ledger.audit.done > 0', prompt: '${{ ledger.audit.lines.join("\\n") }}' },
      ],
    }),
    'x.json',
  );
}

function play(
  workflow: CompiledWorkflow,
  list: readonly Item[],
  steps: number,
): { readonly session: FoldedSession; readonly node: RunNode } {
  const { session, record, root } = beginRun(workflow, 'guided');
  let node = session.nodes.get(root)!;
  for (let number = 0; number < steps && node.pending?.id === 'look'; number += 1) {
    const { notes } = list[node.pending.frames[0]!.iteration - 1]!;
    const decided = decideAck(session, node, {
      workflow,
      attempt: idsFromSeed(`attempt ${number}`).attemptId(),
      output: { notesMarkdown: notes },
      context: undefined,
      confirmed: false,
      preferences: undefined,
      key,
      engine: 'test',
      draw: idsFromSeed(`step ${number}`),
    });
    if (decided.kind !== 'advanced') throw new Error(decided.kind);
    for (const draft of decided.events) record(draft);
    node = session.nodes.get(decided.child)!;
  }
  return { session, node };
}

test('law: the ledger of a loop names every round once, with its state, within its bytes', () => {
  const seen = { done: 0, skipped: 0, now: 0, 'to come': 0, reported: 0, lined: 0 };
  fc.assert(
    fc.property(items, fc.nat(200), fc.boolean(), (list: readonly Item[], steps, isLined) => {
      const compiled = audit(list, isLined);
      // An expression may only be so long.
      if (!compiled.ok) return;
      const { workflow } = compiled;
      const { session, node } = play(workflow, list, steps);
      const [ledger, ...others] = tellLedgers(session, workflow, node);
      expect(others).toEqual([]);
      const here = node.pending?.frames[0]?.iteration;
      if (ledger === undefined) {
        expect(here === undefined && list.every(({ skip }) => skip)).toBe(true);
        return;
      }
      // After the last of them the ledger reads the same in a prompt, and a condition has counted its rounds.
      if (node.pending?.id === 'report') {
        expect(tellStep(session, workflow, node).pending.prompt).toBe(ledger.lines.join('\n'));
        seen.reported += 1;
      }
      if (isLined && list.length < 6) seen.lined += saysLines(ledger.lines, list);
      expect(ledger.lines.flatMap(roundsIn)).toEqual(list.map((_, at) => at + 1));
      expect(Buffer.byteLength(ledger.lines.join('\n'))).toBeLessThanOrEqual(limits.ledger);
      for (const line of ledger.lines)
        for (const number of roundsIn(line)) {
          const isPast = here === undefined || number < here;
          const state = number === here ? 'now' : !isPast ? 'to come' : list[number - 1]!.skip ? 'skipped' : 'done';
          const last = list.findLastIndex(({ skip }) => !skip) + 1;
          // After the last step of all nobody knows of the rounds that had none.
          const told = here === undefined && number > last ? 'not done' : state;
          expect(line).toContain(`(${told})`);
          if (told !== 'not done') seen[told] += 1;
        }
    }),
    runs(100),
  );
  expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([]);
});
