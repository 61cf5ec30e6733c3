import { defined } from '../../base/defined.js';
import type { SessionId } from '../../base/ids.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import { type BundleProblem, BundleRefused } from '../../bundles/bundle-problem.js';
import { readBundle } from '../../bundles/read-bundle.js';
import type { BundleImported } from '../../contract/bundle-answers.js';
import type { Staging } from '../../log/port/store-carry.js';
import type { SessionRef } from '../../log/port/session-ref.js';
import type { Environment } from '../world/environment.js';
import { type Incoming, importAnswer } from './import-answer.js';
import type { Watching } from './look-through.js';
import { type AgreeToHide, mergeImport } from './merge-import.js';
import { stopped, systemRefused } from '../world/rejections.js';
import { isPortableName, madeSessionId } from '../world/session-names.js';
import { mergeTarget, sameContent, sameName, sessionsToMeet } from './import-target.js';
import { verifyImport } from './verify-import.js';

export interface ImportAsked extends Watching {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** How many there are, where that is known. */
  readonly size?: number | undefined;
  /** Into the session that is here, where both share a history. */
  readonly merge: boolean;
  /** Where nobody can be asked, nothing is hidden. */
  readonly agree?: AgreeToHide | undefined;
}

/** Takes a bundle in: all of it is read and verified first, then the session appears in one step. What is refused leaves nothing behind. */
export async function importBundle(env: Environment, asked: ImportAsked): Promise<Result<BundleImported, Rejection>> {
  let staging: Staging | undefined;
  let target: SessionRef | undefined;
  try {
    const read = await readBundle(counted(asked), {
      begin: async (manifest) => {
        target = asked.merge ? mergeTarget(env.store.carry, await sessionsToMeet(env), manifest) : undefined;
        staging = env.store.carry.stage(target?.place ?? env.store.newSessions);
      },
      part: ({ name }, bytes) => staging!.put(name, bytes),
    });
    if (!read.ok) return err(bundleRejection(read.error));
    const verified = await verifyImport(staging!, read.value.manifest, asked, env.words);
    const incoming: Incoming = { ...read.value, verified, staging: staging! };
    return await (target === undefined
      ? install(env, incoming)
      : mergeImport(env, target, incoming, asked.agree ?? (() => Promise.resolve(false))));
  } catch (cause) {
    if (cause instanceof BundleRefused) return err(bundleRejection(cause.problem));
    if (asked.signal?.aborted === true) return err(stopped('; nothing was left behind', 'import it again'));
    return err(
      systemRefused(cause, 'import the bundle', '. Nothing was left behind', 'fix that, then import it again'),
    );
  } finally {
    staging?.discard();
  }
}

async function* counted({ bytes, size, progress, signal }: ImportAsked): AsyncGenerator<Uint8Array> {
  let read = 0;
  for await (const chunk of bytes) {
    signal?.throwIfAborted();
    read += chunk.length;
    progress?.({ doing: 'reading', bytes: read, ...(size !== undefined && { of: size }) });
    yield chunk;
  }
}

/** Somebody may put a session of that name there at any moment: then it is looked at again. */
async function install(env: Environment, incoming: Incoming): Promise<Result<BundleImported, Rejection>> {
  const { manifest, staging } = incoming;
  for (let tries = 0; ; tries += 1) {
    const refs = await sessionsToMeet(env);
    const taken = sameName(refs, manifest.sessionId);
    const same = await sameContent(
      env.store.carry,
      taken === undefined ? [] : [taken, ...refs.filter((ref) => ref !== taken)],
      manifest,
    );
    if (same !== undefined) return ok(importAnswer('already_here', same, incoming));
    const own = taken === undefined && tries < 3 && isPortableName(manifest.sessionId);
    const id: SessionId = own ? manifest.sessionId : madeSessionId(env.randomId());
    if (staging.install(id) === 'taken') continue;
    const ref: SessionRef = { id, place: env.store.newSessions };
    return ok(importAnswer(own ? 'imported' : 'imported_as_new', ref, incoming));
  }
}

function bundleRejection({ code, message, part, line, expected, actual }: BundleProblem): Rejection {
  const context = defined<Pick<BundleProblem, 'part' | 'line' | 'expected' | 'actual'>>({
    part,
    line,
    expected,
    actual,
  });
  const named = part === undefined || message.includes(part) ? message : `${message} (at ${part})`;
  return { code, message: `${named}; nothing imported`, action: actionFor(code), context };
}

function actionFor(code: BundleProblem['code']): string {
  switch (code) {
    case 'BUNDLE_UNSUPPORTED_VERSION':
      return 'install a newer WorkRail, then import it again';
    case 'BUNDLE_INTEGRITY_FAILED':
      return 'copy or download the file again; if that does not help, ask for a new export: workrail export <session>';
    case 'BUNDLE_MISSING_PIN':
    case 'BUNDLE_EVENT_INVALID':
      return 'ask the sender to check the session (workrail doctor <session>) and export it again';
    case 'BUNDLE_INVALID_FORMAT':
      return 'use an unchanged file made by workrail export';
  }
}
