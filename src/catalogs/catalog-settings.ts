import { z } from 'zod';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import { headerSecret, namesNoSecret } from './header-secret.js';

/** What a catalog is called: the first word of a command. */
export const catalogId = z
  .string()
  .max(64)
  .regex(
    /^[a-z][a-z0-9]*(?:[._-][a-z0-9]+)*$/u,
    'is not a catalog id: use small letters and digits, with . _ - between them',
  );

const secretName = /\$\{\{\s*secrets\.[A-Za-z][A-Za-z0-9_]*\s*\}\}/u;

/** A text in which a secret stands by its name, and never as itself. */
const secretText = z
  .string()
  .max(500)
  .regex(secretName, namesNoSecret)
  .describe('with ${{ secrets.NAME }}; the value itself is never sent to a tool');

const name = z
  .string()
  .max(200)
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/u, 'is not a name that a header or a parameter can have');

const webAddress = z
  .url({ protocol: /^https?$/u, error: 'is not an http or https address' })
  .max(2000)
  .refine((text) => {
    // That is told already.
    if (!URL.canParse(text)) return true;
    const { username, password, hash, search } = new URL(text);
    return username === '' && password === '' && hash === '' && search === '';
  }, 'has a user, a password, a query or a fragment in it: remove it');

const auth = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({ kind: z.literal('bearer'), token: secretText }),
  z.strictObject({ kind: z.enum(['header', 'query', 'cookie']), name, value: secretText }),
  z.strictObject({ kind: z.literal('basic'), user: z.string().max(500), password: secretText }),
  z.strictObject({
    kind: z.literal('client_credentials'),
    tokenUrl: webAddress,
    clientId: z.string().max(500),
    clientSecret: secretText,
    scopes: z.exactOptional(z.array(z.string().max(200)).max(50)),
  }),
]);

/** A host, an address, or a range of them, with a port where only that one is meant. */
const allowed = z
  .string()
  .max(200)
  .regex(
    /^(?:\[[0-9a-f:.]+\]|[0-9A-Za-z.:-]+)(?:\/\d{1,3})?(?::\d{1,5})?$/iu,
    'is not an address such as 127.0.0.1, 10.0.0.0/8 or localhost:8080',
  );

const limitsOfCalls = z.strictObject({
  timeoutMs: z.exactOptional(z.number().int().min(100).max(600_000)),
  answerBytes: z.exactOptional(
    z
      .number()
      .int()
      .min(1024)
      .max(64 * 1024 * 1024),
  ),
  atOnce: z.exactOptional(z.number().int().min(1).max(32)),
});

/** How the operations of a catalog are called. */
const callSettings = {
  baseUrl: z.exactOptional(webAddress.describe('where the paths are added; default: what the document says')),
  auth: z.exactOptional(auth),
  headers: z.exactOptional(
    z
      .record(
        name,
        z
          .string()
          .max(2000)
          .regex(/^[^\r\n\0]*$/u, 'has a line break in it'),
      )
      .superRefine((headers, context) => {
        for (const [header, value] of Object.entries(headers)) {
          const message = headerSecret(header, value);
          if (message !== undefined) context.addIssue({ code: 'custom', path: [header], message });
        }
      })
      .describe('sent with each call; a credential as ${{ secrets.NAME }}'),
  ),
  idempotencyHeader: z.exactOptional(name.describe('with a key in it the server does the same request once')),
  allow: z.exactOptional(z.array(allowed).max(50).describe('addresses that are not public and may be called')),
  limits: z.exactOptional(limitsOfCalls),
};

/** What a person decided about a catalog: all that its document does not say. */
export const catalogSettings = z.strictObject({
  version: z.literal(1),
  title: z.exactOptional(z.string().min(1).max(200)),
  vendor: z.exactOptional(z.string().min(1).max(200)),
  enabled: z.boolean(),
  /** The file or the address that the document was imported from. */
  from: z.exactOptional(z.string().max(2000)),
  ...callSettings,
});

/** The keys that may stand at a place of the settings. */
export function settingKeys([first]: readonly PropertyKey[]): readonly string[] {
  if (first === 'limits') return Object.keys(limitsOfCalls.shape);
  if (first === 'auth') return [...new Set(auth.options.flatMap(({ shape }) => Object.keys(shape)))];
  return first === undefined ? Object.keys(callSettings) : [];
}
export type CatalogSettings = ReadonlyOutput<typeof catalogSettings>;
