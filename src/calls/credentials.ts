import { ok, type Result } from '../base/result.js';
import type { CallProblem } from './call-problem.js';
import type { CatalogAuth } from './call-settings.js';
import { fillText, namesSecret, type ReadSecret } from './fill-secrets.js';
import type { Header } from './request-headers.js';

/** What is added to a request to the catalog's own origin. */
export interface Credentials {
  readonly headers: readonly Header[];
  /** Encoded; empty for none. */
  readonly query: string;
  /** Whether a stranger on the way could use them. */
  readonly areSecret: boolean;
  /** One that the server handed out: where it is refused, another is asked for. */
  readonly token?: string;
}

export type AskToken = (
  auth: Extract<CatalogAuth, { readonly kind: 'client_credentials' }>,
) => Promise<Result<string, CallProblem>>;

export async function credentialsOf(
  auth: CatalogAuth | undefined,
  configured: Readonly<Record<string, string>>,
  read: ReadSecret,
  { askToken, learn }: { readonly askToken: AskToken; readonly learn: (value: string) => void },
): Promise<Result<Credentials, CallProblem>> {
  const headers: Header[] = [];
  for (const [name, text] of Object.entries(configured)) {
    const value = fillText(text, read);
    if (!value.ok) return value;
    headers.push([name, value.value]);
  }
  const shown = await shownBy(auth ?? { kind: 'none' }, read, askToken);
  if (!shown.ok) return shown;
  const { header, query = '', token, secret = '' } = shown.value;
  // Also where it stands in the settings as it is.
  learn(secret);
  return ok({
    headers: header === undefined ? headers : [...headers, header],
    query,
    areSecret:
      header !== undefined ||
      query !== '' ||
      Object.entries(configured).some(([name, text]) => tellsWho(name) || namesSecret(text)),
    ...(token !== undefined && { token }),
  });
}

/** Headers that hold a credential, by their name. */
const tells = /auth|cookie|key|token|secret|session|signature/iu;

export const tellsWho = (name: string): boolean => tells.test(name) && name.toLowerCase() !== 'idempotency-key';

interface Shown {
  readonly header?: Header;
  readonly query?: string;
  readonly token?: string;
  /** What of it nobody may read. */
  readonly secret?: string;
}

async function shownBy(auth: CatalogAuth, read: ReadSecret, askToken: AskToken): Promise<Result<Shown, CallProblem>> {
  switch (auth.kind) {
    case 'none':
      return ok({});
    case 'header':
    case 'query':
    case 'cookie': {
      const value = fillText(auth.value, read);
      return value.ok ? ok(placed(auth.kind, auth.name, value.value)) : value;
    }
    case 'basic': {
      const user = fillText(auth.user, read);
      if (!user.ok) return user;
      const password = fillText(auth.password, read);
      return password.ok
        ? ok({ header: ['authorization', basic(user.value, password.value)], secret: password.value })
        : password;
    }
    case 'bearer': {
      const token = fillText(auth.token, read);
      return token.ok ? ok({ header: ['authorization', `Bearer ${token.value}`], secret: token.value }) : token;
    }
    case 'client_credentials': {
      const token = await askToken(auth);
      return token.ok ? ok({ header: ['authorization', `Bearer ${token.value}`], token: token.value }) : token;
    }
  }
}

function placed(place: 'header' | 'query' | 'cookie', name: string, value: string): Shown {
  if (place === 'header') return { header: [name, value], secret: value };
  if (place === 'cookie') return { header: ['cookie', `${name}=${value}`], secret: value };
  return { query: `${encodeURIComponent(name)}=${encodeURIComponent(value)}`, secret: value };
}

export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
