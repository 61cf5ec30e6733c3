import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A block a step. */
export async function open({ folder, payload }) {
  const { default: Hypercore } = await import('hypercore');
  const store = join(folder, 'core');
  const core = new Hypercore(store);
  await core.ready();
  return {
    step: (at) => core.append(Buffer.from(`${at} `.padEnd(payload, 'x'))),
    bytes: () =>
      readdirSync(store, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0),
    close: () => core.close(),
  };
}
