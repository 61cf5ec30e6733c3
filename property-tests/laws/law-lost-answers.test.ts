import { expect, test } from 'vitest';
import type { Requests } from '../../src/requests/requests.js';
import { makeRunnerWorld, type RunnerWorld } from '../worlds/runner-world.js';
import type { Called } from '../worlds/requests-world.js';
import { patience } from '../worlds/runs-of-law.js';

const post = `  - id: file
    run: tracker issues/create
    body: { title: Once }
  - id: say
    prompt: Tell.
`;
const put = post.replace('issues/create', 'issues/replace\n    with: { id: 7 }').replace('Once', 'Again');

/** A run whose one write is agreed to, up to where nothing more is WorkRail's. */
async function sent(at: RunnerWorld, requests: Requests, session: string): Promise<Called> {
  const asked = await at.start(requests, { session });
  expect(asked.answer).toMatchObject({ blockers: [{ code: 'CONFIRMATION_REQUIRED' }] });
  return at.goOn(requests, asked, { confirmed: true });
}

/** Of how many bytes the request is, and its answer. */
async function lengths(at: RunnerWorld, requests: Requests): Promise<{ request: number; answer: number }> {
  let answer = 0;
  at.server.script(async (request, count) => {
    const scripted = await at.api.script(request, count);
    answer = scripted.bytes.length;
    return scripted;
  });
  await sent(at, requests, 'COUNT-1');
  const { method, path, headers, body } = at.server.seen.at(-1)!;
  const head = [`${method} ${path} HTTP/1.1`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  return { request: `${head.join('\r\n')}\r\n\r\n${body}`.length, answer };
}

const kindsOf = (at: RunnerWorld, session: string): readonly string[] =>
  at.world
    .lines()
    .filter((line) => line.session === session)
    .map(({ kind }) => kind);

const many = Number(process.env['LAWS_RUNS'] ?? '1');
/** Every byte in a long run; else the first and last of each part and some between. */
const cuts = (length: number): readonly number[] =>
  Array.from({ length: length + 1 }, (_, at) => at).filter(
    (at) => many > 1 || at < 3 || at > length - 4 || at % Math.ceil(length / 8) === 0,
  );

test(
  'a POST that breaks off at any byte of the request or of the answer is asked about, and sent once',
  async () => {
    const at = await makeRunnerWorld({ seed: 1 });
    try {
      at.workflow(post);
      const requests = at.world.open();
      const { request, answer } = await lengths(at, requests);
      let tried = 0;
      for (const [part, length] of [
        ['request', request],
        ['answer', answer],
      ] as const)
        for (const bytes of cuts(length)) {
          // A whole request is answered, and a whole answer is one.
          if (part === 'answer' && bytes === length) continue;
          // Where nothing of it left, there is nothing to ask.
          if (part === 'request' && bytes === 0) continue;
          tried += 1;
          const session = `${part.toUpperCase()}-${bytes}`;
          const before = at.server.connections();
          if (part === 'request') at.server.breakAt(bytes);
          else
            at.server.script(async (seen, count) => ({
              ...(await at.api.script(seen, count)),
              cut: bytes,
              then: 'reset',
            }));
          const lost = await sent(at, requests, session);
          expect(lost.answer, session).toMatchObject({ blockers: [{ code: 'COMMAND_OUTCOME_UNKNOWN' }] });
          expect(at.server.connections() - before, session).toBe(1);
          expect(kindsOf(at, session).filter((kind) => kind === 'command_sent')).toHaveLength(1);
          at.server.breakAt(undefined);
          at.server.script(at.api.script);
          const seen = at.server.seen.length;
          const done = await at.goOn(requests, lost, { context: { outcome: 'done' } });
          expect(done.answer, session).toMatchObject({ kind: 'ok', pending: { stepId: 'say' } });
          expect(at.server.seen).toHaveLength(seen);
        }
      expect(tried).toBeGreaterThan(20);
    } finally {
      await at.close();
    }
  },
  patience,
);

test(
  'a PUT that breaks off at any byte is sent again with the same bytes, each time as a try of its own',
  async () => {
    const at = await makeRunnerWorld({ seed: 1, tick: 1000 });
    try {
      at.workflow(put);
      const requests = at.world.open();
      const { request, answer } = await lengths(at, requests);
      for (const [part, length] of [
        ['request', request],
        ['answer', answer],
      ] as const)
        for (const bytes of cuts(length - 1).filter((one) => part === 'answer' || one > 0)) {
          const session = `${part.toUpperCase()}-${bytes}`;
          const first = at.server.seen.length;
          if (part === 'request') {
            at.server.breakAt(bytes, 'reset', 1);
            const done = await sent(at, requests, session);
            expect(done.answer, session).toMatchObject({ kind: 'ok', pending: { stepId: 'say' } });
          } else {
            let count = 0;
            at.server.script(async (seen, number) => {
              const scripted = await at.api.script(seen, number);
              count += 1;
              return count === 1 ? { ...scripted, cut: bytes, then: 'reset' } : scripted;
            });
            const done = await sent(at, requests, session);
            expect(done.answer, session).toMatchObject({ kind: 'ok', pending: { stepId: 'say' } });
            const [one, other, ...more] = at.server.seen.slice(first);
            expect(more).toEqual([]);
            expect({ ...one, connection: 0 }).toEqual({ ...other, connection: 0 });
          }
          expect(
            at.world
              .lines()
              .filter((line) => line.session === session && line.kind === 'command_sent')
              .map(({ data }) => (data as { try: number }).try),
            session,
          ).toEqual([1, 2]);
        }
    } finally {
      await at.close();
    }
  },
  patience,
);
