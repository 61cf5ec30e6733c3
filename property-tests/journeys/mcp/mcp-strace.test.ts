import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';

interface Counted {
  readonly writes: number;
  readonly syncs: number;
  /** The calls that made, renamed, cut or removed something in the session, and below no data root at all. */
  readonly made: readonly string[];
  readonly elsewhere: readonly string[];
}

interface Traced {
  readonly acked: number;
  readonly steps: Counted;
  readonly replays: Counted & { readonly asked: number };
}

const script = fileURLToPath(new URL('../../bench/frame/traced-steps.mjs', import.meta.url));
const hasStrace = spawnSync('strace', ['-V']).status === 0;
if (!hasStrace) console.log('mcp-strace: strace is not here; what a step costs in system calls is not counted');

/** What the built server asks of the system, as an agent's client drives it. The bench counts the same. */
describe.runIf(hasStrace)('system calls of the built server', () => {
  let traced: Traced;

  beforeAll(() => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`the server could not be traced: ${stderr}`);
    traced = JSON.parse(stdout) as Traced;
  }, 60_000);

  it('writes and syncs once a step, and not at all for a replay', () => {
    const { acked, steps, replays } = traced;
    expect(acked).toBeGreaterThan(2);
    expect([steps.writes, steps.syncs]).toEqual([acked, acked]);
    expect(replays.asked).toBe(5);
    expect([replays.writes, replays.syncs]).toEqual([0, 0]);
  });

  it('makes, renames and removes nothing in a session', () => {
    expect([...traced.steps.made, ...traced.replays.made]).toEqual([]);
  });

  it('touches nothing outside of its data folder', () => {
    expect([...traced.steps.elsewhere, ...traced.replays.elsewhere]).toEqual([]);
  });
});
