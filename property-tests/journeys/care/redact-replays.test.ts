import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import type { Requests } from '../../../src/requests/requests.js';
import { call, makeRequestsWorld, textOf } from '../../worlds/requests-world.js';
import { patience, runs } from '../../worlds/runs-of-law.js';
import { renderWorkflow, straightWorkflow } from '../../worlds/tiny-workflow.js';

/** As long as what takes its place, so that budgets cut answers at the same byte. */
const secret = 'Qx9-\u00fcW7z#';
const wayOf = (text: string): string => text.replaceAll(secret, '[redacted]');

interface Recorded {
  readonly request: JsonObject;
  readonly answer: string;
}

async function answerOf(
  requests: Requests,
  request: JsonObject,
): Promise<{ readonly told: string; readonly answer: JsonObject }> {
  const { reply, answer } = await call(requests, 'continue_workflow', request);
  return { told: `${reply.text}\n${JSON.stringify(answer)}`, answer: answer as JsonObject };
}

/** A run with branches: now and then a step is done anew, and its answer speaks of what was there before. */
async function work(
  requests: Requests,
  moves: readonly { readonly leak: boolean; readonly back: number }[],
): Promise<readonly Recorded[]> {
  const recorded: Recorded[] = [];
  const started = await call(requests, 'start_workflow', {
    workflowId: 'wr.one',
    session: 'LEAK-1',
    mode: 'auto_never_stop',
    context: { goal: 'done' },
  });
  let here = { stateToken: textOf(started.answer['stateToken']), ackToken: textOf(started.answer['ackToken']) };
  for (const [index, { leak, back }] of moves.entries()) {
    const old = recorded[back]?.request['stateToken'];
    if (here.ackToken === '' || old !== undefined) {
      const stateToken = textOf(old ?? recorded[0]?.request['stateToken']);
      const { answer } = await answerOf(requests, { stateToken });
      here = { stateToken, ackToken: textOf(answer['ackToken']) };
    }
    const request = {
      ...here,
      context: { [`k${index}`]: leak ? secret : 'v' },
      output: {
        notesMarkdown: `Done ${index}${leak ? ` with ${secret}` : ''}.`,
        artifacts: leak ? [{ kind: 'x', [secret]: [secret] }] : [],
      },
    };
    const { told, answer } = await answerOf(requests, request);
    recorded.push({ request, answer: told });
    here = { stateToken: textOf(answer['stateToken']), ackToken: textOf(answer['ackToken']) };
  }
  return recorded;
}

const holds = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(secret))
    .map((entry) => join(entry.parentPath, entry.name));

test(
  'after a redaction every token still leads where it led, and every ack is answered as it was, but for the text',
  async () => {
    expect(Buffer.byteLength(secret)).toBe('[redacted]'.length);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.array(fc.record({ leak: fc.boolean(), back: fc.nat(12) }), { minLength: 1, maxLength: 8 }),
        async (seed, moves) => {
          const world = makeRequestsWorld({ seed });
          try {
            world.writeWorkflow('one', renderWorkflow(straightWorkflow('one', 3)));
            const server = world.open();
            const recorded = await work(server, moves);
            const leaked = moves.some(({ leak }) => leak);
            expect(holds(world.data).length > 0).toBe(leaked);
            const done = await world
              .open()
              .people.redactSession({ session: 'LEAK-1', what: secret, secrets: false, dryRun: false });
            expect(done.ok).toBe(leaked);
            if (done.ok) expect(done.value.stillIn).toEqual([]);
            expect(holds(world.data)).toEqual([]);
            for (const requests of [server, world.open()]) {
              for (const { request, answer } of recorded)
                expect((await answerOf(requests, request)).told).toBe(wayOf(answer));
              expect(
                (await answerOf(requests, { stateToken: recorded.at(-1)!.request['stateToken']! })).told,
              ).not.toContain(secret);
            }
            // Nothing was recorded by asking again, and the session goes on.
            expect(
              (await world.open().people.doctor({ sessions: ['LEAK-1'], repair: false, acceptLoss: false })).ok,
            ).toBe(true);
            await server.close();
            expect(holds(world.data)).toEqual([]);
          } finally {
            await world.close();
          }
        },
      ),
      runs(30),
    );
  },
  patience,
);
