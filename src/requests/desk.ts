import { errorText } from '../base/error-text.js';
import type { Rejection } from '../base/rejection.js';
import { err, type Result } from '../base/result.js';
import type { Environment } from './environment.js';
import { initWorkspace } from './init-workspace.js';
import { readStory } from './read-story.js';
import { unexpected } from './unexpected.js';

/** What people ask of WorkRail, on the command line and in the web page, besides the calls that agents make. */
export type Desk = ReturnType<typeof openDesk>;

/** One line a request; each lives in a file of its own. Nothing is thrown at a caller. */
export function openDesk(env: Environment, log: (line: string) => void) {
  const guarded =
    <R, A>(name: string, request: (env: Environment, request: R) => Promise<Result<A, Rejection>>) =>
    async (asked: R): Promise<Result<A, Rejection>> => {
      try {
        return await request(env, asked);
      } catch (cause) {
        log(`${name}: ${errorText(cause)}`);
        return err(unexpected(cause));
      }
    };
  return {
    initWorkspace: guarded('initWorkspace', initWorkspace),
    readStory: guarded('readStory', readStory),
  };
}
