import { spawnSync } from 'node:child_process';
import type { DemoFolder } from './demo-folder.js';

/** Runs a command of ours to its end, as somebody would at a shell. */
export type RunProgram = (args: readonly string[], typed?: string) => { readonly code: number; readonly text: string };

export function programIn(program: string, { dataDir, workspace, env }: DemoFolder): RunProgram {
  return (args, typed) => {
    const options = {
      cwd: workspace,
      env: { ...env, WORKRAIL_DATA_DIR: dataDir },
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      ...(typed !== undefined && { input: typed }),
    } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], options);
    return { code: status ?? 1, text: status === 0 ? stdout : `${stdout}${stderr}` };
  };
}
