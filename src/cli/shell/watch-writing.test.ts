import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { watchWriting } from './watch-writing.js';

const failing = (code: string): Writable =>
  new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })) });
/** Takes nothing, and can be given up without being closed for good, as a process's own stdout is. */
const unread = (): Writable => new Writable({ emitClose: false, write: () => undefined });

describe('watchWriting', () => {
  it('tells what the system refused', async () => {
    const stream = failing('ENOSPC');
    const written = watchWriting(stream);
    stream.write('x');
    expect(await written.finished()).toMatchObject({ code: 'ENOSPC' });
  });

  it('is silent about a reader that left', async () => {
    const stream = failing('EPIPE');
    const written = watchWriting(stream);
    stream.write('x');
    expect(await written.finished()).toBeUndefined();
  });

  it.each(['before', 'while'])(
    'does not wait for a reader that reads nothing once the stream was given up (%s it waits)',
    async (when) => {
      const stream = unread();
      const written = watchWriting(stream);
      stream.write('x');
      const giveUp = (): boolean => stream.emit('close');
      if (when === 'before') giveUp();
      const finished = written.finished();
      if (when === 'while') setTimeout(giveUp, 5);
      expect(await finished).toBeUndefined();
    },
  );
});
