import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { wholeAnswer } from '../../worlds/requests-world.js';
import { makeRunnerWorld } from '../../worlds/runner-world.js';

const secret = 's3cret-canary-0451';

it('a secret that the process before sent is kept out of what this one reads back', async () => {
  const at = await makeRunnerWorld({ seed: 1 });
  try {
    writeFileSync(
      join(at.world.folder, 'config', 'workrail', 'secrets.json'),
      JSON.stringify({ secrets: [{ catalog: 'tracker', origin: at.server.origin, name: 'KEY', value: secret }] }),
      { mode: 0o600 },
    );
    at.workflow(`  - id: file
    run: tracker issues/create
    body: { title: "with \${{ secrets.KEY }}" }
  - id: say
    prompt: Say it.
  - id: look
    run: tracker issues/get
    with: { id: 1 }
  - id: tell
    prompt: Tell of \${{ outputs.look.body.title }}.
`);
    const before = at.world.open();
    const sent = await at.goOn(before, await at.start(before), { confirmed: true });
    expect(at.api.issues.get(1)).toMatchObject({ title: `with ${secret}` });
    await before.close();
    const read = await at.goOn(at.world.open(), sent, { output: { notesMarkdown: 'said' } });
    expect(read.answer).toMatchObject({ pending: { stepId: 'tell' } });
    expect(wholeAnswer(read)).toContain('with [secret]');
    expect(wholeAnswer(read) + JSON.stringify(at.world.lines())).not.toContain(secret);
  } finally {
    await at.close();
  }
});
