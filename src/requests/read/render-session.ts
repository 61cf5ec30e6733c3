import { join } from 'node:path';
import type { Rejection } from '../../base/rejection.js';
import { sentenceText } from '../../base/sentence.js';
import { err, ok, type Result } from '../../base/result.js';
import type { RenderFormat, SessionRendered } from '../../contract/session-rendered.js';
import { writeWholeFile } from '../../files/write-whole-file.js';
import { htmlPieces } from '../../render/render-html.js';
import { markdownPieces } from '../../render/render-markdown.js';
import type { Environment } from '../world/environment.js';
import { fileIsThere, systemRefused } from '../world/rejections.js';
import { EventLoopYield } from '../world/yield-to-event-loop.js';
import { readStory } from './read-story.js';

export interface RenderAsked {
  readonly session?: string | undefined;
  readonly format: RenderFormat;
  /** A file, or a file named for the session in a folder; absent, the document is in the answer. */
  readonly to?: { readonly file: string } | { readonly folder: string } | undefined;
  readonly replace?: boolean;
}

/** The story of a session as one document, in bytes that hang on nothing but the session. */
export async function renderSession(
  env: Environment,
  { session, format, to, replace = false }: RenderAsked,
): Promise<Result<SessionRendered, Rejection>> {
  const pace = new EventLoopYield();
  // A document goes to others: no command in it names a folder of this machine.
  const told = await readStory({ ...env, words: (sentence) => sentenceText(sentence) }, { session });
  if (!told.ok) return told;
  const story = told.value;
  await pace.yieldIfDue();
  const text = await putTogether(format === 'html' ? htmlPieces(story) : markdownPieces(story), pace);
  const bytes = Buffer.from(text);
  const about = {
    sessionId: story.sessionId,
    format,
    size: bytes.length,
    damaged: story.findings.some(({ level }) => level === 'damage' || level === 'newer'),
  };
  if (to === undefined) return ok({ ...about, text });
  const file = 'file' in to ? to.file : join(to.folder, `${story.sessionId}.${format}`);
  try {
    const outcome = await writeWholeFile(file, [bytes], { replace, mark: env.randomId() });
    if (outcome === 'written') return ok({ ...about, file });
  } catch (cause) {
    const action = 'fix that, or name another file with -o';
    const { sessionId } = story;
    return err(systemRefused(cause, `write ${file}`, '. Nothing was left behind', action, { sessionId }));
  }
  return err(fileIsThere(file));
}

async function putTogether(pieces: Iterable<string>, pace: EventLoopYield): Promise<string> {
  const written: string[] = [];
  for (const piece of pieces) {
    written.push(piece);
    await pace.yieldIfDue();
  }
  return written.join('');
}
