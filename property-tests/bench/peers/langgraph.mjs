import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A graph of one node on one thread; each step is an invocation that leaves its checkpoint. `BENCH_VARIANT` says what it keeps and how it syncs. */
export async function open({ folder, payload }) {
  const { Annotation, END, START, StateGraph } = await import('@langchain/langgraph');
  const { SqliteSaver } = await import('@langchain/langgraph-checkpoint-sqlite');
  const { default: Database } = await import('better-sqlite3');
  const [full, grows] = ['full', 'grows'].map((variant) => process.env.BENCH_VARIANT === variant);
  const db = new Database(join(folder, 'graph.db'));
  const saver = new SqliteSaver(db);
  db.pragma('journal_mode = WAL');
  if (full) db.pragma('synchronous = FULL');
  const note = grows
    ? Annotation({ reducer: (all, one) => all.concat(one), default: () => [] })
    : Annotation({ reducer: (_, one) => one, default: () => '' });
  const state = Annotation.Root({ note });
  const graph = new StateGraph(state)
    .addNode('work', ({ note: given }) => ({ note: grows ? [] : given }))
    .addEdge(START, 'work')
    .addEdge('work', END)
    .compile({ checkpointer: saver });
  const config = { configurable: { thread_id: 'one' } };
  return {
    step(at) {
      const text = `${at} `.padEnd(payload, 'x');
      return graph.invoke({ note: grows ? [text] : text }, config);
    },
    bytes() {
      db.pragma('wal_checkpoint(TRUNCATE)');
      return readdirSync(folder)
        .filter((name) => name.startsWith('graph.db'))
        .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    },
    close: () => db.close(),
  };
}
