import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json-value.js';
import type { Mode } from '../../../src/base/preferences.js';
import type { Requests } from '../../../src/requests/requests.js';
import {
  call,
  type Called,
  type Fields,
  fieldsOf,
  listOf,
  makeRequestsWorld,
  type RequestsWorld,
  textOf,
} from '../../worlds/requests-world.js';

/** Days on which things go otherwise than hoped, played with the bundled workflows: which steps come, and what they are told. */
let world: RequestsWorld;
let requests: Requests;
beforeAll(() => {
  world = makeRequestsWorld({ seed: 7, bundled: fileURLToPath(new URL('../../../workflows', import.meta.url)) });
  requests = world.open();
});
afterAll(() => world.close());

interface HandedBack {
  readonly context?: JsonObject;
  readonly artifacts?: readonly JsonObject[];
  /** Not handed back, though it is asked for. */
  readonly without?: readonly string[];
}
interface Play {
  readonly id: string;
  readonly inputs: JsonObject;
  readonly mode?: Mode;
  /** What is handed back for a step, by its id and how often it has come; the rest is as the step's own example. */
  readonly day: { readonly [step: string]: (time: number) => HandedBack };
}

interface Played {
  readonly paths: readonly string[];
  /** The text of each answer, by the path of the step that waits in it. */
  readonly texts: ReadonlyMap<string, string>;
  readonly last: Fields;
  readonly refused: readonly string[];
}

async function play({ id, inputs, mode = 'auto_stop', day }: Play): Promise<Played> {
  const [paths, texts, refused, times] = [
    [] as string[],
    new Map<string, string>(),
    [] as string[],
    new Map<string, number>(),
  ];
  let at = await call(requests, 'start_workflow', { workflowId: id, context: inputs, mode, fresh: true });
  while (at.answer['isComplete'] === false) {
    expect(paths.length).toBeLessThan(60);
    const pending = fieldsOf(at.answer['pending']);
    const [step, path] = [textOf(pending['stepId']), textOf(pending['path'])];
    paths.push(path);
    texts.set(path, at.reply.text);
    times.set(step, (times.get(step) ?? 0) + 1);
    const given = day[step]?.(times.get(step)!) ?? {};
    const whole = requestFor(at, {});
    let next = await call(requests, 'continue_workflow', requestFor(at, given));
    if (next.answer['kind'] === 'blocked' || next.reply.failed) {
      refused.push(`${path}: ${next.reply.text.split('\n')[0]}`);
      next = await call(requests, 'continue_workflow', {
        ...whole,
        context: { ...fieldsOf(whole['context']), ...given.context } as JsonObject,
      });
    }
    expect(next.reply.failed, next.reply.text).toBe(false);
    at = next;
  }
  return { paths, texts, last: at.answer, refused };
}

function requestFor({ answer }: Called, { context = {}, artifacts = [], without = [] }: HandedBack): JsonObject {
  const expects = fieldsOf(fieldsOf(answer['pending'])['expects']);
  const asked = Object.fromEntries(
    [
      ...listOf(expects['context']).map(({ key, example }): [string, JsonValue] => [textOf(key), example ?? null]),
      ...listOf(expects['needs']).map(({ key }): [string, JsonValue] => [textOf(key), 'as the user gave it']),
      ...Object.entries(context),
    ].filter(([key]) => !without.includes(String(key))),
  );
  const own = new Set(artifacts.map(({ kind }) => kind));
  return {
    stateToken: answer['stateToken']!,
    ackToken: answer['ackToken']!,
    context: asked as JsonObject,
    output: {
      notesMarkdown: fieldsOf(expects['notes'])['example'] ?? '',
      artifacts: [
        ...artifacts,
        ...listOf(expects['artifacts'])
          .map(({ example }) => fieldsOf(example) as JsonObject)
          .filter(({ kind }) => !own.has(kind)),
      ],
    },
    ...(fieldsOf(expects['confirmation'])['required'] === true && { confirmed: true }),
  };
}

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
        propose: () => ({ context: { decision: 'make' } }),
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

  const smallBug = (change: string, complexity = 'Small'): Play['day'] => ({
    frame: () => ({ context: { complexity: 'Small' } }),
    find: () => ({ context: { complexity, change } }),
    reproduce: () => ({ context: { reproduction: 'always' } }),
    suspects: () => ({ context: { suspects: [], unexplained: [] } }),
    explain: () => ({ context: { change: 'none' } }),
    propose: () => ({ context: { decision: 'none' } }),
  });
  it.each([
    ['that is small and to be mended takes three steps', smallBug('make'), ['frame', 'find', 'mend/fix']],
    ['that the user does not want mended here ends with its cause', smallBug('ask'), ['frame', 'find', 'mend/propose']],
    ['of which a proposal is wanted ends with it', smallBug('none'), ['frame', 'find']],
    [
      'that turns out larger goes the long way',
      smallBug('none', 'Medium'),
      ['frame', 'find', 'long/reproduce', 'long/suspects', 'long/explain', 'hand_over'],
    ],
    ['that is none is answered', { frame: () => ({ context: { complexity: 'None' } }) }, ['frame', 'no_bug']],
  ])('%s', async (_name, day, way) => {
    const { paths, last, refused } = await play({ id: 'wr.bug_investigation', inputs, day });
    expect(paths).toEqual(way);
    expect(refused).toEqual([]);
    expect(last['status']).toBe('complete');
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
        act: (time) => ({ context: { mitigated: time > 1 } }),
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
    expect(paths).toEqual(['assess', 'what_changed', 'recover@1/verify_recovery', 'explain', 'actions']);
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
      'baseline',
      'design/candidates',
      'design/choose',
      'design/let_choose',
      'plan',
      'build@1/implement',
      'build@2/implement',
      'attack/load_bearing',
      'attack/attack',
      'attack/survivors',
      'review',
      'mend@1/mend_findings',
      'mend@2/mend_findings',
      'whole_check',
      'hand_over',
    ]);
    // The agent recommends; what the user chooses is handed back by the step that asks them.
    expect(texts.get('design/choose')).toContain('the next step then asks the user');
    expect(texts.get('design/let_choose')).toContain('output.artifacts: wr.differentiation_handoff (required)');
    expect(texts.get('plan')).toContain('confirmed (required)');
    expect(texts.get('build@2/implement')).toContain('## Step 8 of about 15: Slice: Worker');
    expect(texts.get('mend@2/mend_findings')).toContain('Open:\n- b.ts:2 hangs');
  });

  it('that is small asks for no agreement and takes six steps', async () => {
    const { paths, texts } = await play({
      id: 'wr.coding_task',
      inputs: { task: 'A typo' },
      day: {
        understand: () => ({ context: { complexity: 'Small' } }),
        review: () => ({ context: { openFindings: [] } }),
      },
    });
    expect(paths).toEqual(['understand', 'baseline', 'plan', 'build@1/implement', 'review', 'hand_over']);
    expect(texts.get('plan')).not.toContain('confirmed (required)');
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
    for (const said of ['1.ts', 'Finding 1', '2.ts', 'Finding 2', 'Major']) expect(challenge).toContain(said);
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
