import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { limits } from '../base/limits.js';
import { own } from '../base/own.js';
import { err, ok, type Result } from '../base/result.js';
import { errorCode, named, refusalOf } from '../files/fault-reason.js';
import { noWait, requirePlain } from '../files/folders.js';
import { type CallProblem, callProblem } from './call-problem.js';
import { type SecretName, secretNamePattern, type SecretSource } from './secret-source.js';

const entry = z
  .strictObject({
    catalog: z.string().min(1),
    origin: z.string().refine((text) => originOf(text) === text),
    name: z.string().regex(secretNamePattern),
    value: z.string().optional(),
    env: z.string().optional(),
  })
  .refine(({ value, env }) => (value === undefined) !== (env === undefined));
const file = z.strictObject({ secrets: z.array(entry) });

export type SecretEntry = z.infer<typeof entry>;

/** The origin of an address, as secrets are bound to it. */
export const originOf = (text: string): string | undefined => {
  if (!URL.canParse(text)) return undefined;
  const { origin, protocol } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? origin : undefined;
};

/** The secrets of the person, read anew each time one is asked for. */
export function secretsOf(path: string, env: Readonly<Record<string, string | undefined>>): SecretSource {
  return {
    read: (asked) => {
      const entries = readSecrets(path);
      return entries.ok ? valueOf(entries.value, asked, env) : entries;
    },
    all: ({ catalog, origin }) => {
      const entries = readSecrets(path);
      if (!entries.ok) return [];
      const of = entries.value.filter((one) => one.catalog === catalog && one.origin === origin);
      return of.flatMap((one) => one.value ?? own(env, one.env ?? '') ?? []);
    },
  };
}

function valueOf(
  entries: readonly SecretEntry[],
  asked: SecretName,
  env: Readonly<Record<string, string | undefined>>,
): Result<string, CallProblem> {
  const { catalog, origin, name } = asked;
  const missing = (why: string, action: string): Result<never, CallProblem> =>
    err(callProblem('PRECONDITION_FAILED', why, action));
  const named = entries.filter((one) => one.catalog === catalog && one.name === name);
  const found = named.find((one) => one.origin === origin);
  if (found === undefined)
    return named.length === 0
      ? missing(
          `The catalog ${catalog} has no secret ${name} for ${origin}.`,
          `Ask the user to set it in a terminal: workrail catalogs secret ${catalog} ${name} (with --env VARIABLE it is read from the environment).`,
        )
      : missing(
          `The secret ${name} of the catalog ${catalog} is for ${named.map((one) => one.origin).join(', ')}, and not for ${origin}.`,
          `Ask the user whether ${origin} may have it. If so, they set it in a terminal: workrail catalogs secret ${catalog} ${name}.`,
        );
  const value = found.value ?? own(env, found.env ?? '');
  if (value === undefined || value === '')
    return missing(
      `The secret ${name} of the catalog ${catalog} is in the variable ${found.env ?? ''}, which is not set.`,
      `Set ${found.env ?? 'it'} in the environment of the server, and start it again.`,
    );
  if (value.length < limits.secretLeast)
    return missing(
      `The secret ${name} of the catalog ${catalog} has fewer than ${limits.secretLeast} characters, and could not be kept out of what is recorded.`,
      'Give it a longer value.',
    );
  return ok(value);
}

/** All that stands in the file; nothing where there is none. What others may read is no secret, and refused. */
export function readSecrets(path: string): Result<readonly SecretEntry[], CallProblem> {
  const text = readOwn(path);
  if (!text.ok) return text;
  if (text.value === undefined) return ok([]);
  const read = file.safeParse(parsed(text.value));
  if (read.success) return ok(read.data.secrets);
  const at = read.error.issues[0]?.path.join('/') ?? '';
  return err(
    callProblem(
      'PRECONDITION_FAILED',
      `${path} does not hold secrets as it should${at === '' ? '' : `: see ${at}`}.`,
      'Write it as {"secrets": [{"catalog", "origin", "name", "value" or "env"}]}, with origins such as https://api.example.com.',
    ),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readOwn(path: string): Result<string | undefined, CallProblem> {
  try {
    const fd = openSync(path, constants.O_RDONLY | noWait);
    try {
      return named(path, () => {
        requirePlain(fd, path);
        const refused = whyNotOwn(path, fstatSync(fd));
        return refused === undefined ? ok(readFileSync(fd, 'utf8')) : err(refused);
      });
    } finally {
      closeSync(fd);
    }
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return ok(undefined);
    const refusal = refusalOf(cause, 'read the secrets');
    if (refusal === undefined) throw cause;
    return err(callProblem('PRECONDITION_FAILED', refusal, 'Make it a file that you can read.'));
  }
}

function whyNotOwn(
  path: string,
  { mode, uid, size }: { readonly mode: number; readonly uid: number; readonly size: number },
): CallProblem | undefined {
  const refuse = (why: string, action: string): CallProblem => callProblem('PRECONDITION_FAILED', why, action);
  if (size > limits.smallFile) return refuse(`${path} is too large to hold secrets.`, 'Take out what is no secret.');
  if (process.getuid === undefined) return undefined;
  if (uid !== process.getuid())
    return refuse(
      `${path} belongs to another user, who can read the secrets in it.`,
      `Make it yours: chown ${process.getuid()} ${quoted(path)}`,
    );
  return (mode & 0o077) === 0
    ? undefined
    : refuse(`Other users can read the secrets in ${path}, or change them.`, `Run: chmod 600 ${quoted(path)}`);
}

const quoted = (path: string): string => (/^[\w@%+=:,./-]+$/u.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);
