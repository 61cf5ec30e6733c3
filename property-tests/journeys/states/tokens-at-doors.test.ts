import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SessionId, VersionId } from '../../../src/base/ids.js';
import type { JsonObject } from '../../../src/base/json-value.js';
import type { Requests } from '../../../src/requests/requests.js';
import { openKeys } from '../../../src/machine/keys.js';
import { sealWrite } from '../../../src/tokens/token.js';
import { makeCommandLineWorld } from '../../worlds/command-line-world.js';
import { serveRequests } from '../../worlds/http-world.js';
import {
  call,
  type Fields,
  linesOnDisk,
  makeRequestsWorld,
  type RequestsWorld,
  textOf,
} from '../../worlds/requests-world.js';

let world: RequestsWorld;
let requests: Requests;
beforeEach(async () => {
  world = makeRequestsWorld({ seed: 33 });
  requests = world.open();
  await begin(requests);
});
afterEach(() => world.close());

async function begin(by: Requests): Promise<void> {
  await by.people.addSchema({ name: 'any', json: { type: 'object' } });
  for (const session of ['ONE', 'TWO'])
    await call(by, 'state_create', { schemaName: 'any', initialData: { tree: session }, session });
}

const read = async (args: JsonObject, by = requests): Promise<Fields> => (await call(by, 'state_read', args)).answer;
const operations = [{ op: 'add', path: '/mine', value: 1 }];
const changes = (): number => linesOnDisk(world.data).filter(({ kind }) => kind === 'state_changed').length;

describe('a write token', () => {
  it('makes one version, however often and from however many processes the same is written with it', async () => {
    const { writeToken } = await read({ session: 'ONE' });
    const others = [world.open(), world.open()];
    const answers = await Promise.all(
      [requests, ...others, requests, ...others].map((by) =>
        call(by, 'state_patch', { writeToken, operations } as JsonObject),
      ),
    );
    const etags = answers.map(({ answer }) => textOf(answer['etag']));
    expect(new Set(etags).size).toBe(1);
    expect(answers.filter(({ answer }) => answer['unchanged'] === undefined)).toHaveLength(1);
    expect(changes()).toBe(1);
    // Others have gone on since: it is still the same write, and the same update is another.
    await call(requests, 'state_patch', { session: 'ONE', operations: [{ op: 'replace', path: '/mine', value: 2 }] });
    const late = await call(world.open(), 'state_patch', { writeToken, operations } as JsonObject);
    expect(late.answer).toMatchObject({ etag: etags[0], unchanged: 'already written' });
    expect((await read({ session: 'ONE' }))['current_data']).toMatchObject({ mine: 2 });
    expect(changes()).toBe(2);
  });

  it('of another state, version, agent or installation is refused, and writes nothing', async () => {
    const [one, two] = [await read({ session: 'ONE' }), await read({ session: 'TWO' })];
    const token = textOf(one['writeToken']);
    const key = openKeys(
      join(world.folder, 'config', 'workrail'),
      () => new Uint8Array(),
      () => undefined,
    ).current();
    const [id, version] = [textOf(one['root_session_id']) as SessionId, textOf(one['etag']).split('-')[1] as VersionId];
    expect(sealWrite(key, id, version, '')).toBe(token);
    const elsewhere = makeRequestsWorld({ seed: 34 });
    try {
      const there = elsewhere.open();
      await begin(there);
      const strange = {
        'of another agent': sealWrite(key, id, version, 'ag_0000000000'),
        'of a version that is none': sealWrite(key, id, '0123456789ab' as VersionId, ''),
        'of another session': sealWrite(key, 'ses_another' as SessionId, version, ''),
        'of another installation': textOf((await read({ session: 'ONE' }, there))['writeToken']),
        'with one letter changed': `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`,
      };
      for (const [what, writeToken] of Object.entries(strange))
        for (const more of [{}, { session: 'ONE' }, { stateId: textOf(one['state_id']) }]) {
          const { answer } = await call(requests, 'state_patch', { writeToken, operations, ...more });
          expect(['TOKEN_FOREIGN', 'TOKEN_MALFORMED'], what).toContain(answer['error_code']);
          const whole = await call(requests, 'state_update', { writeToken, data: {}, ...more });
          expect(['TOKEN_FOREIGN', 'TOKEN_MALFORMED'], what).toContain(whole.answer['error_code']);
        }
    } finally {
      await elsewhere.close();
    }
    for (const cut of [
      '',
      'sw.v1.',
      token.slice(0, 20),
      `${token}0`,
      `sw.v2.${token.slice(6)}`,
      `st1_${token.slice(6)}`,
    ]) {
      const { answer } = await call(requests, 'state_patch', { writeToken: cut, operations });
      expect(['TOKEN_MALFORMED', 'TOKEN_VERSION', 'VALIDATION_ERROR'], cut).toContain(answer['error_code']);
    }
    const crossed = await call(requests, 'state_patch', {
      writeToken: token,
      stateId: textOf(two['state_id']),
      operations,
    });
    expect(crossed.answer['error_code']).toBe('TOKEN_SCOPE_MISMATCH');
    expect(changes()).toBe(0);
  });
});

describe('the id of another tree’s state', () => {
  it('is not known here, at every door, and nothing is written', async () => {
    const elsewhere = makeRequestsWorld({ seed: 35 });
    const typed = makeCommandLineWorld();
    try {
      const there = elsewhere.open();
      await begin(there);
      const stateId = textOf((await read({ session: 'ONE' }, there))['state_id']);
      for (const [tool, args] of [
        ['state_read', { stateId }],
        ['state_patch', { stateId, operations }],
        ['state_update', { stateId, data: {} }],
        ['state_schema', { stateId }],
      ] as const)
        expect((await call(requests, tool, args)).answer['error_code'], tool).toBe('NOT_FOUND');
      const served = await serveRequests(requests);
      const path = `${served.origin}/workflow-states/${stateId}`;
      const send = (method: string, body?: JsonObject): RequestInit => ({
        method,
        headers: { 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const asked = [send('GET'), send('PUT', { data: {} }), send('PATCH', { operations }), send('DELETE')];
      for (const init of asked) expect((await fetch(path, init)).status, init.method).toBe(404);
      for (const [part, body] of [
        ['fork', {}],
        ['settle', { conflict: 'v2-0123456789ab', how: 'leave' }],
      ] as const)
        expect((await fetch(`${path}/${part}`, send('POST', body))).status, part).toBe(404);
      await served.close();
      for (const words of [
        ['state', 'show', stateId],
        ['state', 'patch', stateId, JSON.stringify(operations)],
        ['state', 'close', stateId],
      ]) {
        const { code, out, err } = await typed.run(words);
        expect(code, words.join(' ')).not.toBe(0);
        expect(out + err).toContain(`no shared state "${stateId}"`);
      }
      expect(changes()).toBe(0);
      expect((await read({ session: 'ONE' }, there))['version']).toBe(1);
    } finally {
      typed.close();
      await elsewhere.close();
    }
  });
});
