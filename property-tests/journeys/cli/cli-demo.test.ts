import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDemoFolder } from '../../../src/cli/demo/demo-folder.js';
import { programIn } from '../../../src/cli/demo/demo-program.js';
import type { SessionsPage } from '../../../src/contract/session-list.js';
import type { RunStory, SessionStory } from '../../../src/contract/session-story.js';

const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));

interface Played {
  readonly held: boolean;
  readonly scenes: readonly { readonly title: string; readonly claims: readonly { readonly held: boolean }[] }[];
  readonly folders: readonly string[];
}

describe('workrail demo', () => {
  const place = makeDemoFolder();
  const run = programIn(main, place);
  let played: Played;
  const asked = <Answer>(...args: readonly string[]): Answer => {
    const { code, text } = run([...args, '--json', '--data-dir', join(played.folders[0]!, 'data')]);
    expect(code, text).toBe(0);
    return JSON.parse(text) as Answer;
  };
  beforeAll(() => {
    played = JSON.parse(run(['demo', '--json', '--keep']).text) as Played;
  }, 120_000);
  afterAll(() => {
    for (const folder of [place.folder, ...played.folders]) rmSync(folder, { recursive: true, force: true });
  });

  it('holds in every claim', () => {
    expect(played.scenes.flatMap(({ claims }) => claims).filter((claim) => !claim.held)).toEqual([]);
    expect({ held: played.held, scenes: played.scenes.length }).toEqual({ held: true, scenes: 23 });
  });

  it('leaves a session that waits, one that is complete, one with branches and four with commands', () => {
    const { sessions } = asked<SessionsPage>('sessions');
    const rows = sessions.map(({ sessionId, about, tags, run: newest }) => ({
      sessionId,
      about,
      tagged: tags.length > 0,
      status: newest?.status,
    }));
    expect(rows.toSorted((one, other) => one.sessionId.localeCompare(other.sessionId))).toEqual([
      { sessionId: 'TILL-466', about: 'Receipts show the time of the shop', tagged: true, status: 'complete' },
      { sessionId: 'TILL-479', about: 'Pull request 351: retry failed webhooks', tagged: true, status: 'blocked' },
      { sessionId: 'TILL-482', about: 'Orders are missing from the monthly export', tagged: true, status: 'complete' },
      { sessionId: 'TILL-490', about: 'Protect main', tagged: true, status: 'complete' },
      { sessionId: 'TILL-491', about: 'The export leaves out orders: filed before', tagged: true, status: 'complete' },
      { sessionId: 'TILL-492', about: 'Refunds are printed twice', tagged: true, status: 'complete' },
      { sessionId: 'TILL-493', about: 'Wait for v2.4.0', tagged: true, status: 'complete' },
    ]);
  });

  describe('in the session with branches', () => {
    let session: SessionStory;
    let story: RunStory;
    beforeAll(() => {
      session = asked<SessionStory>('show', 'TILL-482');
      story = session.runs[0]!;
    });

    it('leaves one run, and the note of a person beside it', () => {
      expect(session.runs).toHaveLength(1);
      expect(session.notes).toHaveLength(1);
    });

    it('leaves long notes on nine steps and more, with code and a table in them', () => {
      const notes = story.nodes.flatMap(({ cameBy }) => cameBy.output.notes ?? []);
      expect(notes.filter((text) => text.length > 200).length).toBeGreaterThanOrEqual(9);
      expect(notes.filter((text) => text.includes('```')).length).toBeGreaterThan(4);
      expect(notes.join('\n')).toContain('|--:|');
    });

    it('leaves a gap that is open, and one that is resolved', () => {
      const gaps = story.nodes.flatMap(({ cameBy }) => cameBy.gaps);
      expect(gaps.filter(({ resolved }) => resolved).map(({ assumption }) => assumption)).toEqual([
        'The dashboard counts right.',
      ]);
      expect(
        story.gaps.filter(({ resolved, resolves }) => !resolved && resolves === undefined).map(({ reason }) => reason),
      ).toEqual(['not_checked']);
    });

    it('leaves a checkpoint and artifacts', () => {
      expect(story.nodes.flatMap(({ checkpoints }) => checkpoints)).toHaveLength(1);
      const kinds = story.nodes.flatMap(({ cameBy }) => cameBy.output.artifacts.map(({ kind }) => kind));
      expect(new Set(kinds)).toEqual(new Set(['wr.bug.reproduction', 'wr.bug.causes']));
    });

    it('leaves an answer of the user, with which the step went on', () => {
      const [blocked, ...others] = story.nodes.filter(({ blocks }) => blocks.length > 0);
      expect(others).toEqual([]);
      expect(blocked?.blocks.flatMap(({ answers }) => answers)).toMatchObject([{ answer: 'value' }]);
      expect(blocked?.children).toHaveLength(1);
    });

    it('leaves branches that found different things', () => {
      expect(story.tips).toHaveLength(3);
      const said = story.tips.map((tip) => {
        const node = story.nodes.find(({ nodeId }) => nodeId === tip);
        return node?.cameBy.output.notes ?? '';
      });
      expect(new Set(said).size).toBe(3);
      expect(said.some((text) => text.includes('refuted'))).toBe(true);
    });
  });
});
