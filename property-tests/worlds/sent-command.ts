import { join } from 'node:path';
import { sha256Hex } from '../../src/base/digest.js';
import { ok } from '../../src/base/result.js';
import type { CallId } from '../../src/base/ids.js';
import type { CallSettings } from '../../src/calls/call-settings.js';
import type { CommandToSend } from '../../src/decide/commands/command-at.js';
import { planConfirmed } from '../../src/decide/commands/asks.js';
import type { CommandHere } from '../../src/decide/commands/command-decision.js';
import { decideCommand } from '../../src/decide/commands/decide-command.js';
import { decideTried } from '../../src/decide/commands/decide-tried.js';
import { idsFromSeed } from '../../src/decide/ids-from-seed.js';
import { compileSource } from '../../src/definitions/compile-source.js';
import type { RunStep } from '../../src/definitions/compiled/compiled-workflow.js';
import { sendCommand } from '../../src/requests/commands/send-command.js';
import { settledBelow } from '../../src/sessions/settled-below.js';
import { beginRun, type DecidedRun, key } from './decided-run.js';
import type { OperationShape } from '../../src/definitions/compiled/operation-shape.js';
import type { Sending, SendingWorld } from '../../src/requests/commands/prepare-command.js';
import { filesOf } from '../../src/requests/commands/files-of.js';
import { openWorkspaceFiles } from '../../src/requests/world/workspace-files.js';
import { openSecretAnswers } from '../../src/requests/world/secret-answers.js';
import { api, type CalledServers } from './called-servers.js';

const queries = ['page', 'offset', 'cursor', 'limit', 'key', 'q'];

/** An operation of the one catalog there is. */
export const operation = (more: Partial<OperationShape> = {}): OperationShape => ({
  catalogHash: 'c0ffee',
  method: 'GET',
  path: '/items',
  baseUrl: `${api}/v1`,
  safety: 'safe',
  parameters: queries.map((name) => ({ name, in: 'query' as const, required: false })),
  bodies: [],
  ...more,
});

export const jsonBody = { contentType: 'application/json', required: false };

/** A command with everything filled in, as if its step had been decided. */
export const toSend = (
  step: Partial<RunStep> = {},
  { operation: called = operation(), ...more }: Partial<CommandToSend> = {},
): CommandToSend => ({
  step: { kind: 'run', id: 'a', title: 'A', catalog: 'shop', command: 'list', ...step },
  operation: called,
  call: 'c_0123456789ab' as CallId,
  tried: 0,
  number: 1,
  since: undefined,
  with: {},
  named: { with: {} },
  secretParts: [],
  files: [],
  address: called.baseUrl ?? '',
  digest: '0123456789abcdef',
  writes: false,
  repeat: 'repeatable',
  scope: { inputs: {}, context: {}, outputs: {}, names: {} },
  ...more,
});

/** Where commands are sent from: a catalog with settings, and of the machine a workspace and a place for blobs. */
export function sendingWorld(
  { calls }: Pick<CalledServers, 'calls'>,
  settings: Partial<CallSettings> & { readonly missing?: boolean; readonly workspace?: string } = {},
): SendingWorld & { readonly blobs: Map<string, Uint8Array> } {
  const { missing = false, workspace = '/nowhere', ...rest } = settings;
  const entry = { id: 'shop', settings: rest };
  const blobs = new Map<string, Uint8Array>();
  const running: SendingWorld['store']['running'] = {
    blob: async (_, sha256) => blobs.get(sha256) as Buffer | undefined,
    putBlob: async (_, bytes) => {
      const sha256 = sha256Hex(bytes);
      blobs.set(sha256, Buffer.from(bytes));
      return sha256;
    },
  };
  return {
    blobs,
    calls,
    workspaceFiles: openWorkspaceFiles(workspace, join(workspace, 'config')),
    secretAnswers: openSecretAnswers(),
    store: { running },
    allowed: { of: () => rest.allow ?? [] },
    catalogs: { find: () => (missing ? undefined : entry), open: () => ok({ entry, catalog: { servers: [] } }) },
  } as unknown as SendingWorld & { readonly blobs: Map<string, Uint8Array> };
}

export const sending = (): Sending => ({
  place: { kind: 'given', name: '/nowhere' },
  mark: 'm4rk',
  signal: new AbortController().signal,
});

/** What commands of a played workflow are: the catalog `shop`, by name. */
export type Operations = { readonly [command: string]: OperationShape };

/** A workflow of commands that is played to its end in no log at all: what was recorded. */
export async function playCommands(env: SendingWorld, steps: string, operations: Operations): Promise<DecidedRun> {
  const lookUp = (catalog: string, command: string): OperationShape | undefined =>
    catalog === 'shop' ? operations[command] : undefined;
  const compiled = compileSource(`workflow: team.x\ndescription: D\nsteps:\n${steps}`, 'x', undefined, lookUp);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.violations, undefined, 1));
  const { workflow } = compiled;
  const run = beginRun(workflow, 'guided');
  const { session, record, root } = run;
  for (let turn = 0; ; turn += 1) {
    const node = settledBelow(session, session.nodes.get(root)!);
    const here: CommandHere = {
      workflow,
      key,
      engine: 'test',
      draw: idsFromSeed(`turn ${turn}`),
      mark: 'm4rk',
      addressOf: () => api,
      timeOf: Date.parse,
      secretAnswer: env.secretAnswers.of,
      filesOf: filesOf(env.workspaceFiles),
      hidden: env.calls.hidden,
      home: '0123456789abcdef',
      plan: () => 'pl_0123456789abcdef',
      now: 0,
      seal: () => '0123456789abcdef',
      isSealed: () => true,
      isAnswerSealed: () => true,
    };
    const decided = decideCommand(session, node, here);
    for (const draft of decided.events ?? []) record(draft);
    const asked = decided.kind === 'settled' ? decided.asked : undefined;
    if (asked?.writes !== undefined) {
      // The user agrees to everything.
      record(planConfirmed(node, { plan: asked.id, writes: [...asked.writes], home: here.home, by: 'caller' }, here));
      continue;
    }
    if (decided.kind !== 'send') return run;
    const { command } = decided;
    const sent = await sendCommand(env, command, sending());
    for (const draft of decideTried(session, node, { ...here, command, sent, sinceMs: 0 })) record(draft);
  }
}
