import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { draftOf, eventKinds } from '../../property-tests/worlds/event-generators.js';
import { expectTimeInStep } from '../../property-tests/worlds/time-in-step.js';
import type { EventSum, WriterId } from '../base/ids.js';
import { isJsonObject, type JsonObject } from '../base/json-value.js';
import { eventData, type EventKind } from '../events/event-data.js';
import type { Event } from '../events/event.js';
import { leaksIn, secretsIn } from './secrets-in-event.js';

const noteOf = (text: string): Event<'note_added'> => ({
  v: 1,
  seq: 1,
  by: 'writer01' as WriterId,
  at: '2026-01-02T03:04:05.678Z',
  prev: '',
  sum: '0123456789abcdef' as EventSum,
  kind: 'note_added',
  data: { text },
});
const withArtifact = (artifact: JsonObject): Event<'checkpoint'> => ({
  ...noteOf(''),
  kind: 'checkpoint',
  data: {
    output: { artifacts: [artifact] },
    brought: '0123456789abcdef',
    key: 'k_00000000',
  } as Event<'checkpoint'>['data'],
});

const sets = {
  hex: '0123456789abcdef',
  upper: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  digits: '0123456789',
  base62: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
} as const;

/** Characters that look drawn at random, and are not shrunk into a row of the same one. */
function drawn(set: keyof typeof sets, count: number, seed: string): string {
  const bytes = createHash('shake256', { outputLength: count }).update(seed).digest();
  return Array.from(bytes, (byte) => sets[set][byte % sets[set].length]).join('');
}

/** One canary of every shape there is. The prefixes stand apart, so that no scanner takes this file for a leak. */
const shapes: { readonly [shape: string]: (seed: string) => string } = {
  'private key': (s) =>
    `-----BEGIN ${'RSA '}PRIVATE KEY-----\n${drawn('base62', 200, s)}\n-----END ${'RSA '}PRIVATE KEY-----`,
  'OpenSSH key': (s) => `-----BEGIN ${'OPENSSH '}PRIVATE KEY-----\n${drawn('base62', 200, s)}`,
  AWS: (s) => `${'AK'}IA${drawn('upper', 16, s)}`,
  'GitHub, old': (s) => `${'gh'}p_${drawn('base62', 36, s)}`,
  'GitHub, new': (s) => `${'github'}_pat_${drawn('base62', 22, s)}_${drawn('base62', 59, `${s}b`)}`,
  GitLab: (s) => `${'gl'}pat-${drawn('base62', 20, s)}`,
  'Slack token': (s) => `${'xo'}xb-${drawn('digits', 12, s)}-${drawn('base62', 24, s)}`,
  'Slack webhook': (s) =>
    `https://${'hooks'}.slack.com/services/T${drawn('upper', 8, s)}/B${drawn('upper', 8, `${s}b`)}/${drawn('base62', 24, s)}`,
  OpenAI: (s) => `${'sk'}-proj-${drawn('base62', 48, s)}7`,
  Anthropic: (s) => `${'sk'}-ant-api03-${drawn('base62', 80, s)}`,
  Google: (s) => `${'AI'}za${drawn('base62', 35, s)}`,
  'Google OAuth': (s) => `${'GOC'}SPX-${drawn('base62', 28, s)}`,
  npm: (s) => `${'np'}m_${drawn('base62', 36, s)}`,
  PyPI: (s) => `${'py'}pi-${drawn('base62', 120, s)}`,
  Stripe: (s) => `${'sk'}_live_${drawn('base62', 24, s)}`,
  SendGrid: (s) => `${'S'}G.${drawn('base62', 22, s)}.${drawn('base62', 43, `${s}b`)}`,
  Twilio: (s) => `${'S'}K${drawn('hex', 32, s)}`,
  JWT: (s) =>
    `${'ey'}J${drawn('base62', 30, s)}.${'ey'}J${drawn('base62', 60, `${s}b`)}.${drawn('base62', 43, `${s}c`)}`,
  Telegram: (s) => `1${drawn('digits', 8, s)}:${'A'}A${drawn('base62', 33, s)}`,
  'Hugging Face': (s) => `${'h'}f_${drawn('base62', 34, s)}`,
  DigitalOcean: (s) => `${'do'}p_v1_${drawn('hex', 64, s)}`,
  Shopify: (s) => `${'shp'}at_${drawn('hex', 32, s)}`,
  Vault: (s) => `${'hv'}s.${drawn('base62', 24, s)}`,
  Azure: (s) => `Account${'Key'}=${drawn('base62', 86, s)}==`,
  'basic auth in an address': (s) => `https://deploy:${drawn('base62', 20, s)}@git.acme.io/shop.git`,
  'database address': (s) => `postgres://shop:${drawn('base62', 12, s)}@db.internal:5432/shop`,
  'a variable': (s) => `DB_PASSWORD=${drawn('base62', 20, s)}7aZ`,
  'a key in YAML': (s) => `api_key: "${drawn('base62', 32, s)}7aZ"`,
  'a header': (s) => `Authorization: Bearer ${drawn('base62', 40, s)}7aZ`,
  'an option': (s) => `deploy --token ${drawn('base62', 40, s)}7aZ`,
  'JSON in a text': (s) => JSON.stringify({ clientSecret: `${drawn('base62', 32, s)}7aZ` }),
  'a login without a scheme': (s) => `oauth2:${drawn('base62', 20, s)}7aZ@host.acme.io/shop.git`,
  'a login that is a token': (s) => `https://${drawn('base62', 32, s)}7aZ@host.acme.io/shop.git`,
  prose: (s) => `The password is ${drawn('base62', 16, s)}7aZ.`,
};

const eventOf = (kind: EventKind, data: object): Event => ({ ...noteOf(''), kind, data }) as Event;

/** Every text that the schemas let into a line, found in drawn lines, with a secret in its place. */
function secretPlaces(): readonly (readonly [string, Event, string])[] {
  const secret = shapes['Stripe']!('9');
  const places = new Map<string, readonly [string, Event, string]>();
  for (const draft of fc.sample(fc.oneof(...eventKinds.map(draftOf)), { numRuns: 2_000, seed: 7 })) {
    const visit = (value: unknown, pointer: string, put: (value: unknown) => unknown): void => {
      const place = `${draft.kind}${pointer.replaceAll(/\/\d+/gu, '/*')}`;
      if (typeof value === 'string' || /\/items\/\d+$/u.test(pointer)) {
        const event = { ...noteOf(''), ...draft, data: put(secret) };
        // What the schema holds to a pattern or to a list of words can be no secret.
        if (!places.has(place) && eventData[draft.kind].safeParse(event.data).success)
          places.set(place, [place, event as Event, pointer]);
      } else if (Array.isArray(value))
        for (const [index, child] of value.entries())
          visit(child, `${pointer}/${index}`, (now) => put(value.with(index, now)));
      else if (
        isJsonObject(value) &&
        !/^\/(?:context|added|inputs|late\/context|output\/artifacts\/\d+|headers|ops\/\d+|schema\/json|(?:body|value|read\/value)(?:\/\d+)*)$/u.test(
          pointer,
        )
      )
        for (const [key, child] of Object.entries(value))
          visit(child, `${pointer}/${key}`, (now) => put({ ...value, [key]: now }));
      else if (isJsonObject(value) && pointer === '/added')
        places.set(place, [place, { ...noteOf(''), ...draft, data: put({ x: [secret] }) } as Event, '/added/x/0']);
      else if (isJsonObject(value) && !places.has(place))
        places.set(place, [place, { ...noteOf(''), ...draft, data: put({ x: secret }) } as Event, `${pointer}/x`]);
    };
    visit(draft.data, '', (value) => value);
  }
  const beside: unknown = { ...noteOf(''), origin: secret, at: secret };
  return [...places.values(), ['the origin', beside as Event, '/origin'], ['the time', beside as Event, '/at']];
}

const words = fc
  .array(
    fc.constantFrom(
      'the',
      'token',
      'is',
      'refreshed',
      'by',
      'password',
      'reset',
      'secret',
      'santa',
      'api',
      'key',
      'rotation',
      'über',
      'naïve',
      'login:',
      '—',
      '✓',
      'see',
      'auth.ts:42',
      'src/auth/token-store.ts',
      '(done)',
      '`npm test`',
      '漢字',
      'tokens=1200',
      'max_tokens: 4096',
    ),
    { maxLength: 30 },
  )
  .map((list) => list.join(' '));
const seeds = fc.integer().map(String);

describe('what looks like a credential', () => {
  test.each(Object.keys(shapes))(
    '%s: a planted one is found wherever it stands, and its sample does not give it away',
    (name) => {
      fc.assert(
        fc.property(seeds, words, words, (seed, before, after) => {
          const canary = shapes[name]!(seed);
          const event = noteOf(`${before}\n${canary}\n${after}`);
          const found = secretsIn(event);
          expect(found.map(({ pointer }) => pointer)).toContain('/text');
          // The part that must stay secret is what stands there at random; any long piece of it would be too much.
          for (const { sample } of found)
            for (const { text } of leaksIn(event))
              expect(text.slice(0, 12).length < 12 || !sample.includes(text.slice(0, 12))).toBe(true);
          expect(leaksIn(event).some(({ text }) => canary.includes(text))).toBe(true);
        }),
        { numRuns: 30 },
      );
    },
  );

  test('prose, code, paths, digests and placeholders give nothing', () => {
    const harmless = fc.oneof(
      words,
      seeds.map(
        (s) => `fixed in ${drawn('hex', 40, s)}, before that ${drawn('hex', 7, s)}; sha256:${drawn('hex', 64, s)}`,
      ),
      seeds.map(
        (s) =>
          `session ${drawn('hex', 8, s)}-${drawn('hex', 4, s)}-4${drawn('hex', 3, s)}-a${drawn('hex', 3, s)}-${drawn('hex', 12, s)} and integrity sha512-${drawn('base62', 86, s)}==`,
      ),
      seeds.map((s) => `stateToken: st.v1.${drawn('base62', 24, s)} ackToken=ack.v1.${drawn('base62', 24, s)}`),
      fc.constantFrom(
        'const token = await getAccessToken(request);',
        'if (password !== user.password) throw new Error("wrong password");',
        'password: string; token?: string | undefined; secret: z.string().min(8)',
        'const apiKey = process.env.OPENAI_API_KEY ?? config.apiKey;',
        'export API_KEY=$OPENAI_API_KEY PASSWORD=${DB_PASSWORD} TOKEN={{ vault.token }}',
        'api_key: <your-api-key>, token: YOUR_TOKEN_HERE, secret: xxxxxxxxxxxxxxxx, password: ********',
        'sk-your-api-key-goes-here, ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx, AKIAIOSFODNN7EXAMPLE',
        'The secret: write tests first. Password: required. Authorization: none.',
        'token_type: "access_token_v2", tokenId: 550e8400-e29b-41d4-a716-446655440000',
        'passwordHash: $2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy',
        'reason: needs_user_secret_or_token; model: claude-3-5-sonnet-20241022; max_tokens=4096',
        'token: src/auth/token-store.ts:42 and credentials: ~/.aws/credentials',
        'clone https://github.com/acme/shop.git or ssh://git@github.com:22/acme; http://user:password@localhost',
        'the token is tokens=1200',
        'npm:lodash@4 ghcr.io/acme/app:1.2.3-beta4@sha256:0a1b mailto:ann@acme.io git@github.com:acme/shop.git cc:@ann-lee',
        'task-risk-assessment-and-mitigation-planning, disk-usage, desk-top-publishing-for-everyone',
      ),
    );
    fc.assert(
      fc.property(fc.array(harmless, { maxLength: 4 }), (parts) => {
        expect(secretsIn(noteOf(parts.join('\n')))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test.each(secretPlaces())('one in %s is found', (_place, event, pointer) => {
    expect(secretsIn(event).map((found) => found.pointer)).toContain(pointer);
  });

  test.each([
    'oauth2:hunter22@host.example/x',
    'https:ann:hunter22@host.example/x',
    'gcrypt::https://hunter22@host.example/x',
    'codecommit::eu-west-1://hunter22@thing',
  ])('the login of a remote that an older program recorded is one, however weak: %s', (remote) => {
    const event = eventOf('observation', { remote });
    expect(leaksIn(event).map(({ pointer, text }) => [pointer, text])).toEqual([['/remote', 'hunter22']]);
    expect(secretsIn(eventOf('observation', { remote: 'git@host.example:team/x.git' }))).toEqual([]);
  });

  test('keys of objects tell, and so does the name beside a value', () => {
    const value = drawn('base62', 24, 'a7');
    expect(secretsIn(withArtifact({ kind: 'env', db: { password: value } }))).toEqual([
      {
        name: 'a secret next to "password"',
        pointer: '/output/artifacts/0/db/password',
        sample: `${value.slice(0, 4)}… (24 characters)`,
      },
    ]);
    expect(secretsIn(withArtifact({ kind: 'env', env: [{ name: 'API_KEY', value }] }))).toMatchObject([
      { pointer: '/output/artifacts/0/env/0/value' },
    ]);
    expect(secretsIn(withArtifact({ kind: 'env', 'a/b~c': { tokens: [value], token: [value] } }))).toMatchObject([
      { pointer: '/output/artifacts/0/a~1b~0c/token/0' },
    ]);
    expect(
      secretsIn(withArtifact({ kind: 'env', digest: value, password: '<your-password>', secret: '', token: 12 })),
    ).toEqual([]);
  });

  test('a key that is a secret itself does not stand in the pointer', () => {
    const secret = shapes['Stripe']!('9');
    const found = secretsIn(withArtifact({ kind: 'map', [secret]: { token: drawn('base62', 30, '3') } }));
    expect(found).toHaveLength(2);
    expect(JSON.stringify(found)).not.toContain(secret);
  });

  test('any text takes a time in line with its length', async () => {
    const size = 64 * 1024;
    const repeated = [
      'a',
      'eyJ',
      'eyJ-',
      'eyJaaaaaaaaaa.',
      'sk-',
      'password',
      'token=',
      'token: "',
      ':',
      '://',
      '://a:',
      '-----BEGIN A ',
      'A ',
      '=',
      ' ',
      '\\',
      'SG.',
      'Bearer ',
      '--password ',
      'x:AA',
      '0',
      'ghp_a',
      '漢',
      '\n',
      'AccountKey=',
      '8Q~',
      '{"a":',
    ];
    for (const piece of repeated) {
      await expectTimeInStep(
        (length) => secretsIn(noteOf(piece.repeat(Math.ceil(length / piece.length)))),
        size,
        piece,
      );
    }
  }, 120_000);
});
