import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { SessionId } from '../../src/base/ids.js';
import type { SessionListed } from '../../src/contract/session-list.js';
import { parseSearch, type SortWord, sortWords } from '../../src/contract/session-search.js';
import type { Requests } from '../../src/requests/requests.js';
import type { Registered } from '../../src/requests/world/registered-session.js';
import { askSearch, filterValues, sessionFilter } from '../../src/requests/world/session-filter.js';
import { listedByWork, sorted } from '../../src/requests/world/session-list-page.js';
import { call, makeRequestsWorld, type RequestsWorld, textOf } from '../worlds/requests-world.js';
import { runs } from '../worlds/runs-of-law.js';

const now = new Date('2026-11-19T12:00:00.000Z');
const ago = (hours: number): string => new Date(now.getTime() - hours * 3_600_000).toISOString();

interface Made {
  readonly id: string;
  /** Whether it is open and whether it waits for the user; nothing where it holds notes alone. */
  readonly stands: (typeof standings)[number] | undefined;
  readonly gaps: number;
  readonly damaged: boolean;
  readonly workflows: readonly string[];
  readonly branches: readonly string[];
  readonly tags: readonly string[];
  readonly hoursAgo: number;
}

const workflowNames = ['wr.review', 'wr.Review_deep', 'team.a b'];
const branchNames = ['main', 'fix/x', 'Fix/Größe'];
const tagNames = ['docs', 'needs review', 'a"b'];
const some = (names: readonly string[]): fc.Arbitrary<readonly string[]> => fc.subarray([...names]);
const standings = ['open', 'waiting', 'running', 'complete', 'failed', 'canceled'] as const;
const statusOf = { open: 'in_progress', waiting: 'blocked' } as const;
const made: fc.Arbitrary<readonly Made[]> = fc
  .array(
    fc.record({
      stands: fc.constantFrom(...standings, undefined),
      gaps: fc.nat(1),
      damaged: fc.boolean(),
      workflows: some(workflowNames),
      branches: some(branchNames),
      tags: some(tagNames),
      hoursAgo: fc.nat(100),
    }),
    { maxLength: 12 },
  )
  .map((all) => all.map((one, at) => ({ ...one, id: `S-${at}` })));

/** Some took longer than others, whenever that was; some took as long. */
const tookOf = (hoursAgo: number): number => (hoursAgo * 7919) % 7;
/** Of some no step is known, and of some a person was waited for. */
const stepOf = (hoursAgo: number): { readonly took: number; readonly waited: number } | undefined =>
  hoursAgo % 4 === 0 ? undefined : { took: 2000 + (hoursAgo % 5) * 100, waited: (hoursAgo % 3) * 150 };

/** As the register would have it. */
function registered({ id, stands, gaps, damaged, workflows, branches, tags, hoursAgo }: Made): Registered {
  const step = stepOf(hoursAgo);
  const listed: SessionListed = {
    sessionId: id,
    about: id,
    tags: [...tags],
    keep: false,
    place: 'given',
    folder: '/data',
    startedAt: ago(hoursAgo + 1),
    lastAt: ago(hoursAgo),
    ...(stands !== undefined && {
      run: {
        runId: 'run',
        workflowId: workflows[0] ?? 'x',
        workflowTitle: 'X',
        status: stands === 'open' || stands === 'waiting' ? statusOf[stands] : stands,
        pending: stands === 'complete' ? null : 'Step',
        openBranches: 0,
        number: 1,
      },
    }),
    runs: workflows.length,
    branches: 1,
    openGaps: gaps,
    eventCount: 3,
    ...(stands === 'waiting' && { waitsSince: ago(hoursAgo + 0.5) }),
    took: tookOf(hoursAgo),
    ...(step !== undefined && { longest: { runId: 'run', nodeId: 'n', path: 'a', title: 'A', ...step } }),
    ...(damaged && { trouble: 'damage' as const }),
  };
  const places = workflows.map((workflowId) => ({
    run: { workflowId },
    lastActivity: ago(hoursAgo),
    words: undefined,
  }));
  return {
    ref: { id: id as SessionId, place: { kind: 'given', name: '/data' } },
    listed,
    facts: { sessionId: id, names: [], commits: [], branches: branches.map((name) => ({ name, folded: name })) },
    places,
  } as unknown as Registered;
}

interface NaiveFilter {
  readonly text: string;
  readonly passes: (one: Made) => boolean;
  /** One of several of the same kind is enough. */
  readonly any?: string;
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
const quoted = (name: string): string => (/[\s"]/u.test(name) ? `"${name.replaceAll('"', '\\"')}"` : name);
const filters: fc.Arbitrary<NaiveFilter> = fc.oneof(
  fc.constantFrom<NaiveFilter>(
    { text: 'is:open', passes: ({ stands = '' }) => ['open', 'waiting', 'running'].includes(stands) },
    { text: 'is:running', passes: ({ stands }) => stands === 'running' },
    { text: 'is:failed', passes: ({ stands }) => stands === 'failed' },
    { text: 'status:canceled', passes: ({ stands }) => stands === 'canceled' },
    { text: 'is:waiting', passes: ({ stands }) => stands === 'waiting' },
    { text: 'status:complete', passes: ({ stands }) => stands === 'complete' },
    { text: 'is:GAPS', passes: ({ gaps }) => gaps > 0 },
    { text: 'is:damaged', passes: ({ damaged }) => damaged },
    { text: 'is:nonsense', passes: () => true },
  ),
  fc.constantFrom(...workflowNames, 'wr.none').map((name) => ({
    text: `workflow:${quoted(name.toUpperCase())}`,
    passes: ({ workflows }: Made) => workflows.some((one) => same(one, name)),
    any: 'workflow',
  })),
  fc.constant<NaiveFilter>({
    text: 'workflow:wr.*',
    passes: ({ workflows }) => workflows.some((one) => one.startsWith('wr.')),
    any: 'workflow',
  }),
  fc.constantFrom(...branchNames).map((name) => ({
    text: `branch:${quoted(name)}`,
    passes: ({ branches }: Made) => branches.includes(name),
    any: 'branch',
  })),
  fc.constantFrom(...tagNames).map((name) => ({
    text: `label:${quoted(name)}`,
    passes: ({ tags }: Made) => tags.includes(name),
  })),
  fc.nat(100).map((hours) => ({ text: `since:${hours}h`, passes: ({ hoursAgo }: Made) => hoursAgo <= hours })),
  fc.nat(100).map((hours) => ({ text: `before:${ago(hours)}`, passes: ({ hoursAgo }: Made) => hoursAgo > hours })),
);

test('law 10: a filter shows what a look at each session shows, in the order that is asked for', () => {
  fc.assert(
    fc.property(
      made,
      fc.array(filters, { maxLength: 4 }),
      fc.constantFrom(undefined, ...sortWords),
      (all, asked, sort) => {
        const text = [...asked.map((one) => one.text), ...(sort === undefined ? [] : [`sort:${sort}`])].join(' ');
        const search = askSearch(parseSearch(text), now);
        const found = all.map(registered);
        const passes = sessionFilter(search) ?? (() => true);
        const entries = listedByWork(found.filter(passes));
        const shown = (search.sort === undefined ? entries : sorted(entries, search.sort)).map(
          ({ registered: { ref } }) => ref.id as string,
        );
        const groups = ['workflow', 'branch'].map((key) => asked.filter(({ any }) => any === key));
        const naive = all.filter(
          (one) =>
            asked.every((filter) => filter.any !== undefined || filter.passes(one)) &&
            groups.every((group) => group.length === 0 || group.some((filter) => filter.passes(one))),
        );
        // Before the id, which settles the rest.
        const by: Readonly<Record<SortWord, (one: Made) => readonly number[]>> = {
          newest: ({ hoursAgo }) => [hoursAgo],
          oldest: ({ hoursAgo }) => [-hoursAgo],
          waiting: ({ hoursAgo, stands }) => [stands === 'waiting' ? 0 : 1, -hoursAgo],
          longest: ({ hoursAgo }) => [-tookOf(hoursAgo), hoursAgo],
          'longest-step': ({ hoursAgo }) => {
            const step = stepOf(hoursAgo);
            return [step === undefined ? 0 : step.waited - step.took, hoursAgo];
          },
        };
        const place = by[sort ?? 'newest'];
        const compare = (a: Made, b: Made): number =>
          place(a)
            .map((one, at) => one - place(b)[at]!)
            .find((difference) => difference !== 0) ?? (a.id < b.id ? -1 : 1);
        const expected = naive.toSorted(compare).map(({ id }) => id);
        expect({ text, shown }).toEqual({ text, shown: expected });
        for (const { value, count } of filterValues(found).label)
          expect(count).toBe(all.filter(({ tags }) => tags.includes(value)).length);
      },
    ),
    runs(300),
  );
});

const walk = `workflow: team.walk
title: A walk
description: Two steps.
version: 1.0.0
steps:
  - { id: one, title: First, prompt: Begin. }
  - { id: two, title: Second, prompt: End. }
`;

describe('the sessions of a data folder', () => {
  let world: RequestsWorld;
  let requests: Requests;

  async function begin(session: string, ...steps: readonly object[]): Promise<void> {
    let { answer } = await call(requests, 'start_workflow', { workflowId: 'team.walk', session });
    for (const step of steps)
      ({ answer } = await call(requests, 'continue_workflow', {
        stateToken: textOf(answer['stateToken']),
        ackToken: textOf(answer['ackToken']),
        ...step,
      }));
  }
  const notes = (text: string): object => ({ output: { notesMarkdown: text } });
  const gap = (category: string, severity: string): object => ({
    output: {
      notesMarkdown: 'The parser is read.',
      gaps: [
        {
          category,
          reason: category === 'user_only_dependency' ? 'needs_user_choice' : 'other',
          severity,
          detail: 'Which one?',
        },
      ],
    },
  });

  beforeAll(async () => {
    world = makeRequestsWorld({ seed: 1018, tick: 3_600_000 });
    world.writeWorkflow('walk', walk);
    requests = world.open(world.data);
    await begin('OPEN', notes('Read the parser.'));
    await begin('WAITS', gap('user_only_dependency', 'critical'));
    await begin('WAITS-2', gap('user_only_dependency', 'critical'));
    await begin('DONE', notes('One.'), notes('Two.'));
    await begin('GAPS', gap('unexpected', 'warning'), notes('Done.'));
    await call(requests, 'start_session', { session: 'NOTES', tags: ['docs', 'needs review'] });
    await begin('BROKEN', notes('Broken.'));
    const folder = join(world.data, 'sessions', 'BROKEN', 'segments');
    const [segment = ''] = readdirSync(folder);
    const text = readFileSync(join(folder, segment), 'utf8');
    writeFileSync(join(folder, segment), text.replace('"at"', '"AT"'));
  });
  afterAll(() => world.close());

  async function shown(query: string): Promise<readonly string[]> {
    const pages: string[][] = [];
    for (const door of ['browseSessions', 'listSessions'] as const) {
      const ids: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await requests.people[door]({ query, limit: 2, cursor });
        if (!page.ok) throw new Error(page.error.message);
        ids.push(...page.value.sessions.map(({ sessionId }) => sessionId));
        cursor = page.value.nextCursor;
      } while (cursor !== undefined);
      pages.push(ids);
    }
    expect(pages[1]).toEqual(pages[0]);
    return pages[0] ?? [];
  }

  it('are filtered the same on the page and on the command line, page after page', async () => {
    expect(await shown('is:waiting')).toEqual(['WAITS-2', 'WAITS']);
    expect(await shown('is:waiting sort:waiting')).toEqual(['WAITS', 'WAITS-2']);
    expect(await shown('is:complete')).toEqual(['GAPS', 'DONE']);
    expect(await shown('is:gaps is:complete')).toEqual(['GAPS']);
    expect(await shown('is:damaged')).toEqual(['BROKEN']);
    expect(await shown('label:"needs review" label:docs')).toEqual(['NOTES']);
    expect(await shown('workflow:team.walk is:open sort:oldest')).toEqual(['OPEN', 'WAITS', 'WAITS-2']);
    expect(await shown('parser is:waiting')).toEqual(['WAITS-2', 'WAITS']);
    expect(await shown('parser is:open sort:oldest')).toEqual(['OPEN', 'WAITS', 'WAITS-2']);
    expect(await shown('before:2000-01-01')).toEqual([]);
  });

  it('say what else there is', async () => {
    const page = await requests.people.browseSessions({ query: 'workflow:team.wlak is:odd worklow:x' });
    if (!page.ok) throw new Error(page.error.message);
    expect(page.value.told).toEqual([
      'is:odd is unknown; known: open, waiting, running, complete, failed, canceled, gaps, damaged',
      expect.stringContaining('no filter named worklow; did you mean workflow?'),
      'no session has the workflow "team.wlak"; use team.walk',
    ]);
    expect(page.value.filters?.workflow).toEqual([{ value: 'team.walk', count: expect.any(Number) }]);
    expect(page.value.filters?.label.map(({ value }) => value)).toEqual(['docs', 'needs review']);
  });
});
