import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../src/base/json-value.js';
import type { EventDraft } from '../../src/events/event.js';
import { openFileStore } from '../../src/log/file-store.js';
import type { Requests } from '../../src/requests/requests.js';
import { sessionProjection } from '../../src/sessions/fold-session.js';
import { allowLocal } from './mini-api.js';
import { call, type Called, makeRequestsWorld, type RequestsWorld, type WorldOptions } from './requests-world.js';
import { type ScriptedServer, scriptedServer } from './scripted-server.js';
import { type Tracker, tracker, writeTrackerCatalog } from './tracker-api.js';

/** Runs that WorkRail drives itself, against an issue tracker that does what it is told. */
export interface RunnerWorld {
  readonly world: RequestsWorld;
  readonly server: ScriptedServer;
  readonly api: Tracker;
  /** Writes the workflow `team.flow` with these steps. */
  readonly workflow: (steps: string, more?: string) => void;
  readonly start: (by: Requests, more?: JsonObject) => Promise<Called>;
  /** Makes the call that goes on from an answer. */
  readonly goOn: (by: Requests, of: Pick<Called, 'answer'>, more?: JsonObject) => Promise<Called>;
  /** Looks where it stands that an answer tells of. */
  readonly look: (by: Requests, of: Pick<Called, 'answer'>) => Promise<Called>;
  /** Appends what another program of this installation appends. */
  readonly append: (draft: EventDraft) => Promise<void>;
  readonly close: () => Promise<void>;
}

const sessionOfRunner = 'RUN-1';

export async function makeRunnerWorld(options: WorldOptions, settings: object = {}): Promise<RunnerWorld> {
  const world = makeRequestsWorld(options);
  const api = tracker();
  const server = await scriptedServer(api.script);
  mkdirSync(join(world.folder, 'config', 'workrail'), { recursive: true });
  writeTrackerCatalog(world.data, server.origin, settings);
  allowLocal(world, 'tracker');
  return {
    world,
    server,
    api,
    workflow: (steps, more = '') =>
      world.writeWorkflow(
        'flow',
        `workflow: team.flow\ntitle: Flow\ndescription: Use this to try.\n${more}steps:\n${steps}`,
      ),
    start: (by, more = {}) =>
      call(by, 'start_workflow', { workflowId: 'team.flow', session: sessionOfRunner, ...more }),
    goOn: (by, { answer }, more = {}) => {
      const { stateToken, ackToken } = answer as { stateToken: string; ackToken?: string };
      return call(by, 'continue_workflow', { stateToken, ...(ackToken && { ackToken }), ...more });
    },
    look: (by, { answer }) => call(by, 'continue_workflow', { stateToken: answer['stateToken']! }),
    append: async (draft) => {
      const root = { kind: 'given', folder: world.data } as const;
      const store = openFileStore({
        roots: [root],
        newSessions: root,
        projection: sessionProjection,
        now: () => new Date(),
        randomBytes: (count) => randomBytes(count),
        log: () => undefined,
      });
      const [ref] = await store.list();
      if (ref === undefined) throw new Error('there is no session yet');
      const appended = await store.open(ref).append(
        () => ({ answer: undefined, events: [draft] }),
        () => undefined,
      );
      await store.close();
      if (!appended.ok) throw new Error(`not appended: ${JSON.stringify(appended.error)}`);
    },
    close: async () => {
      await world.close();
      await server.close();
    },
  };
}

/** The run, as the log names it. */
export const runOf = ({ world }: RunnerWorld): string => {
  const begun = world.lines().find(({ kind }) => kind === 'run_started');
  if (begun?.run === undefined) throw new Error('no run has begun');
  return begun.run;
};
