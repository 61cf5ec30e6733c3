import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { bundleOf, importedOf, unpacked } from '../../worlds/bundle-world.js';
import { call, listOf, makeRequestsWorld, type RequestsWorld, textOf } from '../../worlds/requests-world.js';

const bundles = fileURLToPath(new URL('../../../fixtures/bundles', import.meta.url));
const fixture = (name: string): Buffer => readFileSync(join(bundles, `${name}.workrail`));
const worlds: RequestsWorld[] = [];

afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

function makeWorld(): RequestsWorld {
  const world = makeRequestsWorld({ seed: 3 });
  worlds.push(world);
  return world;
}

test('no bundle is ever taken out', () => {
  expect(readdirSync(bundles).filter((name) => name.endsWith('.workrail'))).toEqual(
    expect.arrayContaining(['v1-every-event.workrail', 'v1-two-branches.workrail']),
  );
});

test('a bundle of format 1 is imported as it was exported, and gone on with', async () => {
  const requests = makeWorld().open();
  expect(await importedOf(requests, fixture('v1-two-branches'))).toMatchObject({
    outcome: 'imported',
    sessionId: 'REL-42',
    bundle: {
      bundleId: '1ce45c333e7af6d21cb7502e2f740332960499b41d8252700c8e95d509728960',
      title: 'Release 4.2: café edition',
      lines: 7,
      runs: 1,
      segments: 1,
      pins: 1,
      bytes: 4881,
    },
    resume: { query: 'Release 4.2: café edition' },
    warnings: [],
  });
  const found = await call(requests, 'resume_session', { query: 'release changelog entry' });
  const [candidate] = listOf(found.answer['candidates']);
  expect(candidate).toMatchObject({ sessionId: 'REL-42', workflowTitle: 'Ship a release', pending: 'Announce it' });
  const { answer } = await call(requests, 'continue_workflow', { stateToken: textOf(candidate?.['stateToken']) });
  expect(answer).toMatchObject({ pending: { stepId: 'announce', prompt: 'Write the announcement of v4.2.0.' } });
  const done = await call(requests, 'continue_workflow', {
    stateToken: textOf(answer['stateToken']),
    ackToken: textOf(answer['ackToken']),
    output: { notesMarkdown: 'Announced.' },
  });
  expect(done.answer['isComplete']).toBe(true);
  const story = await requests.people.readStory({ session: 'REL-42' });
  expect(story.ok && story.value.runs.map(({ tips, status }) => ({ tips: tips.length, status }))).toEqual([
    { tips: 2, status: 'complete' },
  ]);
  expect(story.ok && story.value.notes.map(({ text }) => text)).toEqual(['Ann wants to see the announcement first.']);
});

test('a bundle of format 1 holds every kind of event, and gives the same bundle again', async () => {
  const world = makeWorld();
  const requests = world.open();
  const bytes = fixture('v1-every-event');
  expect(await importedOf(requests, bytes)).toMatchObject({
    outcome: 'imported',
    sessionId: 'EXAMPLE-1',
    bundle: { title: 'An example', lines: 18 },
  });
  const [before, after] = [await unpacked(bytes), await unpacked(await bundleOf(requests, 'EXAMPLE-1'))];
  expect([...after.parts]).toEqual([...before.parts]);
  expect({ ...after.manifest, producer: before.manifest.producer }).toEqual(before.manifest);
  expect(await requests.people.addNote({ session: 'EXAMPLE-1', text: 'today' })).toMatchObject({
    ok: true,
    value: { added: true },
  });
});
