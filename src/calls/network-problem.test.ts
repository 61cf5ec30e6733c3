import { errors } from 'undici';
import { expect, it } from 'vitest';
import { networkProblem } from './network-problem.js';

const url = new URL('https://api.example.com/v1/issues');
const problem = (code: string | undefined, sent: boolean, repeatable = false) =>
  networkProblem(Object.assign(new Error('of a library'), { code }), { method: 'POST', url, sent, repeatable });

/** As undici has them, and as Node does where the network or TLS fails. */
const codes = [
  ...Object.values(errors).flatMap((Kind) => {
    try {
      return [(new (Kind as new (...given: unknown[]) => { code?: string })('x', 1, {}) as { code?: string }).code];
    } catch {
      return [];
    }
  }),
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPROTO',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'EMFILE',
  'EADDRNOTAVAIL',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'HPE_INVALID_CONSTANT',
  'HPE_HEADER_OVERFLOW',
  'SOMETHING_NEW',
  undefined,
];

it('says in words what went wrong, and in no code of a library', () => {
  expect(codes).toContain('UND_ERR_SOCKET');
  expect(codes.length).toBeGreaterThan(30);
  for (const code of codes)
    for (const sent of [true, false])
      for (const repeatable of [true, false]) {
        const { message, action } = problem(code, sent, repeatable);
        const text = `${message} ${action}`.replace('NODE_EXTRA_CA_CERTS', '').replaceAll(/POST|HTTP|TLS/gu, '');
        expect(text).not.toMatch(/[A-Z]{3}|\(|undefined|of a library/u);
        if (sent) expect(message).toContain('POST https://api.example.com/v1/issues');
      }
});

it.each([
  ['UND_ERR_SOCKET', true, 'was sent, and the connection broke off before a complete answer came back.'],
  ['ECONNRESET', true, 'was sent, and the connection broke off before a complete answer came back.'],
  ['HPE_INVALID_CONSTANT', true, 'was sent, and what came back is not HTTP.'],
  ['UND_ERR_HEADERS_OVERFLOW', true, 'was sent, and the headers of its answer are too long to be read.'],
  ['ECONNREFUSED', false, 'could not be reached: nothing is listening there. Nothing was sent.'],
  ['UND_ERR_CONNECT_TIMEOUT', false, 'could not be reached: it did not take the connection in time. Nothing was sent.'],
  ['EAI_AGAIN', false, 'could not be reached: its name could not be looked up just now. Nothing was sent.'],
  ['CERT_HAS_EXPIRED', false, 'a certificate that is not trusted: it has expired. Nothing was sent.'],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    false,
    'a certificate that is not trusted: it is for another name. Nothing was sent.',
  ],
])('tells %s as what it is', (code, sent, words) => {
  expect(problem(code, sent).message).toContain(words);
});
