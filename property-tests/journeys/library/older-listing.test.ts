import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { call, fieldsOf, listOf, makeRequestsWorld, textOf } from '../../worlds/requests-world.js';
import { around } from '../../worlds/workrail-json-world.js';

it('a list tells a file of the older format in a paragraph, and who looks at one reads what it is about', async () => {
  const world = makeRequestsWorld({ seed: 3 });
  const about = `First words.\n\n${'Every detail of it. '.repeat(60)}\n\nLast words.`;
  const examples = ['One.', 'Two.', 'Three.', 'Four.', { goal: 'An object.' }];
  for (let number = 0; number < 40; number += 1)
    writeFileSync(
      join(world.bundled, `x${number}.json`),
      JSON.stringify({ ...around({}), id: `wr.x${number}`, about: number === 0 ? about : 'Short.', examples }),
    );
  const requests = world.open();
  const { answer } = await call(requests, 'list_workflows', {});
  expect(listOf(answer['workflows']).length).toBeGreaterThan(30);
  for (const { description } of listOf(answer['workflows'])) expect(description).toBe('Use this.');
  const inspected = await call(requests, 'inspect_workflow', { workflowId: 'wr.x0' });
  const told = textOf(fieldsOf(inspected.answer['workflow'])['about']);
  for (const words of ['First words.', 'Every detail of it.', 'Last words.', 'Four.']) {
    expect(told).toContain(words);
    expect(inspected.reply.text).toContain(words);
  }
  writeFileSync(
    join(world.bundled, 'x0.json'),
    JSON.stringify({ ...around({}), id: 'wr.x0', about: 'é '.repeat(5000) }),
  );
  const cut = textOf(
    fieldsOf((await call(requests, 'inspect_workflow', { workflowId: 'wr.x0' })).answer['workflow'])['about'],
  );
  expect(Buffer.byteLength(cut)).toBeLessThan(2600);
  expect(cut).toContain('14999 bytes in all');
  await world.close();
});

it('a list speaks of a mode only where one stands with what may be started', async () => {
  const world = makeRequestsWorld({ seed: 3 });
  const last = async (query: string): Promise<string | undefined> => {
    const { reply } = await call(world.open(), 'list_workflows', { query });
    return reply.text
      .split('\n')
      .find((line) => line.startsWith('Then: '))
      ?.replace(/^.*start_workflow at once/u, '');
  };
  writeFileSync(join(world.bundled, 'plain.json'), JSON.stringify({ ...around({}), id: 'wr.plain', name: 'Lonely' }));
  expect(await last('lonely')).toBe('.');
  writeFileSync(
    join(world.bundled, 'moded.yaml'),
    'workflow: wr.moded\ntitle: Moded lonely\ndescription: Use this.\nversion: 1.0.0\nrecommends: { mode: guided }\nsteps: [{ id: one, title: One, prompt: Do it. }]\n',
  );
  expect(await last('moded')).toBe(', in the mode that stands with it.');
  expect(await last('lonely')).toBe(', in the mode that stands with it, where one does.');
  await world.close();
});
