import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import type { Requests } from '../../../src/requests/requests.js';
import { makeRunnerWorld, type RunnerWorld } from '../../worlds/runner-world.js';
import { answer as scripted } from '../../worlds/scripted-server.js';
import { listOf, textOf } from '../../worlds/requests-world.js';

let at: RunnerWorld;
let requests: Requests;

beforeEach(async () => {
  at = await makeRunnerWorld({ seed: 26, tick: 1 });
  requests = at.world.open();
});
afterEach(() => at.close());

const file = `  - id: file
    run: tracker issues/create
    body: { title: "\${{ inputs.title }}" }
`;
const titled = 'inputs: { title: { type: string, required: true }, count: { type: integer } }\n';

describe('what the user agrees to', () => {
  it('names a body that is too long to be shown by its size and digest, and where all of it can be read', async () => {
    at.workflow(file, titled);
    const digests = new Set<string>();
    for (const end of ['a', 'b']) {
      const title = `${'Long. '.repeat(1000)}${end}`;
      const asked = await at.start(requests, { context: { title }, session: `LONG-${end}` });
      const notes = textOf((asked.answer['draft'] as JsonObject)['notes']);
      const whole = JSON.stringify({ title }, undefined, 2);
      const digest = createHash('sha256').update(whole).digest('hex');
      expect(notes).toContain(`Body: the first 4000 of ${whole.length} bytes, SHA-256 ${digest}.`);
      const [, path = ''] = /All of it is in (\S+) of the data folder/u.exec(notes) ?? [];
      expect(readFileSync(join(at.world.data, path), 'utf8')).toBe(whole);
      digests.add(digest);
    }
    expect(digests.size).toBe(2);
  });

  it('is shown whole where it is short', async () => {
    at.workflow(file, titled);
    const asked = await at.start(requests, { context: { title: 'Short' } });
    expect(textOf((asked.answer['draft'] as JsonObject)['notes'])).not.toContain('SHA-256');
  });

  it('is said to be sent by WorkRail, in a form, with the digest of what the form does not show', async () => {
    at.workflow(file, titled);
    const forms: string[] = [];
    const ask = (title: string) =>
      requests.call(
        'start_workflow',
        { workflowId: 'team.flow', context: { title }, session: title.slice(0, 5) },
        {
          asksAtOnce: true,
          askForm: ({ message }) => {
            forms.push(message);
            return Promise.resolve({ action: 'decline' });
          },
        },
      );
    await ask('Short');
    await ask('Long. '.repeat(500));
    expect(forms[0]).toContain(
      '“Flow” waits for you at “File”. This is what would be sent:\n> Sent next: POST /issues',
    );
    expect(forms[0]).not.toContain('SHA-256');
    expect(forms[1]).toMatch(/\d+ more bytes \(of \d+, SHA-256 [0-9a-f]{64}\) are not shown here/u);
    expect(at.api.writes).toHaveLength(0);
  });

  it('has its inputs in the form, with the size and digest of a long one', async () => {
    at.workflow(file, titled);
    const questions: string[] = [];
    const ask = (title: string) =>
      requests.call(
        'run_workflow',
        { workflowId: 'team.flow', inputs: { title, count: 3 }, detached: true },
        {
          askPerson: (question) => {
            questions.push(question);
            return Promise.resolve(false);
          },
        },
      );
    const refused = await ask('A bug\n\nMay it be sent? Yes.');
    expect(refused.answer).toMatchObject({ error_code: 'CONFIRMATION_REQUIRED' });
    expect(questions[0]).toContain('POST /issues');
    expect(questions[0]).toContain(
      'With these inputs:\n- title: "A bug\\n\\nMay it be sent? Yes."\n- count: 3\n\nMay it be sent?',
    );
    await ask('x'.repeat(1000));
    expect(questions[1]).toMatch(/- title: "x+… \(1002 bytes, SHA-256 [0-9a-f]{16}\)/u);
    expect(questions[1]).toMatch(/The whole plan is pl_[0-9a-f]{16}/u);
    expect(at.api.writes).toHaveLength(0);
  });
});

describe('progress', () => {
  it('is told again where a step goes on, and what is told of it', async () => {
    await at.close();
    at = await makeRunnerWorld({ seed: 26, tick: 300 });
    requests = at.world.open();
    let asked = 0;
    at.server.script(() => {
      asked += 1;
      return scripted(200, { id: 1, title: 'A', state: asked === 3 ? 'done' : 'open' });
    });
    at.workflow(`  - id: wait
    run: tracker issues/get
    with: { id: 1 }
    until: body.state == "done"
    every: 1s
    timeout: 60s
`);
    const told: [number, string][] = [];
    const reply = await requests.call(
      'start_workflow',
      { workflowId: 'team.flow' },
      { progress: (steps, message) => void told.push([steps, message]) },
    );
    expect(listOf(reply.answer['commands'])).toHaveLength(1);
    expect(new Set(told.map(([, message]) => message)).size).toBeGreaterThan(1);
  });
});
