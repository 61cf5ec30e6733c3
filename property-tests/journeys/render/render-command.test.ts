import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandLineWorld, makeCommandLineWorld } from '../../worlds/command-line-world.js';
import { makeRequestsWorld, type RequestsWorld, segmentTexts, sessionFolders } from '../../worlds/requests-world.js';
import { playReview } from '../../worlds/story-of-a-review.js';

describe('workrail render', () => {
  let world: RequestsWorld;
  let line: CommandLineWorld;
  const render = (...words: readonly string[]): ReturnType<CommandLineWorld['run']> =>
    line.run(['render', '--data-dir', world.data, ...words]);
  const here = (name: string): string => join(line.workspace, name);

  beforeAll(async () => {
    world = makeRequestsWorld({ seed: 5 });
    line = makeCommandLineWorld();
    await (await playReview(world)).requests.close();
  });
  afterAll(async () => {
    line.close();
    await world.close();
  });

  it('prints Markdown, the same bytes each time, and writes nothing', async () => {
    const before = segmentTexts(world.data, 'EXPORT-212');
    const { code, bytes, out, err } = await render();
    expect([code, out, err]).toEqual([0, '', '']);
    expect(bytes.toString()).toMatch(/^# EXPORT-212: Empty exports \\<fail> & nobody "knows" why\n/u);
    const again = await render('EXPORT-212', '-o', '-');
    expect(again.bytes.equals(bytes)).toBe(true);
    expect(segmentTexts(world.data, 'EXPORT-212')).toEqual(before);
  });

  it('writes the file that is named, in the format of its name, and says so', async () => {
    const { code, out, bytes } = await render('EXPORT-212', '-o', 'review.html');
    expect([code, bytes.length]).toEqual([0, 0]);
    expect(out).toMatch(/^Wrote review\.html \([\d.]+ [kK]i?B\)\.$/u);
    expect(readFileSync(here('review.html'), 'utf8')).toMatch(/^<!doctype html>\n/u);
    const { bytes: printed } = await render('--format', 'html');
    expect(printed.equals(readFileSync(here('review.html')))).toBe(true);
  });

  it('does not write over a file unless it is told to, and leaves nothing beside it', async () => {
    writeFileSync(here('mine.md'), 'mine');
    const refused = await render('-o', 'mine.md');
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('already exists; nothing was written');
    expect(refused.err).toContain('--force');
    expect(readFileSync(here('mine.md'), 'utf8')).toBe('mine');
    expect((await render('-o', 'mine.md', '--force')).code).toBe(0);
    expect(readFileSync(here('mine.md'), 'utf8')).toMatch(/^# EXPORT-212: Empty exports/u);
    expect(readdirSync(line.workspace).filter((name) => name.startsWith('.mine'))).toEqual([]);
  });

  it('names the file for the session where a folder is given', async () => {
    mkdirSync(here('reports'));
    expect((await render('-o', 'reports', '--format', 'html')).code).toBe(0);
    expect(readdirSync(here('reports'))).toEqual(['EXPORT-212.html']);
  });

  it('says where it wrote, or what, as JSON', async () => {
    const file = JSON.parse((await render('-o', 'told.md', '--json')).out) as Record<string, unknown>;
    const size = readFileSync(here('told.md')).length;
    expect(file).toEqual({ sessionId: 'EXPORT-212', format: 'md', size, damaged: false, file: here('told.md') });
    const text = JSON.parse((await render('--json')).out) as Record<string, unknown>;
    expect(text).toEqual({
      sessionId: 'EXPORT-212',
      format: 'md',
      size,
      damaged: false,
      text: readFileSync(here('told.md'), 'utf8'),
    });
  });

  it('tells a mistake with the next command', async () => {
    expect(await render('--format', 'pdf')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--format is md or html, not "pdf"'),
    });
    expect(await render('NOTHING-1')).toMatchObject({ code: 1, err: expect.stringContaining('workrail sessions') });
    const nowhere = await render('-o', 'no/such/folder/x.md');
    expect(nowhere.code).toBe(3);
    expect(nowhere.err).toContain('Nothing was left behind');
  });

  it('tells a damaged session as far as it can be read, says what is missing, and exits with 4', async () => {
    const damaged = world.clone(world.data, 'damaged');
    const [session = ''] = sessionFolders(damaged);
    const [segment] = segmentTexts(damaged, session);
    const lines = (segment?.text ?? '').split('\n');
    lines[5] = (lines[5] ?? '').replace('"', "'");
    writeFileSync(join(damaged, 'sessions', session, 'segments', segment?.name ?? ''), lines.join('\n'));
    const { code, bytes, err } = await line.run(['render', '--data-dir', damaged]);
    expect(code).toBe(4);
    expect(bytes.toString()).toContain('## What is damaged or missing');
    expect(bytes.toString()).toContain(segment?.name ?? '');
    expect(err).toContain('workrail doctor');
  });
});
