import { command } from '../../base/sentence.js';
import { byteLength } from '../../base/byte-budget.js';
import type { OriginId } from '../../base/ids.js';
import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import { type GatheredLines, gatherLines } from '../../bundles/gather-lines.js';
import {
  type BundlePart,
  bundleSchemaVersion,
  compareParts,
  expandedSize,
  type Manifest,
  manifestText,
} from '../../bundles/manifest.js';
import type { Progress, SecretTold } from '../../contract/bundle-answers.js';
import { worstFinding } from '../../log/port/finding.js';
import type { SessionRef } from '../../log/port/session-ref.js';
import type { SessionSurvey, StoreCarry } from '../../log/port/store-carry.js';
import { secretsIn } from '../../secrets/secrets-in-event.js';
import type { Environment } from '../world/environment.js';
import { findingContext, findingText } from '../world/log-rejections.js';

export interface BeforeExport {
  readonly survey: SessionSurvey;
  readonly gathered: GatheredLines;
  readonly secrets: readonly SecretTold[];
}

export interface Watching {
  readonly progress?: ((progress: Progress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Enough to act on; the rest is found when these are gone. */
const secretsKept = 1000;

/** Reads and checks all of a session, and looks through every line of it for what looks like a credential. */
export async function lookBeforeExport(
  carry: StoreCarry,
  ref: SessionRef,
  { progress, signal }: Watching,
): Promise<BeforeExport> {
  const of = carry.parts(ref).reduce((sum, { size }) => sum + size, 0);
  let gather = gatherLines(new Set());
  let secrets: SecretTold[] = [];
  let bytes = 0;
  const survey = await carry.survey(ref, {
    begin: (redacted) => {
      gather = gatherLines(redacted);
      secrets = [];
      bytes = 0;
    },
    // Lines that were redacted and came back with a merge are looked at too: their bytes would leave as well.
    line: (event, file, line) => {
      gather.take(event);
      if (secrets.length < secretsKept)
        secrets.push(
          ...secretsIn(event).map(({ name, pointer, sample }) => ({
            file,
            line,
            event: event.sum,
            name,
            pointer,
            sample,
          })),
        );
    },
    progress: (read) => {
      signal?.throwIfAborted();
      bytes += read;
      progress?.({ doing: 'checking', bytes, of });
    },
  });
  return { survey, gathered: gather.gathered(), secrets };
}

/** Why a session stays where it is. */
export function refuseExport(
  { id }: SessionRef,
  { survey, gathered, secrets }: BeforeExport,
  allowSecrets: boolean,
): Rejection | undefined {
  const worst = worstFinding(survey.findings);
  if (worst !== undefined) {
    return {
      code: worst.level === 'newer' ? 'SESSION_NEWER_FORMAT' : 'SESSION_DAMAGED',
      message: `${id} is not whole, so it is not exported: ${findingText(worst)}`,
      action: worst.level === 'newer' ? worst.remedy : ['see all that is wrong with it: ', command('doctor', id)],
      context: { sessionId: id, ...findingContext(worst) },
    };
  }
  if (gathered.lines === 0)
    return {
      code: 'PRECONDITION_FAILED',
      message: `${id} holds nothing yet`,
      action: ['see what is here: ', command('sessions')],
      context: { sessionId: id },
    };
  if (secrets.length === 0 || allowSecrets) return undefined;
  const [first] = secrets;
  return {
    code: 'SECRETS_FOUND',
    message: `${id} holds ${secrets.length === 1 ? 'what looks like a credential' : `${secrets.length} things that look like credentials`}; nothing was exported`,
    action: [
      'take each out with ',
      command('redact', id, first?.event ?? '<event>'),
      ', or export it as it is with --allow-secrets',
    ],
    context: { sessionId: id, secrets: secrets.map((secret) => ({ ...secret })) },
  };
}

/** What the bundle will be: the segments and the pins that their runs name. A pin that is gone comes back from the library where it can. */
export async function manifestBeforeExport(
  env: Environment,
  ref: SessionRef,
  { survey, gathered }: BeforeExport,
): Promise<Result<Manifest, Rejection>> {
  const pins: BundlePart[] = [];
  const log = env.store.open(ref);
  for (const hash of gathered.pins) {
    const name = `pins/${hash}.json`;
    const workflow = await env.pinned.of(log, hash);
    const pin = await log.pin(hash);
    if (!workflow.ok || !pin.ok) {
      const finding = workflow.ok ? (pin.ok ? undefined : pin.finding) : workflow.error;
      const missing = finding?.level === 'incomplete';
      return err({
        code: missing ? 'BUNDLE_MISSING_PIN' : 'SESSION_DAMAGED',
        message: `${ref.id} cannot be exported: ${finding === undefined ? name : findingText(finding)}`,
        action: finding?.remedy ?? ['see all that is wrong with it: ', command('doctor', ref.id)],
        context: { sessionId: ref.id, part: name },
      });
    }
    pins.push({ name, size: byteLength(pin.text), sha256: hash });
  }
  const parts = [
    ...pins,
    ...survey.segments.map(({ name, size, sha256 }): BundlePart => ({ name, size, sha256 })),
  ].toSorted(compareParts);
  const { lines, runs, key, title } = gathered;
  const manifest: Manifest = {
    bundleSchemaVersion,
    product: 'workrail',
    producer: env.version,
    origin: survey.origin ?? (ref.id as string as OriginId),
    sessionId: ref.id,
    ...(key !== undefined && { key }),
    ...(title !== undefined && { title }),
    counts: {
      lines,
      runs,
      segments: survey.segments.length,
      pins: pins.length,
      bytes: parts.reduce((sum, { size }) => sum + size, 0),
    },
    parts,
  };
  const large = tooLarge(manifest);
  if (large === undefined) return ok(manifest);
  return err({
    code: 'LIMIT_EXCEEDED',
    message: `${ref.id} is too large for a bundle: ${large}`,
    action: 'copy its folder instead, or share it through git',
    context: { sessionId: ref.id },
  });
}

/** What is exported can be imported: both keep to the same limits. */
function tooLarge(manifest: Manifest): string | undefined {
  const { parts } = manifest;
  const large = parts.find(({ size }) => size > limits.bundlePart);
  if (large !== undefined) return `${large.name} has ${large.size} bytes; ${limits.bundlePart} are allowed`;
  if (parts.length > limits.bundleParts) return `it has ${parts.length} files; ${limits.bundleParts} are allowed`;
  const size = expandedSize(byteLength(manifestText(manifest)), parts);
  return size > limits.bundleExpanded ? `it has ${size} bytes; ${limits.bundleExpanded} are allowed` : undefined;
}
