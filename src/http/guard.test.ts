import { describe, expect, it, test } from 'vitest';
import { guard, type GuardOptions, loopbackHosts } from './guard.js';

const options: GuardOptions = { port: 4747, hosts: loopbackHosts, token: undefined };
const ask = (headers: readonly string[], method = 'GET', url = '/api/sessions', over: Partial<GuardOptions> = {}) =>
  guard({ method, url, rawHeaders: headers }, { ...options, ...over })?.code;
const local = ['Host', '127.0.0.1:4747'];

describe('who may come in', () => {
  test.each(['127.0.0.1:4747', 'localhost:4747', 'LOCALHOST:4747', '[::1]:4747'])('by the name %s', (host) => {
    expect(ask(['Host', host])).toBeUndefined();
    expect(ask(['Host', host, 'Origin', `http://${host}`, 'Sec-Fetch-Site', 'same-origin'])).toBeUndefined();
  });

  test.each([
    'evil.test:4747',
    'localhost.:4747',
    '127.0.0.1.:4747',
    '0.0.0.0:4747',
    '[::]:4747',
    '127.0.0.1',
    '127.0.0.1:80',
    '127.0.0.1:47470',
    '192.168.1.5:4747',
    '127.0.0.1:4747.evil.test',
    '127.0.0.1:4747@evil.test',
    '127.0.0.2:4747',
    '',
    '127.1:4747',
    '2130706433:4747',
    'localhost:4747 ',
  ])('not by the name %j', (host) => expect(ask(['Host', host])).toBe('HOST_REFUSED'));

  it('not without a host, with two, or with another in the request line', () => {
    expect(ask([])).toBe('HOST_REFUSED');
    expect(ask([...local, ...local])).toBe('HOST_REFUSED');
    expect(ask([...local, 'HOST', 'evil.test'])).toBe('HOST_REFUSED');
    expect(ask(local, 'GET', 'http://evil.test/api')).toBe('HOST_REFUSED');
    expect(ask(local, 'OPTIONS', '*')).toBe('HOST_REFUSED');
  });

  test.each([
    'https://evil.example',
    'null',
    'http://127.0.0.1',
    'https://127.0.0.1:4747',
    'http://127.0.0.1:4747.evil.test',
    'http://localhost:4748',
    '',
    'file://',
    'http://127.0.0.1:4747/',
  ])('no page of %j', (origin) => {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS'])
      for (const url of ['/api/sessions', '/api/events', '/mcp', '/'])
        expect(ask([...local, 'Origin', origin, 'X-WorkRail', '1'], method, url)).toBe('ORIGIN_REFUSED');
  });

  it('no two origins, and nothing that a browser says comes from elsewhere', () => {
    expect(ask([...local, 'Origin', 'http://127.0.0.1:4747', 'origin', 'http://127.0.0.1:4747'])).toBe(
      'ORIGIN_REFUSED',
    );
    for (const site of ['cross-site', 'same-site', 'Same-Origin '])
      expect(ask([...local, 'Sec-Fetch-Site', site])).toBe('CROSS_SITE_REFUSED');
    expect(ask([...local, 'Sec-Fetch-Site', 'none'])).toBeUndefined();
  });

  it('to change something only with the header that no form can send', () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(ask(local, method)).toBe('HEADER_MISSING');
      expect(ask([...local, 'X-WorkRail', '1'], method)).toBeUndefined();
      expect(ask(local, method, '/mcp')).toBeUndefined();
      expect(ask(local, method, '/mcp2')).toBe('HEADER_MISSING');
    }
  });

  it('with a token only with that token', () => {
    const token = 'correct-horse';
    const asked = (...headers: string[]) => ask([...local, ...headers], 'GET', '/api/events', { token });
    expect(asked('Authorization', `Bearer ${token}`)).toBeUndefined();
    expect(asked('authorization', `bearer ${token}`)).toBeUndefined();
    expect(asked('Cookie', `a=b; workrail-4747=${token}`)).toBeUndefined();
    for (const headers of [
      [],
      ['Authorization', 'Bearer wrong'],
      ['Authorization', token],
      ['Authorization', `Bearer ${token}x`],
      ['Authorization', `Basic ${token}`],
      ['Cookie', `workrail-4748=${token}`],
      ['Authorization', `Bearer ${token}`, 'Authorization', 'Bearer x'],
      ['Authorization', 'Bearer wrong', 'Cookie', `workrail-4747=${token}`],
      ['Cookie', `workrail-4747=${token}; workrail-4747=x`],
    ]) {
      expect({ headers, code: asked(...headers) }).toEqual({ headers, code: 'TOKEN_REFUSED' });
    }
  });
});
