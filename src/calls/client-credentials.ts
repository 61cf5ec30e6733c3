import { isJsonObject } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { own } from '../base/own.js';
import { err, ok, type Result } from '../base/result.js';
import { listedOnly } from './address-rules.js';
import { type CallProblem, callProblem } from './call-problem.js';
import type { CatalogAuth } from './call-settings.js';
import { type CalledCatalog, type CallsWorld, secretsFor } from './calls-world.js';
import { checkedUrl } from './checked-url.js';
import { timeLimit } from './clock.js';
import { basic } from './credentials.js';
import { fillText, type ReadSecret } from './fill-secrets.js';
import { networkProblem } from './network-problem.js';
import { bodyOf, headerTexts, unpacked } from './read-answer.js';

type Auth = Extract<CatalogAuth, { readonly kind: 'client_credentials' }>;
type Asked = Promise<Result<Token, CallProblem>>;

interface Token {
  readonly text: string;
  readonly until: number;
}

/** Tokens that servers hand out for an id and a secret. They are kept in memory alone. */
export interface Tokens {
  /** Whoever asks while another does gets the same. */
  readonly ask: (catalog: CalledCatalog, auth: Auth) => Promise<Result<string, CallProblem>>;
  /** The server does not take it any more. */
  readonly forget: (token: string) => void;
}

export function openTokens(world: CallsWorld): Tokens {
  const kept = new Map<string, { readonly asked: Asked; token?: Token }>();
  return {
    ask: async (catalog, auth) => {
      const client = clientOf(world, catalog, auth);
      if (!client.ok) return client;
      const key = JSON.stringify([catalog.settings.catalog, catalog.origin, client.value, auth.scopes]);
      const known = kept.get(key);
      if (known !== undefined && (known.token === undefined || world.clock.now() < known.token.until)) {
        const token = await known.asked;
        return token.ok ? ok(token.value.text) : token;
      }
      const entry: { readonly asked: Asked; token?: Token } = {
        asked: askAnew(world, catalog, client.value, auth),
      };
      kept.set(key, entry);
      const token = await entry.asked;
      if (token.ok) entry.token = token.value;
      else if (kept.get(key) === entry) kept.delete(key);
      return token.ok ? ok(token.value.text) : token;
    },
    forget: (text) => {
      for (const [key, { token }] of kept) if (token?.text === text) kept.delete(key);
    },
  };
}

interface ClientOfServer {
  readonly url: URL;
  readonly id: string;
  readonly secret: string;
}

/**
 * A secret that becomes a token goes to the server of tokens, and what it is exchanged for goes to the catalog's: it must
 * be meant for both.
 */
function clientOf(
  world: CallsWorld,
  { settings, origin }: CalledCatalog,
  auth: Auth,
): Result<ClientOfServer, CallProblem> {
  const url = checkedUrl(auth.tokenUrl);
  if (!url.ok) return url;
  const forTokens = secretsFor(world, settings.catalog, url.value.origin);
  const forCatalog = secretsFor(world, settings.catalog, origin ?? '');
  const read: ReadSecret = (name) => {
    const meant = forCatalog(name);
    return meant.ok ? forTokens(name) : meant;
  };
  const id = fillText(auth.clientId, read);
  if (!id.ok) return id;
  const secret = fillText(auth.clientSecret, read);
  return secret.ok ? ok({ url: url.value, id: id.value, secret: secret.value }) : secret;
}

async function askAnew(
  world: CallsWorld,
  { rules, timeoutMs }: CalledCatalog,
  { url, id, secret }: ClientOfServer,
  { scopes = [], clientIn = 'header' }: Auth,
): Asked {
  const [shownId, shownSecret] = [formText(id), formText(secret)];
  world.mask.learn(secret);
  world.mask.learn(shownSecret);
  const form = [
    'grant_type=client_credentials',
    ...(scopes.length > 0 ? [`scope=${formText(scopes.join(' '))}`] : []),
    ...(clientIn === 'body' ? [`client_id=${shownId}`, `client_secret=${shownSecret}`] : []),
  ].join('&');
  const limit = timeLimit(world.clock, timeoutMs, undefined);
  try {
    const exchanged = await world.transport.exchange(
      {
        url,
        method: 'POST',
        headers: [
          ['content-type', 'application/x-www-form-urlencoded'],
          ['accept', 'application/json'],
          ['user-agent', 'workrail'],
          ...(clientIn === 'header' ? [['authorization', basic(shownId, shownSecret)] as const] : []),
        ],
        body: Buffer.from(form),
      },
      {
        rules: url.protocol === 'http:' ? listedOnly(rules) : rules,
        isFresh: true,
        answerBytes: limits.smallFile,
        signal: limit.signal,
      },
    );
    if (exchanged.kind === 'failed')
      return err(networkProblem(exchanged.cause, { method: 'POST', url, sent: exchanged.sent, repeatable: true }));
    const headers = headerTexts(exchanged.headers);
    const bytes = await unpacked(exchanged.bytes, headers['content-encoding'], limits.smallFile);
    return tokenIn(world, url, exchanged.status, bytes.ok ? bodyOf(bytes.value, 'application/json') : undefined);
  } finally {
    limit.end();
  }
}

function tokenIn(
  { clock, mask }: CallsWorld,
  url: URL,
  status: number,
  body: ReturnType<typeof bodyOf> | undefined,
): Result<Token, CallProblem> {
  const answer = body?.kind === 'json' && isJsonObject(body.value) ? body.value : {};
  const text = own(answer, 'access_token');
  const type = own(answer, 'token_type') ?? 'bearer';
  if (status === 429 || status >= 500)
    return err(
      callProblem(
        'COMMAND_UNAVAILABLE',
        `${url.host} hands out no token now: it answered ${status}.`,
        'Try again later.',
      ),
    );
  if (status !== 200 || typeof text !== 'string' || !/^[\u0021-\u007E]{1,8000}$/u.test(text)) {
    const told = own(answer, 'error');
    const why = typeof told === 'string' && /^[a-z_]{1,60}$/u.test(told) ? ` ${told}` : '';
    return err(
      callProblem(
        'COMMAND_FAILED',
        `${url.host} handed out no token: it answered ${status}${why}.`,
        'Have the user check the id, the secret and the scopes of the client, and the address of the tokens.',
      ),
    );
  }
  mask.learn(text);
  if (typeof type !== 'string' || type.toLowerCase() !== 'bearer')
    return err(
      callProblem('COMMAND_FAILED', `${url.host} hands out tokens that are no bearer tokens.`, 'Use another auth.'),
    );
  const seconds = Number(own(answer, 'expires_in'));
  const lives = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : limits.tokenMs + limits.tokenSkewMs;
  return ok({ text, until: clock.now() + lives - limits.tokenSkewMs });
}

const formText = (text: string): string =>
  encodeURIComponent(text)
    .replaceAll('%20', '+')
    .replaceAll(/[!'()~]/gu, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
