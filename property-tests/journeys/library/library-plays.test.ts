import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json-value.js';
import type { Requests } from '../../../src/requests/requests.js';
import { call, fieldsOf, listOf, makeRequestsWorld, type RequestsWorld, textOf } from '../../worlds/requests-world.js';
import { type Play, type Played, playWorkflow, requestFor } from '../../worlds/workflow-play.js';

/** Days on which things go otherwise than hoped, played with the bundled workflows: which steps come, and what they are told. */
let world: RequestsWorld;
let requests: Requests;
beforeAll(() => {
  world = makeRequestsWorld({ seed: 7, bundled: fileURLToPath(new URL('../../../workflows', import.meta.url)) });
  requests = world.open();
});
afterAll(() => world.close());

const play = (day: Play): Promise<Played> => playWorkflow(requests, day);

describe('a bug', () => {
  const inputs = { symptom: 'The nightly export has no header, sometimes.' };
  const suspect = (claim: string): JsonObject => ({ claim });

  it('that cannot be reproduced asks the reporter, and ends without a cause where every suspect was innocent', async () => {
    const { paths, texts, last, refused } = await play({
      id: 'wr.bug_investigation',
      inputs,
      day: {
        frame: () => ({ context: { complexity: 'Large' } }),
        reproduce: () => ({ context: { reproduction: 'never' } }),
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
      'long/map_the_system',
      'long/suspects',
      'long/hunt@1/test_one',
      'long/hunt@2/test_one',
      'long/explain',
      'hand_over',
    ]);
    expect(refused).toEqual([expect.stringMatching(/^long\/ask_for_surroundings: Blocked at step 3/u)]);
    expect(texts.get('long/hunt@2/test_one')).toContain('The suspects so far:\n- claim: two');
    expect(texts.get('long/explain')).toContain('Not explained:\n- No header');
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
      'long/suspects',
      'long/hunt@1/test_one',
      'long/hunt@2/test_one',
      'long/explain',
      'mend/propose',
      'mend/fix',
      'hand_over',
    ]);
    expect(texts.get('long/hunt@2/test_one')).toContain('Not explained yet:\n- No rows');
    expect(texts.get('long/explain')).toContain('Shown:\n- No header: a.ts:1\n- No rows: b.ts:2');
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
    expect(paths.slice(10)).toEqual(['repair', 'inform', 'explain', 'check/list', 'check/check', 'actions']);
    // The timeline is written from what was noted at the time, however many rounds ago.
    expect(texts.get('explain')).toMatch(/- 14:01 acted\n(?:- .*\n)*- 14:02 acted\n(?:- .*\n)*- 14:03 acted/u);
    expect(texts.get('recover@1/stabilise@2/act')).toContain('It is lasting.');
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
});

describe('an audit', () => {
  it('asks for a place to rehearse in, wants a weak side followed up, and ends with what is still open', async () => {
    const weak = {
      kind: 'wr.assessment',
      assessmentId: 'readiness',
      dimensions: { failure: 'weak', told: 'strong', data: 'strong', change: 'strong' },
    };
    const { paths, texts, refused } = await play({
      id: 'wr.production_readiness',
      inputs: { subject: 'the export service' },
      day: {
        stakes: () => ({ context: { stakes: 'high' } }),
        rehearse: () => ({ without: ['rehearsalPlace'] }),
        judge: () => ({ artifacts: [weak] }),
        list_gaps: () => ({ context: { blockers: ['No backup was restored.', 'Nobody is woken.'] } }),
        close_one: () => ({ context: { blockers: ['Nobody is woken.'] } }),
      },
    });
    expect(paths.slice(0, 6)).toEqual(['stakes', 'look', 'rehearse', 'judge', 'list_gaps', 'close@1/close_one']);
    expect(paths.filter((path) => path.startsWith('close@'))).toHaveLength(6);
    expect(refused).toEqual([
      expect.stringMatching(/^rehearse: Blocked/u),
      expect.stringMatching(/^judge: STEP_INCOMPLETE/u),
    ]);
    expect(texts.get('rehearse')).not.toContain('is not set');
    expect(texts.get('close@2/close_one')).toContain('Open:\n- Nobody is woken.');
    expect(texts.get('verdict')).toContain('(open now: 1)');
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
      'long/baseline',
      'long/design/candidates',
      'long/design/choose',
      'long/design/let_choose',
      'long/plan',
      'long/build@1/implement',
      'long/build@2/implement',
      'long/attack/load_bearing',
      'long/attack/attack',
      'long/attack/survivors',
      'long/review',
      'long/mend@1/mend_findings',
      'long/mend@2/mend_findings',
      'long/whole_check',
      'hand_over',
    ]);
    // The agent recommends; what the user chooses is handed back by the step that asks them.
    expect(texts.get('long/design/choose')).toContain('the next step then asks the user');
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
    expect((await small('Medium')).paths.slice(1, 4)).toEqual(['do', 'long/baseline', 'long/plan']);
  });
});

describe('what was found', () => {
  it('stands where it is corrected, and what holds does not', async () => {
    const checked = {
      kind: 'wr.claims.checked',
      claims: [
        { claim: 'It is fast.', result: 'unsupported', seen: 'Nothing measures it.' },
        { claim: 'It is blue.', result: 'holds', seen: 'a.css:1' },
      ],
    };
    const { texts } = await play({
      id: 'wr.research',
      inputs: { question: 'Is it fast?' },
      day: {
        question: () => ({ context: { questions: [{ text: 'one' }, { text: 'two' }] } }),
        'check-check': () => ({ context: { failedClaims: 1 }, artifacts: [checked] }),
      },
    });
    expect(texts.get('check/correct')).toContain('- It is fast. (unsupported: Nothing measures it.)');
    expect(texts.get('check/correct')).not.toContain('It is blue.');
    expect(texts.get('answer')).toMatch(/before they were doubted:\n- Does it sync .*\n- Does it sync/u);
  });
});

describe('a review', () => {
  const found = (file: string, title: string, more: JsonObject = {}): JsonObject => ({
    kind: 'mr_review.findings',
    findings: [
      { severity: 'Major', location: { file, line: 7 }, title, rationale: 'It is reached with none.', ...more },
    ],
  });

  it('of a small change takes three steps and asks nobody', async () => {
    const { paths, texts, last } = await play({
      id: 'wr.review_change',
      inputs: { change: 'branch x' },
      day: {
        read: () => ({ context: { complexity: 'Small' }, artifacts: [found('a.ts', 'A suspicion')] }),
        run: () => ({ artifacts: [found('a.ts', 'A suspicion', { evidence: 'Run with none: it throws.' })] }),
      },
    });
    expect(paths).toEqual(['read', 'run', 'report']);
    expect(texts.get('run')).toContain('So far in review.findings (1)\n> 1. Major · a.ts · 7 · A suspicion');
    // What was tried takes the place of what was suspected.
    expect(texts.get('report')).toContain('So far in review.findings (1)\n');
    expect(texts.get('report')).not.toContain('- confirmed');
    expect(last['status']).toBe('complete');
  });

  it('lists the findings of all areas where it speaks of them, and asks before anything is posted', async () => {
    const { paths, texts } = await play({
      id: 'wr.review_change',
      inputs: { change: 'branch x', post: true },
      day: {
        read: () => ({ context: { complexity: 'Medium' }, artifacts: [found('0.ts', 'Seen on the way')] }),
        run: () => ({ artifacts: [found('0.ts', 'Seen on the way', { preExisting: true })] }),
        divide: () => ({ context: { areas: [{ name: 'a' }, { name: 'b' }] } }),
        read_area: (time) => ({ artifacts: [found(`${time}.ts`, `Finding ${time}`)] }),
      },
    });
    expect(paths).toEqual([
      'read',
      'run',
      'deep/divide',
      'deep/areas@1/read_area',
      'deep/areas@2/read_area',
      'deep/challenge',
      'report',
      'post/comments',
      'post/posted',
    ]);
    const challenge = texts.get('deep/challenge') ?? '';
    expect(challenge).toContain('So far in review.findings (3)\n> 1. ');
    for (const said of ['1.ts', 'Finding 1', '2.ts', 'Finding 2', 'Seen on the way · preExisting'])
      expect(challenge).toContain(said);
    expect(challenge).toMatch(/^All of it: continue_workflow \{.*"page":"document\.0\.review\.findings"\}$/mu);
    expect(texts.get('deep/areas@2/read_area')).not.toContain('So far in');
    expect(texts.get('report')).not.toContain('- confirmed');
    expect(texts.get('post/comments')).toContain('confirmed (required)');
    expect(texts.get('post/posted')).toContain('Posted:');
  });
});

describe('every bundled workflow', () => {
  it('never shows an agent a hole without a value, whatever way it goes', async () => {
    const { workflows } = (await call(requests, 'list_workflows', {})).answer;
    for (const { id } of listOf(workflows)) {
      for (const choice of [0, 1, 2]) {
        const first = await call(requests, 'start_workflow', { workflowId: textOf(id), fresh: true });
        const names = Object.keys(fieldsOf(fieldsOf(fieldsOf(first.answer['nextCall'])['arguments'])['context']));
        let at = first.reply.failed
          ? await call(requests, 'start_workflow', {
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
            requests,
            'continue_workflow',
            requestFor(at, { context: Object.fromEntries(chosen) as JsonObject }),
          );
          expect(at.reply.failed, at.reply.text).toBe(false);
        }
      }
    }
  }, 120_000);
});
