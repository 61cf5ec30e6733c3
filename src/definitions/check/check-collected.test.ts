import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../base/json-value.js';
import { compileSource } from '../compile-source.js';

const loop = (
  more: JsonObject,
  steps: readonly JsonObject[],
  besides: readonly JsonObject[] = [],
): readonly string[] => {
  const source = {
    workflow: 'team.x',
    description: 'D',
    steps: [{ id: 'rounds', ...('until' in more || 'if' in more ? {} : { repeat: 2 }), ...more, steps }, ...besides],
  };
  const { violations, warnings } = { violations: [], warnings: [], ...compileSource(JSON.stringify(source), 'x.json') };
  return [...violations, ...warnings].map(({ pointer, message }) => `${pointer} ${message}`);
};
const look = { id: 'look', prompt: 'Look.', sets: { risk: { type: 'string' } } };

describe('what a loop collects', () => {
  test('is read in later rounds, by later steps and by the test of the loop', () => {
    const reading = { id: 'report', if: 'size(context.risks) > 0', prompt: 'All: ${{ context.risks }}.' };
    expect(loop({ collect: { risks: 'context.risk' } }, [look, { ...reading, id: 'again' }], [reading])).toEqual([]);
    const until = { until: 'size(context.risks) > 1', max: 9, collect: { risks: 'context.risk' } };
    expect(loop(until, [look])).toEqual([]);
  });

  test('is written by the loop alone', () => {
    expect(loop({ collect: { risk: 'context.risk' } }, [look])).toEqual([
      '/steps/0/collect/risk the loop collects `risk`, and step `look` sets it as well; give one of them another name',
    ]);
    const inner = { id: 'inner', repeat: 2, collect: { all: 'iteration' }, steps: [look] };
    expect(loop({ collect: { all: 'iteration' } }, [inner])).toHaveLength(2);
    expect(loop({ collect: { all: 'iteration' } }, [look], [{ ...inner, steps: [{ ...look, id: 'two' }] }])).toEqual(
      [],
    );
  });

  test('belongs to a loop, and reads what a loop can', () => {
    expect(loop({ if: 'true', collect: { all: 'iteration' } }, [look])[0]).toContain('`collect` belongs to a loop');
    expect(loop({ collect: { all: 'item.name' } }, [look])[0]).toContain('`item` is not a known name');
    expect(loop({ collect: { all: '${{ context.risk }}' } }, [look])[0]).toContain('write it without `${{ }}`');
  });
});
