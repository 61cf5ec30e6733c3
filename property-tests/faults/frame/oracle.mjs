import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const child = fileURLToPath(new URL('check-child.mjs', import.meta.url));

/**
 * Holds what is on the disk against what was said. What was acknowledged must be there, nothing may be there that was
 * not asked, no append may be there in half and no step without the one before it; what was answered is answered again,
 * and the session goes on. `looks` is how many folders one process looks at before another takes its place.
 */
export function openOracle(build, { looks = 50 } = {}) {
  let reader;
  let left = 0;
  const stop = () => {
    reader?.process.stdin.end();
    reader = undefined;
  };
  const start = () => {
    const spawned = spawn(process.execPath, [child, build.folder], {
      stdio: ['pipe', 'pipe', build.name === 'sound' ? 'inherit' : 'ignore'],
    });
    const lines = createInterface({ input: spawned.stdout })[Symbol.asyncIterator]();
    reader = { process: spawned, lines };
    left = looks;
  };
  return {
    /**
     * Resolves with what is wrong, `violations`, and with what was there. `may` are kinds of findings that are expected;
     * with `again` what was not acknowledged is asked once more, and must then be there once.
     */
    judge: async (world, ledger, { repeats = 4, may = [], again = false } = {}) => {
      if (left === 0) stop();
      if (reader === undefined) start();
      left -= 1;
      const { folder, dataDir, workspace, home, env } = world;
      reader.process.stdin.write(
        `${JSON.stringify({ world: { folder, dataDir, workspace, home, env }, ledger, repeats, may, again })}\n`,
      );
      const { value, done } = await reader.lines.next();
      if (done) {
        reader = undefined;
        left = 0;
        return {
          violations: ['the process that read the folder ended without a word'],
          events: 0,
          sessions: 0,
          torn: 0,
          texts: [],
          kinds: {},
        };
      }
      return JSON.parse(value);
    },
    close: stop,
  };
}
