import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import { type Called, wholeAnswer } from '../../worlds/requests-world.js';
import { makeRunnerWorld, type RunnerWorld } from '../../worlds/runner-world.js';
import { answer } from '../../worlds/scripted-server.js';

let at: RunnerWorld;
beforeEach(async () => {
  at = await makeRunnerWorld({ seed: 16 });
});
afterEach(() => at.close());

/** A number, and a text that is too short to be taken out of everything. */
const number = 48_291_3;
const short = 'q7Zx';
const secret: JsonObject = { id: number, title: short, state: 'open' };

const everythingKept = (): string => {
  const files = readdirSync(at.world.folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return files.map((one) => readFileSync(join(one.parentPath, one.name), 'latin1')).join('\n');
};

function isNowhere(...answers: readonly Called[]): void {
  const told = answers.map(wholeAnswer).join('\n') + everythingKept();
  for (const one of [String(number), short]) expect(told).not.toContain(one);
}

const flow = (steps: string): void =>
  at.workflow(`  - id: otp
    run: tracker issues/get
    with: { id: 1 }
    secret: true
${steps}  - id: say
    prompt: Say it.
    notes: optional
`);

describe('a short secret answer', () => {
  beforeEach(() => {
    at.api.issues.set(1, secret);
  });

  it('is sent in path, query and body, and is told by where it is from', async () => {
    flow(`  - id: look
    run: tracker issues/get
    with: { id: "\${{ outputs.otp.body.id }}" }
    on_error: continue
  - id: search
    run: tracker issues/list
    with: { q: "by \${{ outputs.otp.body.title }}" }
  - id: file
    run: tracker issues/create
    body: { title: "it is \${{ outputs['otp'].body.title }}", state: "\${{ outputs.otp.body.id }}" }
  - id: upload
    run: tracker files/upload
    body: { file: "\${{ outputs.otp.body }}" }
`);
    const requests = at.world.open();
    const asked = await at.start(requests);
    expect(asked.answer).toMatchObject({ kind: 'blocked' });
    expect(wholeAnswer(asked)).toContain('outputs.otp.body.id');
    const done = await at.goOn(requests, asked, { confirmed: true });
    expect(done.answer).toMatchObject({ kind: 'ok', pending: { stepId: 'say' } });
    expect(at.server.seen.map(({ method, path, body }) => [method, decodeURIComponent(path), body])).toEqual([
      ['GET', '/issues/1', ''],
      ['GET', `/issues/${number}`, ''],
      ['GET', `/issues?q=by ${short}`, ''],
      ['POST', '/issues', JSON.stringify({ state: number, title: `it is ${short}` })],
      ['POST', '/files', JSON.stringify(secret)],
    ]);
    isNowhere(asked, done, await at.look(requests, done));
  });

  it('is told nowhere when what it is sent with fails, is refused, or is lost', async () => {
    flow(`  - id: none
    run: tracker issues/get
    with: { id: "\${{ outputs.otp.body.id }}" }
    on_error: continue
  - id: bad
    run: tracker issues/list
    with: { page: "\${{ outputs.otp.body.title }}" }
    on_error: continue
  - id: lost
    run: tracker issues/delete
    with: { id: "\${{ outputs.otp.body.id }}" }
    repeatable: false
`);
    at.server.script((request, count) => {
      if (request.method === 'DELETE') return { ...answer(204), cut: 0, then: 'reset' } as never;
      if (request.path.includes(String(number)))
        return answer(
          422,
          { message: `no issue ${number}.`, id: number, at: `/x/${number}?` },
          { location: `/x/${number}` },
        );
      return at.api.script(request, count);
    });
    const requests = at.world.open();
    const asked = await at.start(requests);
    const again = await at.goOn(requests, asked, { confirmed: true });
    const lost = again.answer['kind'] === 'blocked' ? again : asked;
    expect(lost.answer).toMatchObject({ kind: 'blocked', blockers: [{ code: 'COMMAND_OUTCOME_UNKNOWN' }] });
    expect(at.server.seen.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
    isNowhere(asked, again, await at.goOn(requests, lost, { context: { outcome: 'failed' } }));
  });

  it('that has no such part is told without what it has', async () => {
    flow(`  - id: search
    run: tracker issues/list
    with: { q: "\${{ int(outputs.otp.body.title) }}" }
`);
    const failed = await at.start(at.world.open());
    expect(failed.answer).toMatchObject({ kind: 'failed' });
    isNowhere(failed);
  });

  it('is reused where only the secret differs, since a request is known by what is told of it', async () => {
    flow(`  - id: word
    prompt: Say a word.
    notes: optional
  - id: file
    run: tracker issues/create
    body: { title: It, state: "\${{ outputs.otp.body.title }}" }
`);
    const requests = at.world.open();
    const word = await at.start(requests);
    const asked = await at.goOn(requests, word, { output: { notesMarkdown: 'one' } });
    expect((await at.goOn(requests, asked, { confirmed: true })).answer).toMatchObject({ kind: 'ok' });
    const back = await at.look(requests, word);
    const reused = await at.goOn(requests, back, { output: { notesMarkdown: 'two' } });
    expect(reused.answer).toMatchObject({ kind: 'ok', pending: { stepId: 'say' } });
    expect(at.api.writes).toHaveLength(1);
    isNowhere(asked, reused);
  });
});
