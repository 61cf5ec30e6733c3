import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { openTranscript, type Transcript, transcriptFile, writeTranscript } from './transcript.js';

const updating = process.env['WORKRAIL_UPDATE_FIXTURES'] === '1';

/** A conversation that gives the same bytes as its file. With WORKRAIL_UPDATE_FIXTURES=1 it is written anew; read the diff before it is committed. */
export async function golden(
  name: string,
  title: string,
  play: (transcript: Transcript) => Promise<void>,
  options?: Parameters<typeof openTranscript>[1],
): Promise<void> {
  const transcript = await openTranscript(title, options);
  try {
    await play(transcript);
    if (updating) await writeTranscript(name, transcript.text());
    expect(transcript.text()).toBe(await readFile(transcriptFile(name), 'utf8'));
  } finally {
    await transcript.end();
  }
}
