import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A row that holds the document as JSON and is put anew for each version, synced. Nothing is left of the version before it. */
export async function open({ folder, document }) {
  const { default: Database } = await import('better-sqlite3');
  const db = new Database(join(folder, 'state.db'));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec('CREATE TABLE states (id TEXT PRIMARY KEY, version INTEGER NOT NULL, body TEXT NOT NULL)');
  db.prepare('INSERT INTO states VALUES (?, 1, ?)').run('one', JSON.stringify(document));
  const update = db.prepare('UPDATE states SET body = ?, version = version + 1 WHERE id = ? AND version = ?');
  let version = 1;
  return {
    write() {
      const { changes } = update.run(JSON.stringify(document), 'one', version);
      if (changes !== 1) throw new Error('the row has another version');
      version += 1;
    },
    bytes() {
      db.pragma('wal_checkpoint(TRUNCATE)');
      return readdirSync(folder)
        .filter((name) => name.startsWith('state.db'))
        .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    },
    close: () => db.close(),
  };
}
