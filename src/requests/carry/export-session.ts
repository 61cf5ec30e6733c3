import { join } from 'node:path';
import { command } from '../../base/sentence.js';
import { byteLength } from '../../base/byte-budget.js';
import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import { bundleId, expandedSize, type Manifest, manifestText } from '../../bundles/manifest.js';
import { PartChanged, writeBundle } from '../../bundles/write-bundle.js';
import type { SessionExported } from '../../contract/bundle-answers.js';
import { worstFinding } from '../../log/port/finding.js';
import type { SessionRef } from '../../log/port/session-ref.js';
import { writeWholeFile } from '../../files/write-whole-file.js';
import { bundleContent } from './bundle-content.js';
import type { Environment } from '../world/environment.js';
import { findSession } from '../world/find-session.js';
import { findingText, sessionRejection } from '../world/log-rejections.js';
import { fileIsThere, stopped, systemRefused } from '../world/rejections.js';
import { manifestBeforeExport } from './manifest-before-export.js';
import { type LookedThrough, lookThrough, secretsFound, sizeOf, type Watching } from './look-through.js';

export interface ExportAsked extends Watching {
  readonly session?: string | undefined;
  /** A file, a file named for the session in a folder, or whoever takes the bytes. */
  readonly to:
    | { readonly file: string }
    | { readonly folder: string }
    | { readonly write: (bytes: Uint8Array) => Promise<void> };
  readonly replace: boolean;
  readonly allowSecrets: boolean;
}

const bundleExtension = '.workrail';

/** A session as one file for somebody else: what stands there at one moment, checked, durable, and looked through for credentials. */
export async function exportSession(env: Environment, asked: ExportAsked): Promise<Result<SessionExported, Rejection>> {
  try {
    return await exportWhole(env, asked);
  } catch (cause) {
    if (asked.signal?.aborted !== true) throw cause;
    return err(stopped('; nothing was left behind', 'export it again'));
  }
}

async function exportWhole(env: Environment, asked: ExportAsked): Promise<Result<SessionExported, Rejection>> {
  const found = await findSession(env, asked.session);
  if (!found.ok) return found;
  const ref = found.value;
  const { carry } = env.store;
  const before = await lookThrough((visit) => carry.survey(ref, visit), sizeOf(carry.parts(ref)), asked);
  const refused = refuseExport(ref, before, asked.allowSecrets);
  if (refused !== undefined) return err(refused);
  const manifest = await manifestBeforeExport(env, ref, before);
  if (!manifest.ok) return manifest;
  carry.confirm(ref, manifest.value.parts);
  const written = await writeOut(env, ref, manifest.value, asked);
  if (!written.ok) return written;
  return ok({
    sessionId: ref.id,
    bundle: bundleContent(manifest.value, bundleId(manifestText(manifest.value))),
    ...written.value,
    secrets: before.secrets,
    warnings: before.survey.findings.map((finding) =>
      finding.level === 'torn'
        ? `an unfinished write is left out: ${findingText(finding)}`
        : `the session is incomplete, and so is the bundle: ${findingText(finding)}; ${finding.remedy}`,
    ),
  });
}

/** Why a session stays where it is. */
function refuseExport(
  { id }: SessionRef,
  { survey, gathered, secrets }: LookedThrough,
  allowSecrets: boolean,
): Rejection | undefined {
  const worst = worstFinding(survey.findings);
  if (worst !== undefined)
    return sessionRejection(id, worst, `${id} is damaged, so it was not exported`, {
      action: worst.level === 'newer' ? worst.remedy : ['list its problems: ', command('doctor', id)],
    });
  if (gathered.lines === 0)
    return {
      code: 'PRECONDITION_FAILED',
      message: `${id} is still empty`,
      action: ['list the sessions: ', command('sessions')],
      context: { sessionId: id },
    };
  if (secrets.length === 0 || allowSecrets) return undefined;
  return secretsFound(id, secrets, '; nothing was exported', 'export');
}

type Written = Pick<SessionExported, 'file' | 'size'>;

async function writeOut(
  env: Environment,
  ref: SessionRef,
  manifest: Manifest,
  { to, replace, progress, signal }: ExportAsked,
): Promise<Result<Written, Rejection>> {
  let bytes = 0;
  let size = 0;
  async function* bundle(): AsyncGenerator<Buffer> {
    const chunks = writeBundle(manifest, function* (part) {
      for (const chunk of env.store.carry.read(ref, part)) {
        bytes += chunk.length;
        yield chunk;
      }
    });
    for await (const chunk of chunks) {
      signal?.throwIfAborted();
      size += chunk.length;
      progress?.({ doing: 'writing', bytes, of: manifest.counts.bytes });
      yield chunk;
    }
    const expanded = expandedSize(byteLength(manifestText(manifest)), manifest.parts);
    if (expanded > limits.bundleFreely && expanded > size * limits.bundleExpansion) throw new TooDense(ref.id);
  }
  try {
    if ('write' in to) {
      for await (const chunk of bundle()) await to.write(chunk);
      return ok({ size });
    }
    const file = 'file' in to ? to.file : join(to.folder, `${ref.id}${bundleExtension}`);
    const outcome = await writeWholeFile(file, bundle(), { replace, mark: env.randomId() });
    if (outcome === 'written') return ok({ file, size });
    return err(fileIsThere(file));
  } catch (cause) {
    return err(notWritten(cause, ref));
  }
}

/** No reader would take it: what expands so much is what a bomb looks like. */
class TooDense extends Error {}

function notWritten(cause: unknown, { id }: SessionRef): Rejection {
  const context = { sessionId: id };
  if (cause instanceof PartChanged)
    return {
      code: 'SESSION_CHANGED',
      message: `${cause.message} (git checkout, stash and clean do that); nothing was written`,
      action: 'export it again',
      context,
    };
  if (cause instanceof TooDense)
    return {
      code: 'LIMIT_EXCEEDED',
      message: `${id} is so repetitive that its bundle would look like a zip bomb: it expands to more than ${limits.bundleExpansion} times its size`,
      action: 'copy its folder instead, or share it through git',
      context,
    };
  return systemRefused(
    cause,
    'write the bundle',
    '. Nothing was left behind',
    'fix that, then export it again',
    context,
  );
}
