import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isJsonObject, type JsonObject } from '../../base/json-value.js';
import type { ExecutionAnswer } from '../../contract/answer.js';
import type { SessionStory } from '../../contract/session-story.js';
import type { StdioClient } from '../../mcp/stdio-client.js';
import type { Claims } from './demo-claims.js';
import type { DemoFolder } from './demo-folder.js';
import { executionOf, playerOn } from './demo-player.js';
import { lostRows } from './lost-rows.js';
import { lostRowsEnd } from './lost-rows-end.js';
import type { RunProgram } from './demo-program.js';

/** One of the two people: an installation with a key and a data folder of its own. */
export interface Person {
  readonly place: DemoFolder;
  /** With more options of `workrail mcp`, where it needs them. */
  readonly startServer: (...options: readonly string[]) => Promise<StdioClient>;
  readonly run: RunProgram;
}

/** Exports while the work is under way, so that the colleague gets it as it stands. */
export function exportForColleague(me: Person, session: string, { scene, claim, need }: Claims): string {
  scene('A colleague is to go on');
  const file = path.join(me.place.folder, 'for-a-colleague.workrail');
  const first = me.run(['export', session, '-o', file]);
  need('workrail export writes the session into one file', first.code === 0, first.text);
  const bytes = readFileSync(file);
  me.run(['export', session, '-o', file, '--force']);
  claim('exported once more, it is the same to the byte', bytes.equals(readFileSync(file)), `${bytes.length} bytes`);
  return file;
}

/** The colleague takes it in, goes on where it stood, and both give each other what they did. */
export async function workApart(
  me: Person,
  colleague: Person,
  bundle: string,
  at: ExecutionAnswer,
  { scene, claim, need }: Claims,
): Promise<void> {
  scene('The colleague goes on, with another key and an empty data folder');
  const imported = colleague.run(['import', bundle]);
  need('workrail import checks every byte and makes the session appear', imported.code === 0, imported.text);
  const server = await colleague.startServer();
  try {
    const player = playerOn(server);
    const found = await player.call('resume_session', { query: lostRows.query });
    const { candidates } = found.answer;
    const best: unknown = Array.isArray(candidates) ? candidates[0] : undefined;
    const offered: JsonObject =
      isJsonObject(best) && typeof best['stateToken'] === 'string' ? { stateToken: best['stateToken'] } : {};
    const here = executionOf(await player.call('continue_workflow', offered));
    need(
      `resume_session finds it by its words, at the same step: “${here.pending?.title ?? 'the end'}”`,
      here.pending?.path === at.pending?.path,
      found.text,
    );
    const foreign = await player.call('continue_workflow', { stateToken: at.stateToken });
    claim(
      'a token of mine says nothing to the colleague, and is told what to do instead',
      foreign.isError && foreign.text.startsWith('TOKEN_FOREIGN'),
      foreign.text,
    );
    const done = await player.play(here, lostRowsEnd.explainApart);
    claim('and continue_workflow goes on', done.answer.stepsDone === here.stepsDone + 1, done.said.text);
  } finally {
    await server.close();
  }
  mergeBoth(me, colleague, { scene, claim, need });
}

function mergeBoth(
  me: Person,
  colleague: Person,
  { scene, claim, need }: Pick<Claims, 'scene' | 'claim' | 'need'>,
): void {
  scene('Both branches come together');
  const files = [me, colleague].map(({ place, run }, index) => {
    const file = path.join(place.folder, `half-${index}.workrail`);
    run(['export', lostRows.session, '-o', file]);
    return file;
  });
  for (const [who, person, file] of [
    ['I take', me, files[1]],
    ['the colleague takes', colleague, files[0]],
  ] as const) {
    const merged = person.run(['import', file ?? '', '--merge']);
    need(`${who} in what the other did, with --merge`, merged.code === 0, merged.text);
  }
  const [mine, theirs] = [me, colleague].map((person) => storyOf(person));
  const tips = (story: SessionStory | undefined): readonly string[] =>
    (story?.runs ?? []).flatMap((run) => run.tips).toSorted();
  claim(
    `both see the same ${tips(mine).length} branches`,
    tips(mine).length >= 3 && tips(mine).join() === tips(theirs).join(),
    { mine: tips(mine), theirs: tips(theirs) },
  );
  const checked = [me, colleague].map(({ run }) => run(['doctor']));
  claim(
    'workrail doctor finds nothing wrong on either side',
    checked.every(({ code }) => code === 0),
    checked.map(({ text }) => text).join('\n'),
  );
}

function storyOf({ run }: Person): SessionStory | undefined {
  const { code, text } = run(['show', lostRows.session, '--json']);
  return code === 0 ? (JSON.parse(text) as SessionStory) : undefined;
}
