import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { api, calledServers, get, settings } from '../../worlds/called-servers.js';

const isLoaded = (): boolean =>
  Object.keys(createRequire(import.meta.url).cache).some((file) => file.includes('/node_modules/undici/'));

it('loads what sends requests with the first that is sent', async () => {
  const world = await calledServers();
  expect(isLoaded()).toBe(false);
  expect(await world.calls.of(settings()).send(get(api))).toMatchObject({ kind: 'answered' });
  expect(isLoaded()).toBe(true);
  await world.close();
});

it('says in which spelling an address is to be allowed', async () => {
  const world = await calledServers();
  const told = await world.calls.of(settings()).send(get('http://[::1]:3000/'));
  expect(told).toMatchObject({ kind: 'not_sent', problem: { action: expect.stringContaining('add [::1]:3000 to') } });
  const allowed = settings({ allow: ['[::1]:3000'] });
  expect(await world.calls.of(allowed).send(get('http://[::1]:3000/'))).toMatchObject({ kind: 'answered' });
  await world.close();
});
