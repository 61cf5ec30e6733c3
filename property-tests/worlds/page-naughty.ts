import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../src/base/json-value.js';
import type { RunGraph } from '../../src/contract/http-api.js';
import type { SessionHead } from '../../src/contract/session-story.js';
import type { Requests } from '../../src/requests/requests.js';
import { call, type Called, makeRequestsWorld, type RequestsWorld, textOf } from './requests-world.js';
import { payloads } from './naughty-texts.js';
import type { PagePlace } from './page-places.js';

/** Whatever runs would also leave a mark. */
const marked = payloads
  .filter((text) => text.length < 200 && text.trim() !== '')
  .map((text) => text.replaceAll('alert(1)', 'alert(window.__hit=1)'));
const oneLine = marked.map((text) => text.replaceAll(/\s+/gu, ' ').trim()).filter((text) => text !== '');

/** A workflow whose every word was written by somebody who means no good. */
function naughtyWorkflow(): string {
  const steps = oneLine.slice(0, 24).map((text, index) => ({
    id: `step_${index}`,
    title: text.slice(0, 80),
    role: oneLine[(index + 7) % oneLine.length],
    prompt: marked.slice(index * 3, index * 3 + 4).join('\n\n'),
    guidance: [oneLine[(index + 11) % oneLine.length]],
    ...(index === 1 && { needs: [{ reason: 'needs_user_choice', key: 'choice', ask: oneLine[3] }] }),
  }));
  const inputs = Object.fromEntries(
    oneLine.slice(0, 3).map((text, index) => [`given_${index}`, { type: 'string', description: text, example: text }]),
  );
  // JSON is YAML.
  return JSON.stringify({
    workflow: 'team.naughty',
    title: '<img src=x onerror=alert(window.__hit=1)>',
    description: oneLine.slice(0, 12).join(' '),
    version: '1.0.0',
    tags: ['naughty'],
    guidance: oneLine.slice(0, 20),
    preconditions: oneLine.slice(5, 8),
    clarify: oneLine.slice(8, 11),
    inputs,
    steps,
  });
}

export interface Naughty {
  readonly world: RequestsWorld;
  readonly requests: Requests;
  readonly places: readonly {
    readonly path: string;
    readonly ready: string;
    readonly act?: NonNullable<PagePlace['act']>;
  }[];
}

const context = (): JsonObject => ({
  given_0: oneLine[0] ?? '',
  given_1: oneLine[1] ?? '',
  given_2: oneLine[2] ?? '',
  listed: marked.slice(0, 40),
  ...Object.fromEntries(
    marked.slice(0, 20).map((text, index) => [`${text.slice(0, 40)} ${index}`, { [text.slice(0, 60)]: text }]),
  ),
});

/** Plays a session in which each thing that is ever shown is a payload. */
export async function playNaughty(): Promise<Naughty> {
  const world = makeRequestsWorld({ seed: 19 });
  world.writeWorkflow('naughty', naughtyWorkflow());
  const project = join(world.data, 'workflows');
  mkdirSync(project, { recursive: true });
  writeFileSync(
    join(project, 'broken <img src=x onerror=alert(1)>.yaml'),
    JSON.stringify({
      workflow: 'team.broken',
      title: oneLine[0],
      description: oneLine[1],
      version: '1.0.0',
      '<svg/onload=alert(window.__hit=1)>': oneLine[2],
      steps: [{ id: 'a', title: oneLine[5], prompt: 1, nonsense: oneLine[6] }],
    }),
  );
  const requests = world.open();
  const told = async (name: Parameters<typeof call>[1], raw: JsonObject): Promise<Called> => {
    const called = await call(requests, name, raw);
    if (called.reply.failed) throw new Error(called.reply.text);
    return called;
  };
  for (const [index, title] of oneLine.slice(0, 30).entries())
    await told('start_session', {
      session: `N-${index}`,
      title: title.slice(0, 150),
      tags: [oneLine[index + 30]?.slice(0, 40) ?? 'x'],
    });
  const session = 'N-0';
  const first = await told('start_workflow', {
    workflowId: 'team.naughty',
    session,
    mode: 'auto_never_stop',
    context: context(),
  });
  const at = (place: Called): JsonObject => ({
    stateToken: textOf(place.answer['stateToken']),
    ackToken: textOf(place.answer['ackToken']),
  });
  const gaps = oneLine.slice(0, 12).map((detail) => ({
    category: 'agent_disclosed',
    reason: 'assumed',
    detail,
    severity: 'warning',
    assumption: detail,
  }));
  const artifacts: JsonObject[] = [
    {
      kind: marked[0] ?? '',
      ...Object.fromEntries(marked.slice(0, 30).map((text, index) => [`${text.slice(0, 40)}${index}`, text])),
      list: marked.slice(0, 40),
    },
    { kind: 'wr.changed_files', location: { file: marked[1] ?? '', line: 1 } },
  ];
  const second = await told('continue_workflow', {
    ...at(first),
    output: { notesMarkdown: marked.slice(0, 45).join('\n\n'), artifacts, gaps },
    context: { changed: marked.slice(3, 9) },
  });
  for (const text of marked.slice(40, 60))
    await told('checkpoint_workflow', {
      stateToken: textOf(second.answer['stateToken']),
      output: { notesMarkdown: text, artifacts: [{ kind: text.slice(0, 80), text }] },
    });
  const third = await told('continue_workflow', {
    ...at(second),
    output: { notesMarkdown: marked.slice(45).join('\n\n') },
  });
  const again = await told('continue_workflow', { stateToken: textOf(second.answer['stateToken']) });
  const other = await told('continue_workflow', {
    ...at(again),
    output: { notesMarkdown: marked.slice(20, 30).join('\n\n') },
    context: { changed: oneLine.slice(0, 4) },
  });
  for (const text of marked.slice(0, 12)) await requests.people.addNote({ session, text });
  const head = await requests.people.readSessionHead({ session });
  if (!head.ok) throw new Error(head.error.message);
  return { world, requests, places: await placesOf(requests, head.value, [third, other].length) };
}

async function placesOf(
  requests: Requests,
  { sessionId, runs }: SessionHead,
  branches: number,
): Promise<Naughty['places']> {
  const runId = runs[0]?.runId ?? '';
  const graph = await requests.people.readRunGraph({ session: sessionId, run: runId });
  if (!graph.ok) throw new Error(graph.error.message);
  const { tips, nodes }: RunGraph = graph.value;
  if (tips.length !== branches) throw new Error('the branches are not those that were played');
  const at = (node: string, tab: string): string => `/sessions/${sessionId}/runs/${runId}?node=${node}&tab=${tab}`;
  const openAll: NonNullable<PagePlace['act']> = async (tab) => {
    await tab.waitForTimeout(150);
    await tab.evaluate(() => {
      for (const details of document.querySelectorAll('main details')) details.setAttribute('open', '');
    });
  };
  const [root = '', middle = ''] = nodes.map(({ id }) => id);
  return [
    { path: '/', ready: '[data-row] a' },
    { path: `/?q=${encodeURIComponent('<img src=x onerror=alert(window.__hit=1)>')}`, ready: '.sessions-view h1' },
    ...[root, middle].flatMap((node) =>
      ['step', 'prompt', 'context', 'documents'].map((tab) => ({
        path: at(node, tab),
        ready: '.step-detail [role=tabpanel]',
        act: openAll,
      })),
    ),
    {
      path: at(root, 'step'),
      ready: '.stage-bar',
      act: async (tab) => tab.getByRole('button', { name: 'List', exact: true }).click(),
    },
    { path: `/sessions/${sessionId}/timeline`, ready: '.event-row' },
    { path: `/compare?session=${sessionId}&a=${tips[0]}&b=${tips[1]}`, ready: '.compared-row', act: openAll },
    { path: '/workflows', ready: '.workflow-row' },
    { path: '/workflows/team.naughty', ready: '.plan-row', act: openAll },
    {
      path: '/workflows/team.naughty',
      ready: '.plan-row',
      act: async (tab) => {
        await tab.locator('.plan-row').nth(1).click();
        await openAll(tab);
      },
    },
    { path: '/workflows/team.broken', ready: '.violation-list' },
    { path: '/care', ready: '.care-view .aside' },
    { path: '/%3Cimg%20src=x%20onerror=alert(1)%3E', ready: '.notice' },
  ];
}
