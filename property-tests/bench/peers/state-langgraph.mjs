import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** One thread whose state holds the document; each version is an update of it that leaves its checkpoint, synced. */
export async function open({ folder, document }) {
  const { Annotation, END, START, StateGraph } = await import('@langchain/langgraph');
  const { SqliteSaver } = await import('@langchain/langgraph-checkpoint-sqlite');
  const { default: Database } = await import('better-sqlite3');
  const db = new Database(join(folder, 'state.db'));
  const saver = new SqliteSaver(db);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  const board = Annotation({ reducer: (_, one) => one, default: () => undefined });
  const graph = new StateGraph(Annotation.Root({ board }))
    .addNode('work', () => ({}))
    .addEdge(START, 'work')
    .addEdge('work', END)
    .compile({ checkpointer: saver });
  const config = { configurable: { thread_id: 'one' } };
  await graph.updateState(config, { board: document }, 'work');
  return {
    write: () => graph.updateState(config, { board: document }, 'work'),
    bytes() {
      db.pragma('wal_checkpoint(TRUNCATE)');
      return readdirSync(folder)
        .filter((name) => name.startsWith('state.db'))
        .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    },
    close: () => db.close(),
  };
}
