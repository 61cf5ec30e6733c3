import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import type { Mode } from '../../../src/base/preferences.js';
import { sentenceText } from '../../../src/base/sentence.js';
import { type AckDecision, decideAck } from '../../../src/decide/decide-ack.js';
import { idsFromSeed } from '../../../src/decide/ids-from-seed.js';
import { compileSource } from '../../../src/definitions/compile-source.js';
import type { CompiledWorkflow } from '../../../src/definitions/compiled/compiled-workflow.js';
import { tellStep } from '../../../src/respond/tell-step.js';
import type { RunNode } from '../../../src/sessions/folded-session.js';
import { openGapsAt } from '../../../src/sessions/gaps.js';
import type { Requests } from '../../../src/requests/requests.js';
import { beginRun, key } from '../../worlds/decided-run.js';
import {
  call,
  type Called,
  fieldsOf,
  listOf,
  makeRequestsWorld,
  pairOf,
  type RequestsWorld,
  textOf,
} from '../../worlds/requests-world.js';

function compiled(...steps: readonly JsonObject[]): CompiledWorkflow {
  const source = { id: 'p.x', name: 'X', description: 'D', version: '1.0.0', steps };
  const result = compileSource(JSON.stringify(source), 'x.json');
  if (!result.ok) throw new Error(JSON.stringify(result.violations));
  return result.workflow;
}

const step = (id: string, prompt: string, more: JsonObject = {}): JsonObject => ({ id, title: id, prompt, ...more });
const when = (name: string, equals: string): JsonObject => ({ runCondition: { var: name, equals } });

/** Hands back one context after the other, with notes and perhaps an artifact, for as long as the run goes on. */
function play(
  workflow: CompiledWorkflow,
  mode: Mode,
  contexts: readonly JsonObject[],
  { artifact, start }: { readonly artifact?: JsonObject; readonly start?: JsonObject } = {},
) {
  const { session, record, root } = beginRun(workflow, mode, start);
  let node: RunNode = session.nodes.get(root)!;
  let last: AckDecision | undefined;
  for (const [at, context] of contexts.entries()) {
    last = decideAck(session, node, {
      workflow,
      attempt: idsFromSeed(`attempt ${at}`).attemptId(),
      output: { notesMarkdown: 'Done.', ...(artifact !== undefined && { artifacts: [artifact] }) },
      context,
      confirmed: false,
      preferences: undefined,
      key,
      engine: 'test',
      draw: idsFromSeed(`step ${at}`),
    });
    if (last.kind !== 'advanced') break;
    for (const draft of last.events) record(draft);
    node = session.nodes.get(last.child)!;
  }
  const { skipped = [], warnings = [] } = node.madeBy.data;
  return {
    last,
    pending: node.pending?.id,
    skipped: skipped.map(({ reason }) => reason),
    warnings: warnings.map(({ message }) => message),
    gaps: openGapsAt(session, node).map(({ severity, reason, detail }) => `${severity} ${reason}: ${detail}`),
    critical: 'openGaps' in node.madeBy.data ? node.madeBy.data.openGaps?.critical : undefined,
  };
}

describe('a key that was forgotten', () => {
  const named = compiled(
    step('triage', 'Set `size`.'),
    step('small', 'S', when('size', 'Small')),
    step('large', 'L', when('size', 'Large')),
  );
  const unnamed = compiled(
    step('triage', 'Choose a way.'),
    step('small', 'S', when('size', 'Small')),
    step('large', 'L', when('size', 'Large')),
  );
  const skips = [
    'nobody set size; this does not hold: size is Small',
    'nobody set size; this does not hold: size is Large',
  ];
  const gap = 'critical missing_context_key: nobody set size: “small”, “large” were skipped and might have run with it';

  it('is asked for before the run goes on without the steps that it decides on', () => {
    const { last } = play(named, 'guided', [{}]);
    expect(last).toMatchObject({
      kind: 'incomplete',
      mend: [{ code: 'MISSING_CONTEXT_KEY', pointer: '/context/size' }],
    });
  });

  it('is a gap where nobody is to be stopped, and the skips say so', () => {
    const { pending, skipped, gaps, critical } = play(named, 'auto_never_stop', [{}]);
    expect(pending).toBeUndefined();
    expect(skipped).toEqual(skips);
    expect(gaps).toEqual(['critical missing_context_key: triage: context.size is not set (/context/size)', gap]);
    expect(critical).toBe(2);
  });

  it('is not said to be unset where it stands from before, be it from the start, another step or another round', () => {
    const still = 'context.size is known, and this step sets it anew: it is still "Small" (/context/size)';
    const set = play(named, 'auto_never_stop', [{}], { start: { size: 'Small' } });
    expect(set).toMatchObject({ pending: 'small', gaps: [`warning missing_context_key: triage: ${still}`] });
    expect(set.warnings).toEqual([
      'went on although context.size is known, and this step sets it anew: it is still "Small"',
    ]);

    const twice = compiled(
      step('triage', 'Set `size`.'),
      step('again', 'Set `size`.'),
      step('s', 'S', when('size', 'Small')),
    );
    const { gaps, pending } = play(twice, 'auto_never_stop', [{ size: 'Small' }, {}]);
    expect({ gaps, pending }).toEqual({ gaps: [], pending: 's' });

    const rounds = compiled({
      ...step('loop', ''),
      type: 'loop',
      loop: { type: 'until', condition: { var: 'size', equals: 'Large' }, maxIterations: 3 },
      body: [step('triage', 'Set `size`.')],
    });
    // In a loop what stands is what another round judged.
    expect(play(rounds, 'auto_never_stop', [{ size: 'Small' }, {}]).gaps).toEqual([
      `critical missing_context_key: loop@2/triage: ${still}`,
    ]);
    const taken = play(named, 'auto_never_stop', [{ size: null }], { start: { size: 'Small' } });
    expect(taken.gaps[0]).toBe('critical missing_context_key: triage: context.size is not set (/context/size)');
  });

  it('is still asked for in a mode that asks, with what stands', () => {
    const { last } = play(named, 'guided', [{}], { start: { size: 'Small' } });
    const mend = last?.kind === 'incomplete' ? last.mend : [];
    expect(mend.map(({ message }) => sentenceText(message))).toEqual([
      'context.size is known, and this step sets it anew: it is still "Small"',
    ]);
  });

  it('is a gap where no text names it', () => {
    const { pending, skipped, gaps, warnings, critical } = play(unnamed, 'guided', [{}]);
    expect({ pending, skipped, gaps }).toEqual({ pending: undefined, skipped: skips, gaps: [gap] });
    expect(warnings).toEqual([gap.replace(/^.*?: /u, '')]);
    expect(critical).toBe(1);
  });

  it('is no gap where another key settles it, or where the condition asks whether it is set', () => {
    const workflow = compiled(
      step('triage', 'Choose a way.'),
      step('both', 'B', {
        runCondition: {
          and: [
            { var: 'size', equals: 'Large' },
            { var: 'risk', equals: 'High' },
          ],
        },
      }),
      step('set', 'S', { runCondition: { not: { var: 'risk', equals: null } } }),
    );
    const { skipped, gaps } = play(workflow, 'guided', [{ size: 'Small' }]);
    expect(skipped).toEqual([
      'this does not hold: size is Large and risk is High (size was "Small")',
      'this does not hold: risk is set',
    ]);
    expect(gaps).toEqual([]);
  });

  it('is told once, however often it is asked for', () => {
    const workflow = compiled(
      step('triage', 'Choose a way.'),
      step('small', 'S', when('size', 'Small')),
      step('work', 'W'),
      step('large', 'L', when('size', 'Large')),
    );
    const { pending, gaps, skipped } = play(workflow, 'guided', [{}, {}]);
    expect(pending).toBeUndefined();
    expect(skipped).toEqual([skips[1]]);
    expect(gaps).toEqual([
      'critical missing_context_key: nobody set size: “small” was skipped and might have run with it',
    ]);
  });

  it('is told of a loop that does not begin for want of it', () => {
    const workflow = compiled(step('triage', 'Choose a way.'), {
      ...step('loop', ''),
      type: 'loop',
      loop: { type: 'while', condition: { var: 'left', gt: 0 }, maxIterations: 3 },
      body: [step('one', 'O')],
    });
    const { gaps } = play(workflow, 'guided', [{}]);
    expect(gaps).toEqual([
      'critical missing_context_key: nobody set left: “loop” was skipped and might have run with it',
    ]);
  });
});

describe('an approval that hangs on a verdict', () => {
  const condition = { not: { var: 'recommendation', equals: 'clean' } };
  const handOver = step(
    'hand-over',
    'Hand over the final recommendation, with "verdict": "clean" | "minor" | "blocking".',
    {
      outputContract: { contractRef: 'wr.contracts.review_verdict', required: false },
      requireConfirmation: { kind: 'human_approval', condition },
    },
  );
  const workflow = compiled(step('look', 'Look.'), step('judge', 'Set `recommendation`.'), handOver);
  const verdict = (word: string): JsonObject => ({ kind: 'wr.review_verdict', verdict: word, summary: 'S' });
  const judged = (word: string): readonly JsonObject[] => [{}, { recommendation: word }, {}];

  it('is asked for where the artifact says what the key does not', () => {
    expect(play(workflow, 'guided', judged('clean'), { artifact: verdict('blocking') }).last?.kind).toBe('blocked');
    expect(play(workflow, 'guided', judged('blocking'), { artifact: verdict('clean') }).last?.kind).toBe('blocked');
    expect(play(workflow, 'guided', judged('clean'), { artifact: verdict('clean') }).last?.kind).toBe('advanced');
    expect(play(workflow, 'guided', judged('clean')).last?.kind).toBe('advanced');
    expect(play(workflow, 'auto_never_stop', judged('clean'), { artifact: verdict('minor') }).gaps).toEqual([
      expect.stringContaining('the user has not confirmed'),
    ]);
  });

  it('stops whoever hands back what is shown and nothing else', () => {
    for (const all of [true, false]) {
      const { session, record, root } = beginRun(workflow, 'guided');
      let node: RunNode = session.nodes.get(root)!;
      const shown: string[] = [];
      for (let at = 0; node.pending !== undefined; at += 1) {
        const { expects, requireConfirmation } = tellStep(session, workflow, node).pending;
        const keys = expects.context.filter(({ required }) => all || required);
        shown.push(`${node.pending.id} ${keys.map((one) => one.key).join()} ${requireConfirmation}`);
        const decided = decideAck(session, node, {
          workflow,
          attempt: idsFromSeed(`attempt ${at}`).attemptId(),
          output: { notesMarkdown: 'Done.', artifacts: expects.artifacts.map(({ example }) => example) },
          context: Object.fromEntries(keys.map((one) => [one.key, one.example])),
          confirmed: false,
          preferences: undefined,
          key,
          engine: 'test',
          draw: idsFromSeed(`step ${at}`),
        });
        if (decided.kind === 'blocked') break;
        if (decided.kind !== 'advanced') throw new Error(decided.kind);
        for (const draft of decided.events) record(draft);
        node = session.nodes.get(decided.child)!;
      }
      expect(node.pending?.id).toBe('hand-over');
      expect(shown).toEqual([
        'look  false',
        `judge ${all ? 'recommendation' : ''} false`,
        `hand-over ${all ? 'recommendation' : ''} true`,
      ]);
    }
  });
});

describe('a step whose condition comes true after it was skipped', () => {
  const file = (...steps: readonly JsonObject[]): string =>
    JSON.stringify({ id: 'p.ways', name: 'Ways', description: 'D', version: '1.0.0', steps });
  let world: RequestsWorld;
  let requests: Requests;
  beforeAll(() => {
    world = makeRequestsWorld({ seed: 3, store: 'memory' });
    requests = world.open();
  });
  afterAll(() => world.close());

  const steps = [
    step('choose', 'Set `way`.'),
    step('wide', 'W', when('way', 'full')),
    step('adjust', 'Confirm or adjust `way`.'),
    step('last', 'L'),
  ];
  const done = (here: Called, context: JsonObject): Promise<Called> =>
    call(requests, 'continue_workflow', {
      ...pairOf(here.answer),
      output: { notesMarkdown: 'Done.' },
      context,
    });
  const told = (here: Called): readonly string[] =>
    listOf(here.answer['warnings']).flatMap(({ code, message }) =>
      code === 'SKIPPED_BEFORE' ? [textOf(message)] : [],
    );

  it('stays skipped, and the answer says what holds now and how to have it done', async () => {
    writeFileSync(join(world.bundled, 'ways.json'), file(...steps));
    const start = await call(requests, 'start_workflow', { workflowId: 'p.ways' });
    const adjust = await done(start, { way: 'short' });
    expect(fieldsOf(adjust.answer['pending'])['stepId']).toBe('adjust');
    const last = await done(adjust, { way: 'full' });
    expect(fieldsOf(last.answer['pending'])['stepId']).toBe('last');
    const [warning] = told(last);
    expect(warning).toMatch(
      /^“wide” was skipped and stays so here, though this holds now: way is full; to have it done, do “choose” again, with context\.way as now, /u,
    );
    expect(last.reply.text).toContain(warning);
    // The same is told whenever the same is asked.
    expect(told(await done(adjust, { way: 'full' }))).toEqual([warning]);
    const [, stateToken = ''] = /\{"stateToken":"([^"]+)"\}/u.exec(warning!) ?? [];
    const again = await call(requests, 'continue_workflow', { stateToken });
    expect(fieldsOf(again.answer['pending'])['stepId']).toBe('choose');
    const branch = await done(again, { way: 'full' });
    expect(branch.answer).toMatchObject({ happened: 'forked', pending: { stepId: 'wide' } });
    expect(told(branch)).toEqual([]);
  });

  it('is told of once, when it comes true, and not where nothing that it reads was handed back', async () => {
    writeFileSync(join(world.bundled, 'ways.json'), file(...steps.slice(0, 3), step('more', 'M'), step('last', 'L')));
    const start = await call(requests, 'start_workflow', { workflowId: 'p.ways', fresh: true });
    const adjust = await done(start, { way: 'short' });
    const more = await done(adjust, { way: 'shorter' });
    expect(told(more)).toEqual([]);
    const last = await done(more, { way: 'full', size: 3 });
    expect(told(last)).toHaveLength(1);
    expect(told(await done(last, { way: 'full' }))).toEqual([]);
  });

  it('that was skipped at the start is had by starting again', async () => {
    writeFileSync(join(world.bundled, 'ways.json'), file(step('wide', 'W', when('way', 'full')), ...steps.slice(2)));
    const start = await call(requests, 'start_workflow', { workflowId: 'p.ways', fresh: true });
    const last = await done(start, { way: 'full' });
    expect(told(last)).toEqual([
      '“wide” was skipped and stays so here, though this holds now: way is full; to have it done, start the workflow again with context.way',
    ]);
  });
});
