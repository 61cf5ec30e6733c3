import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import type { Requests } from '../../../src/requests/requests.js';
import { call, type Called, makeRequestsWorld, pairOf, type RequestsWorld } from '../../worlds/requests-world.js';

/** What an answer tells of what the call itself brought, and of lists that were told already. */
let world: RequestsWorld;
let requests: Requests;

beforeEach(() => {
  world = makeRequestsWorld({ seed: 155, store: 'memory' });
  world.writeWorkflow(
    'look',
    [
      'workflow: team.look',
      'title: Look',
      'description: D',
      'steps:',
      '  - { id: read, title: Read, prompt: p, sets: { suspects: { type: array } }, output: { contract: wr.contracts.findings } }',
      '  - id: try',
      '    title: Try',
      '    prompt: "Try each finding. The suspects: ${{ context.suspects }}. Of them: ${{ size(context.suspects) }}"',
      '    output: { contract: wr.contracts.findings, required: false }',
      '  - { id: weigh, title: Weigh, prompt: Weigh the findings. }',
      '  - { id: tell, title: Tell, prompt: "Tell the findings. Suspects: ${{ context.suspects }}" }',
      '  - { id: close, title: Close, prompt: Close the findings. }',
    ].join('\n'),
  );
  requests = world.open();
});
afterEach(() => world.close());

const finding = (severity: string, line: number, title: string, more: JsonObject = {}): JsonObject => ({
  severity,
  location: { file: 'src/buckets/store.ts', line },
  title,
  rationale: 'It is reached with none.',
  ...more,
});
const handed = (...findings: readonly JsonObject[]): JsonObject => ({
  notesMarkdown: 'Notes.',
  artifacts: [{ kind: 'mr_review.findings', findings }],
});
const send = (at: Called, more: JsonObject = {}): Promise<Called> =>
  call(requests, 'continue_workflow', { ...pairOf(at.answer), output: { notesMarkdown: 'Notes.' }, ...more });
const look = (at: Called): Promise<Called> =>
  call(requests, 'continue_workflow', { stateToken: at.answer['stateToken']! });
const listIn = ({ reply }: Called): readonly string[] =>
  /^So far in .*\n(?:> .*\n)+/mu.exec(reply.text)?.[0].trimEnd().split('\n') ?? [];

const suspects = ['a', 'b', 'c'].map((name) => ({
  claim: `It is ${name}, which was never tried with nothing in it`,
  test: 'Run it.',
}));
const some = [
  finding('Minor', 3, 'A small one that nobody meets'),
  finding('Critical', 41, 'Keys of the prototype are never limited'),
  finding('Nit', 2, 'A name that could be better'),
  finding('Major', 18, 'The rest of a second is lost'),
];

async function begun(findings: readonly JsonObject[] = some): Promise<Called> {
  const first = await call(requests, 'start_workflow', { workflowId: 'team.look', session: 'LOOK-1' });
  return send(first, { output: handed(...findings), context: { suspects } });
}

describe('what was just sent', () => {
  it('is named in the answer to it, and told whole to whoever looks', async () => {
    const second = await begun();
    expect(listIn(second)).toEqual([
      'So far in review.findings (4)',
      '> the 4 that you have just handed back, told whole by a look',
    ]);
    expect(second.reply.text).toContain('The suspects: your 3 `suspects`, as just handed back. Of them: 3');
    const looked = await look(second);
    expect(looked.reply.text).toContain('It is a, which was never tried');
    expect(listIn(looked).slice(0, 3)).toEqual([
      'So far in review.findings (4)',
      '> 1. Critical · src/buckets/store.ts · 41 · Keys of the prototype are never limited',
      '> 2. Major · src/buckets/store.ts · 18 · The rest of a second is lost',
    ]);
    // Later it is told: it may be lost by then.
    const fourth = await send(await send(second));
    expect(fourth.reply.text).toContain('It is a, which was never tried');
  });

  it('is told where it had waited for the user, and where the answer is to other work', async () => {
    const first = await call(requests, 'start_workflow', { workflowId: 'team.look', session: 'LOOK-2' });
    const gap = { category: 'user_only_dependency', reason: 'needs_user_choice', detail: 'Which one?' };
    const waits = await send(first, { output: { ...handed(...some), gaps: [gap] }, context: { suspects } });
    expect(waits.answer['kind']).toBe('blocked');
    const done = await send(first, { confirmed: true });
    expect(listIn(done)).toHaveLength(5);
    const other = await send(first, { output: handed(some[0]!), context: { suspects } });
    expect(other.answer).toHaveProperty('otherWork');
    expect(listIn(other)).toHaveLength(5);
  });

  it('as a list that did not change since the step before told it is not told again, and then once more', async () => {
    const second = await begun();
    const third = await send(second);
    expect(listIn(third)).toHaveLength(5);
    const fourth = await send(third);
    expect(listIn(fourth)).toEqual(['So far in review.findings (4)', '> as listed with the step before']);
    expect(listIn(await send(fourth))).toHaveLength(5);
    expect(listIn(await look(fourth))).toHaveLength(5);
  });
});

it('says the same to a repeated ack, whatever a checkpoint found since', async () => {
  const first = await call(requests, 'start_workflow', { workflowId: 'team.look', session: 'LOOK-3' });
  const ack = { output: handed(...some), context: { suspects } };
  const second = await send(first, ack);
  const output = handed(finding('Critical', 77, 'Found half way through the step that follows'));
  await call(requests, 'checkpoint_workflow', { stateToken: second.answer['stateToken']!, output });
  expect((await send(first, ack)).reply.text).toBe(second.reply.text);
  expect(listIn(await look(second))).toHaveLength(6);
});

describe('a finding', () => {
  it('whose line was corrected is one, those that are closed come last, and what does not fit is counted', async () => {
    const many = Array.from({ length: 24 }, (_, at) =>
      finding('Minor', 100 + at, `One of many that are alike, number ${at}`),
    );
    const second = await begun([...some, ...many]);
    const third = await send(second, {
      output: handed(
        finding('Critical', 43, 'Keys of the prototype are never limited', { evidence: 'Run: 100 of 100.' }),
        finding('Major', 18, 'The rest of a second is lost', { status: 'dismissed' }),
        finding('Minor', 3, 'A small one that nobody meets', { preExisting: true }),
      ),
    });
    const list = listIn(await look(third));
    expect(list.slice(0, 3)).toEqual([
      'So far in review.findings (26 open, 1 there before, 1 dismissed)',
      '> 1. Critical · src/buckets/store.ts · 43 · Keys of the prototype are never limited',
      '> 2. Minor · src/buckets/store.ts · 100 · One of many that are alike, number 0',
    ]);
    expect(list.at(-1)).toBe(`> and ${28 - (list.length - 2)} more`);
    for (const line of list.slice(1, -1)) expect(line).toMatch(/^> \d+\. .* (?:limited|number \d+)$/u);
    // On its pages no row is cut.
    const rows: JsonObject[] = [];
    for (let page: unknown = 'document.0.review.findings'; typeof page === 'string';) {
      const { answer } = await call(requests, 'continue_workflow', { stateToken: third.answer['stateToken']!, page });
      const [told] = answer['documents'] as unknown as readonly { readonly text: string; readonly nextPage?: string }[];
      rows.push(
        ...told!.text
          .trim()
          .split('\n')
          .map((row) => JSON.parse(row.replace(/^- /u, '')) as JsonObject),
      );
      page = told!.nextPage;
    }
    expect(rows).toHaveLength(28);
    expect(rows[0]).toMatchObject({ severity: 'Critical' });
  });

  it('that may be one of several is kept beside them, and the answer names them', async () => {
    const second = await begun([finding('Major', 7, 'Nothing checks it'), finding('Major', 90, 'Nothing checks it')]);
    const third = await send(second, { output: handed(finding('Major', 8, 'Nothing checks it')) });
    expect(third.reply.text).toContain(
      'Warning: review.findings has 3 rows alike: “Nothing checks it” at src/buckets/store.ts:7, “Nothing checks it” at src/buckets/store.ts:90, “Nothing checks it” at src/buckets/store.ts:8; hand back as dismissed',
    );
    const again = await send(second, { output: handed(finding('Major', 8, 'Nothing checks it')) });
    expect(again.reply.text).toBe(third.reply.text);
  });
});
