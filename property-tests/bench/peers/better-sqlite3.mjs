import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A row a step. */
export async function open({ folder, payload }) {
  const { default: Database } = await import('better-sqlite3');
  const db = new Database(join(folder, 'steps.db'));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec('CREATE TABLE steps (seq INTEGER PRIMARY KEY, body TEXT NOT NULL)');
  const insert = db.prepare('INSERT INTO steps (body) VALUES (?)');
  return {
    step: (at) => insert.run(`${at} `.padEnd(payload, 'x')),
    bytes() {
      db.pragma('wal_checkpoint(TRUNCATE)');
      return readdirSync(folder)
        .filter((name) => name.startsWith('steps.db'))
        .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    },
    close: () => db.close(),
  };
}
