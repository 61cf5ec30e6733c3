import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import type { Requests } from '../../../src/requests/requests.js';
import { makeRequestsWorld, type RequestsWorld } from '../../worlds/requests-world.js';
import { renderHtml, renderMarkdown } from '../../worlds/story-world.js';

const workflow = `workflow: wr.long
title: A long walk
description: Many steps.
version: 1.0.0
steps:
  - id: on
    title: On and on
    repeat: 1000
    max: 1000
    steps:
      - { id: step, title: A step, prompt: Go on. }
`;
const notes = (at: number): string =>
  Array.from(
    { length: 12 },
    (_, line) =>
      `- **${at}.${line}** what was \`seen\` on the [way](https://host.example/${at}), and ~~not~~ seen | again\n`,
  ).join('');
const session = 'LONG';
let world: RequestsWorld;
let requests: Requests;
let first: JsonObject;
let last: JsonObject;

const call = async (name: Parameters<Requests['call']>[0], args: JsonObject): Promise<JsonObject> =>
  (await requests.call(name, args)).answer;
const step = ({ stateToken, ackToken }: JsonObject, notesMarkdown: string): Promise<JsonObject> =>
  call('continue_workflow', { stateToken: stateToken!, ackToken: ackToken!, output: { notesMarkdown } });

beforeAll(async () => {
  world = makeRequestsWorld({ seed: 12 });
  world.writeWorkflow('long', workflow);
  requests = world.open(join(world.folder, 'data'));
  first = await call('start_workflow', { workflowId: 'wr.long', session });
  last = first;
  for (let at = 0; at < 250; at += 1) last = await step(last, notes(at));
});
afterAll(async () => {
  await requests.close();
  await world.close();
});

test.each([
  ['html', renderHtml],
  ['md', renderMarkdown],
] as const)(
  'while a long report is written as %s others have their turn, and what they do is not in it',
  async (format, render) => {
    const story = await requests.people.readStory({ session });
    if (!story.ok) throw new Error(story.error.message);
    const before = render(story.value);
    let written: string | undefined;
    const report = requests.people
      .renderSession({ session, format })
      .then((rendered) => (written = rendered.ok ? rendered.value.text : rendered.error.message));
    let turns = 0;
    for (; written === undefined; turns += 1) {
      await nextTurn();
      // A branch at the start and a step at the end: nodes that have been told get children.
      if (turns === 2)
        [, last] = await Promise.all([
          step(
            {
              ...first,
              ackToken: (await call('continue_workflow', { stateToken: first['stateToken']! }))['ackToken']!,
            },
            'another way',
          ),
          step(last, 'meanwhile'),
        ]);
    }
    await report;
    expect(turns).toBeGreaterThan(4);
    expect(written).toBe(before);
    // A story is of its moment, however late it is written.
    expect(render(story.value)).toBe(before);
    const after = await requests.people.renderSession({ session, format });
    expect(after.ok && after.value.text).not.toBe(before);
  },
);
