import { expect, it } from 'vitest';
import { serverUrl } from './server-url.js';

const server = (url: string) => ({
  url,
  variables: { region: { default: 'eu', choices: ['eu', 'us'] }, v: { default: '1' } },
});

it.each([
  ['https://{region}.example.com/v{v}/', {}, 'https://eu.example.com/v1'],
  ['https://{region}.example.com/v{v}', { variables: { region: 'us', v: '2' } }, 'https://us.example.com/v2'],
  ['/api/', { documentUrl: 'https://docs.example.com/x/openapi.json' }, 'https://docs.example.com/api'],
  ['../v2', { documentUrl: 'https://docs.example.com/x/y/openapi.json' }, 'https://docs.example.com/x/v2'],
  ['https://api.example.com/?key=1', {}, 'https://api.example.com?key=1'],
])('%s is a whole address', (url, choice, whole) => {
  expect(serverUrl(server(url), choice)).toEqual({ ok: true, value: whole });
});

it.each([
  ['/api', {}, 'does not say on which host'],
  ['https://{region}.example.com', { variables: { region: 'evil.example/' } }, 'one of eu, us'],
  ['https://{unknown}.example.com', {}, 'has no value'],
  ['file:///etc/passwd', {}, 'not an http or https address'],
  ['https://me:secret@example.com', {}, 'not an http or https address'],
])('%s is none', (url, choice, said) => {
  expect(serverUrl(server(url), choice)).toMatchObject({ ok: false, error: expect.stringContaining(said) });
});
