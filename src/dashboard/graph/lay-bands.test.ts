import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectTimeInStep } from '../../../property-tests/worlds/time-in-step.js';
import type { GraphNode, RunGraph } from '../../contract/http-api.js';
import { branchesOf } from './branch-numbers.js';
import { groupsAround } from './group-words.js';
import { layBands } from './lay-bands.js';
import { layTracks } from './lay-tracks.js';
import { listLines } from './list-lines.js';
import { mapNodes } from './map-nodes.js';

type Grouped = Pick<RunGraph, 'nodes' | 'tips' | 'run' | 'steps' | 'groups' | 'ahead' | 'aheadBeside'>;

/** Groups inside of groups, a step in each and one in none. */
const tree = fc.array(fc.option(fc.nat(), { nil: undefined }), { maxLength: 8 }).map((outer) =>
  outer.map((pick, index): RunGraph['groups'][number] => ({
    title: `Group ${index}`,
    ...(pick !== undefined && index > 0 && { in: pick % index }),
  })),
);

/** A run that grew, each node at some step, with some more to come below some of its tips. */
const grown: fc.Arbitrary<Grouped> = fc
  .record({
    groups: tree,
    made: fc.array(fc.record({ back: fc.nat(6), far: fc.boolean(), step: fc.nat() }), { minLength: 1, maxLength: 60 }),
    coming: fc.array(fc.nat(), { maxLength: 5 }),
    more: fc.nat(3),
    beside: fc.nat(3),
  })
  .map(({ groups, made, coming, more, beside }) => {
    const steps = [undefined, ...groups.keys()].map((inside) => ({
      stepId: `s${inside ?? ''}`,
      path: `s${inside ?? ''}`,
      title: 'Step',
      ...(inside !== undefined && { in: inside }),
    }));
    const nodes = made.map(({ back, far, step }, index): GraphNode => {
      const up = index === 0 ? {} : { up: far ? Math.max(0, index - 1 - back) : index - 1 };
      return { id: `n${index}`, ...up, step: step % steps.length, seq: index, at: index };
    });
    const parents = new Set(nodes.map(({ up }) => up));
    const tips = nodes.flatMap(({ id }, index) => (parents.has(index) ? [] : [id])).toReversed();
    const ahead = {
      steps: coming.map((pick): NonNullable<RunGraph['ahead']>['steps'][number] => {
        const inside = steps[pick % steps.length]?.in;
        return { stepId: 'c', title: 'Coming', ...(inside !== undefined && { in: inside }) };
      }),
      more,
    };
    const aheadBeside = tips.slice(1, 1 + beside).map((tip) => ({ tip, ...ahead }));
    return { nodes, tips, run: { preferredTip: tips[0] } as RunGraph['run'], steps, groups, ahead, aheadBeside };
  });

const laid = (graph: Grouped): ReturnType<typeof layTracks> => {
  const { nodes, tips } = mapNodes(graph);
  return layTracks(nodes, tips);
};

describe('bands', () => {
  it('cover each step once for each group around it, and nothing else', () => {
    fc.assert(
      fc.property(grown, (graph) => {
        const layout = laid(graph);
        const bands = layBands(graph, layout);
        for (const [index, node] of layout.nodes.entries()) {
          const [row, lane] = [layout.row[index]!, layout.lane[index]!];
          const here = bands.filter((band) => band.lane === lane && band.from <= row && row <= band.to);
          expect(here.map(({ group }) => group)).toEqual(groupsAround(graph, node).slice(0, 3));
          expect(here.map(({ level }) => level)).toEqual(here.map((_, level) => level));
        }
      }),
    );
  });

  it('never reach into another track', () => {
    fc.assert(
      fc.property(grown, (graph) => {
        const layout = laid(graph);
        for (const { lane, from, to, parts } of layBands(graph, layout)) {
          expect([parts[0]?.from, parts.at(-1)?.to]).toEqual([from, to]);
          for (const [index, part] of parts.entries()) {
            if (index > 0) expect(part.from).toBe(parts[index - 1]!.to + 1);
            for (let row = part.from; row <= part.to; row += 1) {
              const besides = layout.inRow[row]!.map((node) => layout.lane[node]!).filter((other) => other > lane);
              expect(part.right).toBe(Math.min(Infinity, ...besides));
            }
          }
        }
      }),
    );
  });

  it('are laid in step with how many nodes there are', async () => {
    await expectTimeInStep((length) => {
      const groups = Array.from({ length }, (_, index) => ({ title: 'Round', round: index + 1 }));
      const graph = {
        nodes: Array.from({ length }, (_, index): GraphNode => ({
          id: `n${index}`,
          ...(index > 0 && { up: index % 25 === 0 ? Math.floor(index / 2) : index - 1 }),
          step: index,
          seq: index,
          at: index,
        })),
        tips: [],
        run: { preferredTip: '' } as RunGraph['run'],
        steps: groups.map((_, index) => ({ stepId: 's', path: 's', title: 'Step', in: index })),
        groups,
      };
      expect(layBands(graph, laid(graph)).length).toBe(length);
    }, 5000);
  });
});

describe('a run as a list', () => {
  it('has each step once, under the headings of its groups, and what is to come after its tip', () => {
    fc.assert(
      fc.property(grown, (graph) => {
        const layout = laid(graph);
        const lines = listLines(graph, layout);
        const steps = lines.filter((line) => line.kind === 'step');
        expect(steps.map(({ node }) => node).toSorted((a, b) => a - b)).toEqual([...layout.nodes.keys()]);
        expect(steps.map(({ place }) => place)).toEqual(steps.map((_, index) => index + 1));
        let under: number[] = [];
        let branch = 0;
        for (const line of lines) {
          if (line.first) under = [];
          if (line.kind === 'group') under = [...under.slice(0, line.level), line.group];
          else {
            expect(under.slice(0, line.level)).toEqual(groupsAround(graph, layout.nodes[line.node]!));
            const number = branchesOf(graph).get(layout.nodes[line.node]!.id) ?? branch;
            expect(number).toBeGreaterThanOrEqual(branch);
            branch = number;
          }
        }
        for (const { tip, steps: told, more } of [
          { tip: graph.run.preferredTip, ...graph.ahead! },
          ...graph.aheadBeside!,
        ]) {
          const coming = steps.filter(({ node }) => layout.nodes[node]!.ahead?.tip === tip);
          expect(coming.length).toBe(told.length + Number(more > 0));
          const at = layout.indexOf.get(tip)!;
          for (const [index, { node }] of coming.entries()) {
            expect(layout.nodes[node]!.up).toBe(index === 0 ? at : coming[index - 1]!.node);
            // Straight on from its tip, on the map and in the list.
            expect(layout.lane[node]).toBe(layout.lane[at]);
          }
        }
      }),
    );
  });
});
