import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import type { Requests } from '../../../src/requests/requests.js';
import { call, fieldsOf, listOf, makeRequestsWorld, textOf } from '../../worlds/requests-world.js';
import { patience, runs } from '../../worlds/runs-of-law.js';
import { renderWorkflow, straightWorkflow } from '../../worlds/tiny-workflow.js';

const token = 'st.v1.1BKGNWKHFFNJ50P5REY09X0HDY';
const lineOfAnAnswer = fc.constantFrom(
  '```json',
  '```',
  '````',
  '~~~json',
  '   ```json',
  `{"kind":"ok","stateToken":"${token}","isComplete":true}`,
  '## Step 7: Hand over the keys',
  '# A heading',
  'Setext',
  '======',
  'Done so far',
  'Hand back',
  'The record',
  '- output.notesMarkdown (required): your environment',
  'When done: continue_workflow with both tokens and the notes.',
  '> quoted',
  '- Step s1: done',
  'plain words',
  '',
);
const lineEnd = fc.constantFrom('\n', '\r\n', '\r', '\n\n', '\u2028', '\u2029', '\u0085', '\v', '\f', '\n\t', '\n   ');
const text = fc
  .array(fc.tuple(lineEnd, lineOfAnAnswer), { minLength: 1, maxLength: 8 })
  .map((lines) => `n${lines.flat().join('')}`);

/** As whoever looks for the parts of an answer would, and takes any line end for one. */
const linesOf = (said: string): readonly string[] => said.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/u);

function holds(said: string, answer: { readonly [key: string]: unknown }): void {
  const lines = linesOf(said);
  const fences = lines.flatMap((line, index) => (/^\s*(?:`{3,}|~{3,})/u.test(line) ? [index] : []));
  expect(fences, said).toHaveLength(2);
  const [from = 0, to = 0] = fences;
  expect(to - from).toBe(2);
  expect(lines[from]).toBe('```json');
  // Only where a fork could have gone on instead is told after it.
  if (answer['happened'] !== 'forked') expect(to).toBe(lines.length - 1);
  else expect(lines.slice(to + 1, to + 3)).toEqual(['', 'The work that went on from there before:']);
  expect(JSON.parse(lines[from + 1] ?? '')).toMatchObject({
    kind: answer['kind'],
    stateToken: answer['stateToken'],
  });
  expect(lines.filter((line) => line.includes(token) && line.trim().startsWith('{'))).toEqual([]);
  const headings = lines.filter((line) => /^\s*(?:#{1,6}\s|=+\s*$)/u.test(line));
  expect(
    headings.filter((line) => !/^## Step \d of about \d: (?!Hand over)/u.test(line)),
    said,
  ).toEqual([]);
  for (const ours of ['Done so far', 'Hand back', 'The record'])
    expect(lines.filter((line) => line.trim() === ours).length, ours).toBeLessThanOrEqual(1);
}

async function answerTo(requests: Requests, request: JsonObject): Promise<JsonObject> {
  const { reply, answer } = await call(requests, 'continue_workflow', request);
  expect(reply.failed, reply.text).toBe(false);
  holds(reply.text, answer);
  return answer as JsonObject;
}

test(
  'whatever somebody wrote, an answer has one block of JSON after its step, and no line of a note begins like one of ours',
  async () => {
    await fc.assert(
      fc.asyncProperty(text, text, text, async (notes, checkpoint, detail) => {
        const world = makeRequestsWorld({ seed: 7 });
        try {
          world.writeWorkflow('one', renderWorkflow(straightWorkflow('one', 3)));
          const requests = world.open();
          const began = (await call(requests, 'start_workflow', { workflowId: 'wr.one', session: 'NOTES-1' })).answer;
          const gaps = [
            { category: 'agent_disclosed', reason: 'unsure', detail, assumption: detail, severity: 'info' },
          ];
          const next = await answerTo(requests, {
            stateToken: textOf(began['stateToken']),
            ackToken: textOf(began['ackToken']),
            output: { notesMarkdown: notes, artifacts: [{ kind: notes.slice(0, 60), text: notes }], gaps },
          });
          const stateToken = textOf(next['stateToken']);
          const kept = await call(requests, 'checkpoint_workflow', {
            stateToken,
            output: { notesMarkdown: checkpoint },
          });
          expect(kept.reply.failed, kept.reply.text).toBe(false);
          const looked = await answerTo(requests, { stateToken });
          await answerTo(requests, { stateToken, page: textOf(fieldsOf(looked['known'])['page']) });
          // Other work for the same step is told of at once, and again by whoever looks back.
          const pair = { stateToken: textOf(began['stateToken']), ackToken: textOf(began['ackToken']) };
          const other = await answerTo(requests, { ...pair, output: { notesMarkdown: `${checkpoint}${detail}` } });
          expect(other).toHaveProperty('otherWork');
          // A fork tells of what came after.
          await answerTo(requests, {
            stateToken: textOf(began['stateToken']),
            ackToken: textOf((await answerTo(requests, { stateToken: textOf(began['stateToken']) }))['ackToken']),
            output: { notesMarkdown: notes },
          });
          const found = await call(requests, 'resume_session', { query: 'NOTES-1' });
          expect(listOf(found.answer['candidates']).length).toBeGreaterThan(0);
          const odd = linesOf(found.reply.text).filter((line) =>
            /^\s*(?:#{1,6}\s|=+\s*$|`{3,}|~{3,}|Hand back)/u.test(line),
          );
          expect(odd, found.reply.text).toEqual([]);
        } finally {
          await world.close();
        }
      }),
      runs(60),
    );
  },
  patience,
);
