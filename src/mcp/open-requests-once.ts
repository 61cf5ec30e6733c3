import type { AgentRequests } from '../requests/requests.js';

export interface RequestsOnce {
  get(): Promise<AgentRequests>;
  close(): Promise<void>;
}

/** Opens the requests at the first call and not before: a client waits for `initialize`, and may never call. */
export function openRequestsOnce(
  workspace: () => Promise<string>,
  open: (workspace: string) => Promise<AgentRequests>,
): RequestsOnce {
  let opening: Promise<AgentRequests> | undefined;
  return {
    async get() {
      opening ??= workspace().then(open);
      const mine = opening;
      try {
        return await mine;
      } catch (cause) {
        // What failed may be mended by the next call: a full disk, a folder without permission.
        if (opening === mine) opening = undefined;
        throw cause;
      }
    },
    async close() {
      if (opening !== undefined) await (await opening).close();
    },
  };
}
