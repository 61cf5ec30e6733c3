import { afterAll, describe, expect, it } from 'vitest';
import { makeCommandLineWorld } from '../../worlds/command-line-world.js';

const world = makeCommandLineWorld();
afterAll(() => world.close());

describe('workrail log --all', () => {
  it('keeps one long session from drowning the others, and says how to read the rest', async () => {
    await world.run(['start', 'wr.coding_task', '--session', 'LONG-1', '--input', 'task=Long work']);
    for (let note = 1; note <= 30; note += 1) await world.run(['note', 'LONG-1', `note ${note}`]);
    await world.run(['start', 'wr.coding_task', '--session', 'SHORT-2', '--input', 'task=One thing']);
    const log = async (...args: readonly string[]): Promise<string> => {
      const { out, bytes, code } = await world.run(['log', '--all', '--since', '1d', ...args]);
      expect(code).toBe(0);
      return `${out}\n${bytes.toString('utf8')}`;
    };
    const short = await log();
    expect(short.match(/\tnote_added\t/gu)).toHaveLength(20);
    expect(short).toContain('note 30');
    expect(short).not.toContain('note 10\n');
    expect(short).toContain('One thing');
    expect(short).toMatch(/… \d+ more: .*workrail.* log LONG-1 --since 1d/u);
    expect((await log('--whole')).match(/\tnote_added\t/gu)).toHaveLength(30);
    const ofKind = await log('--kind', 'note_added');
    expect(ofKind).toContain('… 10 more');
    // A session with nothing of it has no heading.
    expect(ofKind).not.toContain('SHORT-2');
  });
});
