import { ok } from '../../src/base/result.js';
import type { CallId } from '../../src/base/ids.js';
import type { CallSettings } from '../../src/calls/call-settings.js';
import type { CommandToSend } from '../../src/decide/decide-command.js';
import type { RunStep } from '../../src/definitions/compiled/compiled-workflow.js';
import type { OperationShape } from '../../src/definitions/compiled/operation-shape.js';
import type { SendingWorld } from '../../src/requests/commands/prepare-command.js';
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
  with: {},
  scope: { inputs: {}, context: {}, outputs: {}, names: {} },
  ...more,
});

/** Where commands are sent from: a catalog with settings, and nothing of a machine. */
export function sendingWorld(
  { calls }: Pick<CalledServers, 'calls'>,
  settings: Partial<CallSettings> & { readonly missing?: boolean } = {},
): SendingWorld {
  const { missing = false, ...rest } = settings;
  const entry = { id: 'shop', settings: rest };
  return {
    calls,
    allowed: { of: () => rest.allow ?? [] },
    catalogs: { find: () => (missing ? undefined : entry), open: () => ok({ entry, catalog: { servers: [] } }) },
  } as unknown as SendingWorld;
}

export const sending = (): { readonly mark: string; readonly signal: AbortSignal } => ({
  mark: 'm4rk',
  signal: new AbortController().signal,
});
