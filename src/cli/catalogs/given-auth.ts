import type { JsonObject } from '../../base/json-value.js';
import { err, ok, type Result } from '../../base/result.js';
import type { ParsedOptions } from '../shell/parse-options.js';

/** Between the kind and the name of the secret; a secret never stands there itself. */
const shapes: { readonly [kind: string]: string } = {
  bearer: 'bearer:SECRET',
  basic: 'basic:USER:SECRET',
  header: 'header:NAME:SECRET',
  query: 'query:NAME:SECRET',
  cookie: 'cookie:NAME:SECRET',
  client: 'client:ID:SECRET',
};

/** How calls say who makes them, as `--auth` and what goes with it say. */
export function givenAuth(parsed: ParsedOptions): Result<JsonObject | undefined, string> {
  const given = parsed.text('auth');
  const tokenUrl = parsed.text('token-url');
  const scopes = parsed.list('scope');
  if ((tokenUrl !== undefined || scopes.length > 0) && given?.startsWith('client:') !== true)
    return err('--token-url and --scope go with --auth client:ID:SECRET');
  if (given === undefined) return ok(undefined);
  if (given === 'none') return ok({ kind: 'none' });
  const [, kind = '', middle, name = ''] = /^([a-z]+):(?:(.+):)?([^:]*)$/su.exec(given) ?? [];
  const shape = Object.hasOwn(shapes, kind) ? shapes[kind] : undefined;
  if (shape === undefined) return err(`--auth is one of ${[...Object.values(shapes), 'none'].join(', ')}`);
  if ((kind === 'bearer') !== (middle === undefined)) return err(`--auth ${kind} is written as ${shape}`);
  if (!/^[A-Za-z][A-Za-z0-9_]*$/u.test(name))
    return err(
      `--auth ${shape}: SECRET is a name such as TOKEN, of letters, digits and _, not the secret itself. You give its value later`,
    );
  const secret = `\${{ secrets.${name} }}`;
  switch (kind) {
    case 'bearer':
      return ok({ kind, token: secret });
    case 'basic':
      return ok({ kind, user: middle ?? '', password: secret });
    case 'client':
      if (tokenUrl === undefined) return err('--auth client:ID:SECRET needs --token-url');
      return ok({
        kind: 'client_credentials',
        tokenUrl,
        clientId: middle ?? '',
        clientSecret: secret,
        ...(scopes.length > 0 && { scopes }),
      });
    default:
      return ok({ kind, name: middle ?? '', value: secret });
  }
}
