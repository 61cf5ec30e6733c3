import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sha256Hex } from '../../base/digest.js';
import { limits } from '../../base/limits.js';
import { thisProcess } from '../../files/this-process.js';
import type { LogRejection } from '../port/log-rejection.js';
import { Lease } from './lease.js';

let locks: string;
beforeEach(() => {
  locks = mkdtempSync(join(tmpdir(), 'workrail-lease-'));
});
afterEach(() => rmSync(locks, { recursive: true, force: true }));

const lease = (): Lease => new Lease(locks, 'ses_example');
const queue = (): string => join(locks, '.ses_example.queue');
const waiting = (): readonly string[] => (existsSync(queue()) ? readdirSync(queue()) : []);

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(1);
}

/** Begins to wait, and is in line when this resolves. */
async function comes(one: Lease, then: () => void): Promise<void> {
  const before = new Set(waiting());
  void one.take().then(then);
  await until(() => waiting().some((place) => !before.has(place)));
}

describe('a lock whose time lies in the future', () => {
  const self = thisProcess();
  const bare = { host: hostname(), pid: process.pid };
  const locked = async (holder: object): Promise<LogRejection | undefined> => {
    const path = join(locks, 'ses_example');
    mkdirSync(path);
    writeFileSync(`${path}.holder`, JSON.stringify({ ...holder, since: new Date().toISOString() }));
    utimesSync(path, Date.now() / 1000 + 86_400, Date.now() / 1000 + 86_400);
    const one = lease();
    const refused = await one.take();
    one.release();
    return refused;
  };

  test.each([
    ['a process before the machine was started anew', { ...self, boot: 'another' }],
    ['one whose number another has now', { ...self, started: '1' }],
    ['one of which no more is known than its number, which somebody has', bare],
    ['one of another machine', { host: 'elsewhere', pid: 1, started: '1', boot: 'another' }],
  ])('is nobody’s where it was taken by %s', async (_, holder) => {
    expect(await locked(holder)).toBeUndefined();
  });

  // Only where the system says when a process began can it be told from another.
  test.runIf(self.started !== undefined)('is held where its very holder lives', async () => {
    expect(await locked(self)).toMatchObject({ code: 'SESSION_BUSY' });
  });
});

describe('those who wait for a lease', () => {
  test('get it in the order in which they came, whoever let go of it last', async () => {
    const leases = ['a', 'b', 'c', 'd'].map((name) => ({ name, own: lease() }));
    const served: string[] = [];
    await leases[0]!.own.take();
    for (const { name, own } of leases.slice(1)) await comes(own, () => served.push(name));
    for (let turn = 0; turn < 8; turn += 1) {
      const holder = leases[turn % leases.length]!;
      holder.own.release();
      await comes(holder.own, () => served.push(holder.name));
      await until(() => served.length > turn);
      expect(served).toEqual(['b', 'c', 'd', 'a', 'b', 'c', 'd', 'a'].slice(0, turn + 1));
    }
    for (const { own } of leases) own.release();
  });

  test('keep their order on a machine that lets nobody run for a while', async () => {
    const sleep = (ms: number): void => {
      const since = performance.now();
      while (performance.now() - since < ms);
    };
    for (let round = 0; round < 24; round += 1) {
      const [holder, first, second, last] = [lease(), lease(), lease(), lease()];
      const served: string[] = [];
      await holder.take();
      await comes(first, () => served.push('first'));
      await comes(second, () => served.push('second'));
      await pause(2 * limits.lockRetryMs.most);
      holder.release();
      // It sees that the lease is free, and sees it so again after all have slept: in between somebody had it.
      await comes(last, () => served.push('last'));
      sleep(round % limits.lockRetryMs.most);
      await until(() => served.length === 1);
      sleep(2 * limits.leaseLeftMs);
      for (const one of [first, second, last]) {
        one.release();
        await until(() => [second, last].some(({ held }) => held) || served.length === 3);
      }
      expect(served).toEqual(['first', 'second', 'last']);
      for (const one of [first, second, last]) one.release();
    }
  });

  test('have time for something else, and only while they wait', async () => {
    const [holder, other] = [lease(), lease()];
    await holder.take();
    let meanwhile = 0;
    const taken = other.take(() => {
      expect(other.held).toBe(false);
      meanwhile += 1;
    });
    await until(() => meanwhile >= 2);
    expect(other.awaited).toBe(true);
    holder.release();
    await taken;
    const then = meanwhile;
    await pause(4 * limits.lockRetryMs.most);
    expect([other.held, other.awaited, meanwhile]).toEqual([true, false, then]);
    other.release();
  });

  test('leave nothing behind', async () => {
    const [a, b] = [lease(), lease()];
    await a.take();
    const taken = b.take();
    await until(() => waiting().length === 1);
    a.release();
    expect(await taken).toBeUndefined();
    b.release();
    expect(readdirSync(locks)).toEqual([]);
  });

  const here = sha256Hex(hostname()).slice(0, 8);
  test.each([
    ['a process of this machine that is gone', `0-${here}-${2 ** 22 + 1}-1`, 0, 0],
    ['one of another machine, which came long ago', '0-elsewher-1-1', 60, 0],
    ['one of another machine that does not come when it is its turn', '0-elsewher-1-1', 0, 1],
    ['one that is asleep', `0-${here}-${process.pid}-0`, 0, 1],
  ])('do not wait for %s', async (_, place, secondsAgo, left) => {
    mkdirSync(queue());
    writeFileSync(join(queue(), place), '');
    utimesSync(join(queue(), place), 0, Date.now() / 1000 - secondsAgo);
    const one = lease();
    expect(await one.take()).toBeUndefined();
    expect(waiting()).toHaveLength(left);
    one.release();
  });

  test('stand in line again when they were taken for gone', async () => {
    const [a, b] = [lease(), lease()];
    await a.take();
    const taken = b.take();
    await until(() => waiting().length === 1);
    rmSync(queue(), { recursive: true });
    await until(() => waiting().length === 1);
    await pause(limits.leaseSharedMs + limits.lockRetryMs.most);
    a.yieldIfAsked();
    expect(a.held).toBe(false);
    expect(await taken).toBeUndefined();
    b.release();
  });

  test('are no lock of a session that is called like their line', async () => {
    const [a, b, other] = [lease(), lease(), new Lease(locks, 'ses_example.queue')];
    await a.take();
    const taken = b.take();
    expect(await other.take()).toBeUndefined();
    a.release();
    expect(await taken).toBeUndefined();
    expect(existsSync(join(locks, 'ses_example.queue'))).toBe(true);
    b.release();
    other.release();
    expect(readdirSync(locks)).toEqual([]);
  });

  test('who is alone keeps what it has', async () => {
    const one = lease();
    await one.take();
    await pause(limits.leaseSharedMs + limits.lockRetryMs.most);
    one.yieldIfAsked();
    expect(one.held).toBe(true);
    one.release();
  });

  test('where no line can be formed, the lease is had all the same', async () => {
    writeFileSync(queue(), '');
    const [a, b] = [lease(), lease()];
    expect(await a.take()).toBeUndefined();
    const taken = b.take();
    await pause(20);
    a.release();
    expect(await taken).toBeUndefined();
    b.release();
  });
});
