import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Files of others that lie beside a checkout. */
export const corpora = fileURLToPath(new URL('../../../shared/corpora', import.meta.url));

/** Every file of one of them. Where it is not there, whoever was told to try it fails. */
export function filesOf(name: string): readonly string[] {
  return readdirSync(join(corpora, name), { recursive: true, withFileTypes: true })
    .flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []))
    .toSorted();
}
