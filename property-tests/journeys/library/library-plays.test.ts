import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json-value.js';
import { bundledPlays } from '../../worlds/bundled-plays.js';
import { call, fieldsOf, listOf, textOf } from '../../worlds/requests-world.js';
import { type Played, requestFor } from '../../worlds/workflow-play.js';

/** Days on which things go otherwise than hoped, played with the bundled workflows: which steps come, and what they are told. */
const { requests, play } = bundledPlays();

describe('a bug', () => {
  const inputs = { symptom: 'The nightly export has no header, sometimes.' };
  const suspect = (claim: string): JsonObject => ({ claim });

  it('that cannot be reproduced asks the reporter, and ends without a cause where every suspect was innocent', async () => {
    const { paths, texts, last, refused } = await play({
      id: 'wr.bug_investigation',
      inputs,
      day: {
        frame: () => ({ context: { complexity: 'Large' } }),
        reproduce: () => ({ context: { reproduction: 'never', complexity: 'Large' } }),
        ask_for_surroundings: () => ({ without: ['surroundings'] }),
        suspects: () => ({ context: { suspects: [suspect('one'), suspect('two')], unexplained: ['No header'] } }),
        test_one: (time) => ({
          context: { suspects: time === 1 ? [suspect('two')] : [], unexplained: ['No header'] },
          without: ['shown'],
        }),
        explain: () => ({ context: { change: 'none' } }),
      },
    });
    expect(paths).toEqual([
      'frame',
      'long/reproduce',
      'long/ask_for_surroundings',
      'long/search/map_the_system',
      'long/search/suspects',
      'long/search/hunt@1/test_one',
      'long/search/hunt@2/test_one',
      'long/search/explain',
      'hand_over',
    ]);
    expect(refused).toEqual([expect.stringMatching(/^long\/ask_for_surroundings: Blocked at step 3/u)]);
    // What was handed back just now is not told again.
    expect(texts.get('long/search/hunt@2/test_one')).toContain('suspects that are open (1).');
    expect(texts.get('long/search/hunt@2/test_one')).not.toContain('claim: two');
    expect(texts.get('long/search/explain')).toContain('Not explained:\n- No header');
    expect(last['status']).toBe('complete');
  });

  it('with two symptoms is hunted until both are explained, and its causes are listed', async () => {
    const { paths, texts } = await play({
      id: 'wr.bug_investigation',
      inputs,
      day: {
        frame: () => ({ context: { complexity: 'Medium' } }),
        reproduce: () => ({ context: { reproduction: 'always' } }),
        suspects: () => ({
          context: { suspects: [suspect('one'), suspect('two')], unexplained: ['No header', 'No rows'] },
          without: ['shown'],
        }),
        test_one: (time) => ({
          context: {
            suspects: [suspect('two')],
            unexplained: time === 1 ? ['No rows'] : [],
            shown: [time === 1 ? 'No header: a.ts:1' : 'No rows: b.ts:2'],
          },
        }),
        explain: () => ({ context: { change: 'ask' } }),
        propose: () => ({ context: { change: 'make' } }),
      },
    });
    expect(paths).toEqual([
      'frame',
      'long/reproduce',
      'long/search/suspects',
      'long/search/hunt@1/test_one',
      'long/search/hunt@2/test_one',
      'long/search/explain',
      'mend/propose',
      'mend/fix',
      'hand_over',
    ]);
    expect(texts.get('long/search/hunt@2/test_one')).toContain('Not explained yet:\n- No rows');
    expect(texts.get('long/search/explain')).toContain('Shown:\n- No header: a.ts:1\n- No rows: b.ts:2');
    // Agreement comes before the change, and what was verified after it.
    expect(texts.get('mend/propose')).toContain('Only the user can give it (needs_user_choice)');
    expect(texts.get('mend/propose')).not.toContain('Verified:');
    expect(texts.get('mend/fix')).toContain('Verified:');
    expect(texts.get('mend/fix')).not.toContain('- confirmed');
  });
});

describe('an incident', () => {
  const inputs = { report: 'Checkout answers 500.' };

  it('that comes back after it seemed over is taken up again', async () => {
    const { paths, texts, last } = await play({
      id: 'wr.incident',
      inputs,
      mode: 'guided',
      day: {
        assess: () => ({ context: { severity: 'SEV1', mitigated: false } }),
        choose: (time) => ({
          context: { nextAction: `Action ${time}.`, actionRisk: time === 2 ? 'lasting' : 'undoable' },
        }),
        act: (time) => ({ context: { mitigated: time > 1, moments: [`14:0${time} acted`] } }),
        verify_recovery: (time) => ({ context: { mitigated: time > 1, dataDamaged: time > 1 } }),
      },
    });
    expect(paths.slice(2, 10)).toEqual([
      'recover@1/stabilise@1/choose',
      'recover@1/stabilise@1/act',
      'recover@1/stabilise@2/choose',
      'recover@1/stabilise@2/act',
      'recover@1/verify_recovery',
      'recover@2/stabilise@1/choose',
      'recover@2/stabilise@1/act',
      'recover@2/verify_recovery',
    ]);
    expect(paths.slice(10)).toEqual(['repair', 'inform', 'explain', 'check/check', 'check/correct', 'actions']);
    // The timeline is written from what was noted at the time, however many rounds ago.
    expect(texts.get('explain')).toMatch(/- 14:01 acted\n(?:- .*\n)*- 14:02 acted\n(?:- .*\n)*- 14:03 acted/u);
    expect(texts.get('recover@1/stabilise@2/act')).toContain('The action (lasting): Action 2.');
    expect(texts.get('recover@1/stabilise@2/act')).toContain('confirmed (required)');
    expect(texts.get('recover@1/stabilise@1/act')).not.toContain('confirmed (required)');
    expect(last['status']).toBe('complete');
  });

  it('that is a nuisance and over already is short', async () => {
    const { paths } = await play({
      id: 'wr.incident',
      inputs,
      day: { assess: () => ({ context: { severity: 'SEV3', mitigated: true } }) },
    });
    expect(paths).toEqual(['assess', 'what_changed', 'recover@1/verify_recovery', 'close']);
  });

  it('that is over is written up, whatever its severity, with the times that were noted', async () => {
    const over = { severity: 'SEV3', mitigated: true, writeUp: true, moments: ['14:02 began', '14:40 mended'] };
    const { paths, texts } = await play({ id: 'wr.incident', inputs, day: { assess: () => ({ context: over }) } });
    expect(paths).toEqual([
      'assess',
      'what_changed',
      'recover@1/verify_recovery',
      'explain',
      'check/check',
      'check/correct',
      'actions',
    ]);
    expect(texts.get('explain')).toContain('- 14:02 began\n- 14:40 mended');
  });
});

describe('an audit', () => {
  it('asks for a place to rehearse in, and ends its rounds where only others can close what is left', async () => {
    const { paths, texts, refused } = await play({
      id: 'wr.production_readiness',
      inputs: { subject: 'the export service' },
      day: {
        stakes: () => ({ context: { stakes: 'high' } }),
        rehearse: () => ({ without: ['rehearsalPlace'] }),
        judge: () => ({ context: { blockers: ['No backup was restored.', 'No limit.'], openForUser: ['No owner.'] } }),
        close_some: (time) => ({
          context:
            time === 1
              ? { blockers: ['No limit.'], openForUser: ['No owner.'] }
              : { blockers: [], openForUser: ['No owner.', 'No limit.'] },
        }),
      },
    });
    expect(paths).toEqual([
      'stakes',
      'look',
      'rehearse',
      'judge',
      'close@1/close_some',
      'close@2/close_some',
      'verdict',
      'hand_over',
    ]);
    expect(refused).toEqual([expect.stringMatching(/^rehearse: Blocked/u)]);
    expect(texts.get('rehearse')).not.toContain('is not set');
    expect(texts.get('close@2/close_some')).toContain('Open:\n- No limit.\n');
    expect(texts.get('verdict')).toContain('\n- No owner.\n- No limit.\n');
  });
});

describe('a coding task', () => {
  it('that is large compares designs, is attacked, and goes round until nothing is open', async () => {
    const { paths, texts } = await play({
      id: 'wr.coding_task',
      inputs: { task: 'Exports in the background' },
      day: {
        understand: () => ({ context: { complexity: 'Large' } }),
        'design-choose': () => ({ context: { choiceIsTheUsers: true } }),
        plan: () => ({ context: { slices: [{ name: 'Queue' }, { name: 'Worker' }] } }),
        review: () => ({ context: { openFindings: ['a.ts:1 leaks', 'b.ts:2 hangs'] } }),
        mend_findings: (time) => ({ context: { openFindings: time === 1 ? ['b.ts:2 hangs'] : [] } }),
      },
    });
    expect(paths).toEqual([
      'understand',
      'long/design/choose',
      'long/design/let_choose',
      'long/plan',
      'long/build@1/implement',
      'long/build@2/implement',
      'long/attack/attack',
      'long/review',
      'long/mend@1/mend_findings',
      'long/mend@2/mend_findings',
      'long/whole_check',
      'hand_over',
    ]);
    // The agent recommends; what the user chooses is handed back by the step that asks them.
    expect(texts.get('long/design/choose')).toContain('Then the next step asks the user');
    expect(texts.get('long/design/let_choose')).toContain('output.artifacts: wr.differentiation_handoff (required)');
    expect(texts.get('long/plan')).toContain('confirmed (required)');
    expect(texts.get('long/build@2/implement')).toContain(': Slice: Worker');
    expect(texts.get('long/review')).toContain('\n- Exporting an empty list gives a file with the header alone.\n- ');
    expect(texts.get('long/mend@2/mend_findings')).toContain('Open:\n- b.ts:2 hangs');
  });

  it('that is small asks for no agreement and takes three steps, or goes the long way after all', async () => {
    const small = (turnedOut: string): Promise<Played> =>
      play({
        id: 'wr.coding_task',
        inputs: { task: 'A typo' },
        day: {
          understand: () => ({ context: { complexity: 'Small' } }),
          do: () => ({ context: { complexity: turnedOut } }),
          review: () => ({ context: { openFindings: [] } }),
        },
      });
    const { paths, texts } = await small('Small');
    expect(paths).toEqual(['understand', 'do', 'hand_over']);
    for (const text of texts.values()) expect(text).not.toContain('confirmed (required)');
    expect((await small('Medium')).paths.slice(1, 4)).toEqual(['do', 'long/plan', 'long/build@1/implement']);
  });
});

describe('every bundled workflow', () => {
  it('never shows an agent a hole without a value, whatever way it goes', async () => {
    const { workflows } = (await call(requests(), 'list_workflows', {})).answer;
    for (const { id } of listOf(workflows)) {
      for (const choice of [0, 1, 2]) {
        const first = await call(requests(), 'start_workflow', { workflowId: textOf(id), fresh: true });
        const names = Object.keys(fieldsOf(fieldsOf(fieldsOf(first.answer['nextCall'])['arguments'])['context']));
        let at = first.reply.failed
          ? await call(requests(), 'start_workflow', {
              workflowId: textOf(id),
              fresh: true,
              context: Object.fromEntries(names.map((name) => [name, `the ${name}`])),
            })
          : first;
        while (at.answer['isComplete'] === false) {
          expect(
            listOf(at.answer['warnings']).filter(({ code }) => code === 'TEMPLATE_PROBLEM'),
            at.reply.text,
          ).toEqual([]);
          const chosen = listOf(fieldsOf(fieldsOf(at.answer['pending'])['expects'])['context']).flatMap(
            ({ key, values }) =>
              Array.isArray(values) ? [[textOf(key), (values as readonly JsonValue[])[choice % values.length]!]] : [],
          );
          at = await call(
            requests(),
            'continue_workflow',
            requestFor(at, { context: Object.fromEntries(chosen) as JsonObject }),
          );
          expect(at.reply.failed, at.reply.text).toBe(false);
        }
      }
    }
  }, 120_000);
});
