import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface DemoFolder {
  readonly folder: string;
  readonly dataDir: string;
  readonly workspace: string;
  /** An environment in which nothing of the user's can be found or touched. */
  readonly env: Readonly<Record<string, string>>;
  remove(): void;
}

export function makeDemoFolder(): DemoFolder {
  const folder = mkdtempSync(path.join(tmpdir(), 'workrail-demo-'));
  const inside = (name: string): string => path.join(folder, name);
  for (const name of ['home', 'config', 'share', 'workspace']) mkdirSync(inside(name));
  return {
    folder,
    dataDir: inside('data'),
    workspace: inside('workspace'),
    env: {
      HOME: inside('home'),
      USERPROFILE: inside('home'),
      XDG_CONFIG_HOME: inside('config'),
      APPDATA: inside('config'),
      XDG_DATA_HOME: inside('share'),
      LOCALAPPDATA: inside('share'),
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}
