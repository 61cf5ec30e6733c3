import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A workflow that suspends itself after each step and is resumed with what was done. */
export async function open({ folder, payload }) {
  const { Mastra } = await import('@mastra/core');
  const { createStep, createWorkflow } = await import('@mastra/core/workflows');
  const { LibSQLStore } = await import('@mastra/libsql');
  const { z } = await import('zod');
  const note = z.object({ note: z.string() });
  const work = createStep({
    id: 'work',
    inputSchema: note,
    outputSchema: note,
    resumeSchema: note,
    suspendSchema: note,
    execute: async ({ inputData, resumeData, suspend }) => suspend({ note: (resumeData ?? inputData).note }),
  });
  const workflow = createWorkflow({ id: 'bench', inputSchema: note, outputSchema: note }).then(work).commit();
  const url = `file:${join(folder, 'mastra.db')}`;
  const storage = new LibSQLStore({ id: 'bench', url });
  const mastra = new Mastra({ workflows: { bench: workflow }, storage, logger: false });
  const made = mastra.getWorkflow('bench');
  // Renamed between versions.
  const run = await (made.createRunAsync ?? made.createRun).call(made);
  await run.start({ inputData: { note: 'begin' } });
  return {
    async step(at) {
      const { status, error } = await run.resume({ step: 'work', resumeData: { note: `${at} `.padEnd(payload, 'x') } });
      if (status !== 'suspended') throw new Error(`the run is ${status}: ${error?.message ?? ''}`);
    },
    async bytes() {
      // What waits in its log would be counted twice.
      const { createClient } = await import('@libsql/client');
      const beside = createClient({ url });
      await beside.execute('PRAGMA wal_checkpoint(TRUNCATE)');
      beside.close();
      return readdirSync(folder)
        .filter((name) => name.startsWith('mastra.db'))
        .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    },
    close: () => undefined,
  };
}
