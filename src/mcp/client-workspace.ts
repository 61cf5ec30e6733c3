import type { Server } from '@modelcontextprotocol/server';
import { errorText } from '../base/error-text.js';
import { limits } from '../base/limits.js';
import type { Asked } from './asked.js';
import { rootFolder } from './root-folder.js';

/** Where the client works: the folder that was given, else its first root, else the folder of the process. Drawn once. */
export interface ClientWorkspace {
  readonly get: () => Promise<string>;
  /** A client of a connection that began with `initialize` is asked as soon as it is ready, so that its first call need not wait. */
  askOnceReady(server: Server): void;
  /** False where the client is asked instead of an answer. */
  isKnown(asked: Asked): boolean;
}

export interface WorkspaceOptions {
  readonly workspace: string | undefined;
  readonly workingFolder: string;
  readonly log: (line: string) => void;
}

export function clientWorkspace({ workspace, workingFolder, log }: WorkspaceOptions): ClientWorkspace {
  let drawn: Promise<string> | undefined = workspace === undefined ? undefined : Promise.resolve(workspace);
  let draw = (): Promise<string> => Promise.resolve(workingFolder);
  const get = (): Promise<string> => (drawn ??= draw());
  return {
    get,
    askOnceReady(server) {
      draw = async () => {
        if (server.getClientCapabilities()?.roots === undefined) return workingFolder;
        try {
          const { roots } = await server.listRoots(undefined, { timeout: limits.rootsWaitMs });
          return rootFolder(roots) ?? workingFolder;
        } catch (cause) {
          log(`the client did not name its roots (${errorText(cause)}); working in ${workingFolder}`);
          return workingFolder;
        }
      };
      server.oninitialized = () => void get();
    },
    isKnown(asked) {
      if (drawn !== undefined) return true;
      const roots = asked.roots();
      if (roots === 'asked') return false;
      drawn = Promise.resolve(rootFolder(roots) ?? workingFolder);
      return true;
    },
  };
}
