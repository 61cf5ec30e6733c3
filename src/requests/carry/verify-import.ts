import { firstWords } from '../../base/byte-budget.js';
import type { WorkflowHash } from '../../base/ids.js';
import { isJsonObject, nestingDepth } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { err, ok, type Result } from '../../base/result.js';
import { command, type Sentence } from '../../base/sentence.js';
import { type BundleProblem, BundleRefused } from '../../bundles/bundle-problem.js';
import type { GatheredLines } from '../../bundles/gather-lines.js';
import { isPinPart, type Manifest } from '../../bundles/manifest.js';
import type { CompiledWorkflow } from '../../definitions/compiled/compiled-workflow.js';
import { readPin } from '../../definitions/compiled/pin.js';
import { JudgingWork } from '../../definitions/contracts/judging-work.js';
import { refusedSchemas } from '../../definitions/contracts/refused-schemas.js';
import type { Finding } from '../../log/port/finding.js';
import type { SessionSurvey, Staging } from '../../log/port/store-carry.js';
import { lookThrough, type Watching } from './look-through.js';

export interface VerifiedImport {
  readonly survey: SessionSurvey;
  readonly warnings: readonly string[];
}

/**
 * Checks what a bundle holds as strictly as a log that is gone on with: each line's sum, chain and schema, each pin, and
 * that the manifest tells the truth. Throws what a bundle is refused for. Nothing in it is trusted for having a digest.
 */
export async function verifyImport(
  staged: Staging,
  manifest: Manifest,
  watching: Watching,
  words: (sentence: Sentence) => string,
): Promise<VerifiedImport> {
  const unusable = checkPins(staged, manifest);
  const { survey, gathered, secretCount } = await lookThrough(
    // What its first line says decides which session it is; the folder's name here says nothing.
    (visit) => staged.survey(manifest.sessionId, visit),
    manifest.counts.bytes,
    watching,
  );
  const bad = survey.findings.find(({ level }) => level !== 'incomplete');
  if (bad !== undefined) throw refused(eventProblem(bad));
  const warnings = survey.findings.map(
    ({ message, remedy }) => `it was incomplete when it was exported: ${message}; ${remedy}`,
  );
  if (survey.origin !== manifest.origin)
    throw refused({
      code: 'BUNDLE_INVALID_FORMAT',
      message: 'the id in the log differs from the one in the manifest',
      expected: manifest.origin,
      actual: survey.origin ?? '',
    });
  checkTold(manifest, gathered);
  if (secretCount > 0)
    warnings.push(
      `it contains ${secretCount} possible credential${secretCount === 1 ? '' : 's'}; to list ${secretCount === 1 ? 'it' : 'them'}: ${words([command('doctor', '--secrets')])}`,
    );
  return { survey, warnings: [...warnings, ...unusable] };
}

const refused = (problem: BundleProblem): BundleRefused => new BundleRefused(problem);

const pinHash = (name: string): WorkflowHash => name.slice('pins/'.length, -'.json'.length) as WorkflowHash;

/** Returns what nobody can hand in for, which keeps no session from being read. */
function checkPins(staged: Staging, { parts }: Manifest): readonly string[] {
  const unusable: string[] = [];
  const work = new JudgingWork();
  for (const part of parts) {
    const { name } = part;
    if (!isPinPart(name)) continue;
    const read = readPinned(Buffer.concat([...staged.read(part)]).toString('utf8'), pinHash(name));
    if (!read.ok)
      throw refused({
        code: read.error.newer ? 'BUNDLE_UNSUPPORTED_VERSION' : 'BUNDLE_INTEGRITY_FAILED',
        part: name,
        message: `${name}: ${read.error.message}`,
      });
    noteRefusedSchemas(read.value, work, unusable);
  }
  return unusable;
}

/** How many are named: one who made one such schema may have made thousands. */
const schemasTold = 5;

function noteRefusedSchemas(workflow: CompiledWorkflow, work: JudgingWork, told: string[]): void {
  if (told.length > schemasTold) return;
  for (const { step, kind, pointer, message } of refusedSchemas(workflow, work)) {
    const [id, place, of, at] = [workflow.id, step, kind, pointer].map((name) =>
      firstWords(name, limits.recordedReason),
    );
    told.push(
      told.length === schemasTold
        ? `more of its schemas may be refused: only the first ${schemasTold} are named`
        : `the workflow ${id} asks at step ${place} for ${of} by a schema that is refused${at === '' ? '' : ` at ${at}`}: ${message}. That step cannot be completed; ask the author to fix the workflow, then start a new run`,
    );
    if (told.length > schemasTold) return;
  }
}

function readPinned(
  text: string,
  hash: WorkflowHash,
): Result<CompiledWorkflow, { readonly newer: boolean; readonly message: string }> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return err({ newer: false, message: 'the pinned workflow is not JSON' });
  }
  if (nestingDepth(value, limits.pinDepth) > limits.pinDepth)
    return err({ newer: false, message: `the pinned workflow is nested more than ${limits.pinDepth} levels deep` });
  const read = readPin(text, hash);
  if (read.ok) return ok(read.value);
  const form = isJsonObject(value) ? value['compiled'] : undefined;
  return err({ newer: typeof form === 'number' && form > 1, message: read.error });
}

function eventProblem({ level, file, line, message }: Finding): BundleProblem {
  return {
    code: level === 'newer' ? 'BUNDLE_UNSUPPORTED_VERSION' : 'BUNDLE_EVENT_INVALID',
    part: file,
    ...(line !== undefined && { line }),
    message: `${file}${line === undefined ? '' : ` line ${line}`}: ${message}`,
  };
}

/** The manifest is what people are shown; it must say what the lines say. */
function checkTold({ counts, key, title, parts }: Manifest, told: GatheredLines): void {
  const held = new Set(parts.filter(({ name }) => isPinPart(name)).map(({ name }) => pinHash(name)));
  for (const hash of told.pins) {
    if (!held.has(hash))
      throw refused({
        code: 'BUNDLE_MISSING_PIN',
        part: `pins/${hash}.json`,
        message: `the compiled workflow ${hash} of a run is missing from the bundle`,
      });
  }
  for (const hash of held) {
    if (!told.pins.has(hash))
      throw refused({
        code: 'BUNDLE_INVALID_FORMAT',
        part: `pins/${hash}.json`,
        message: `pins/${hash}.json belongs to no run in it`,
      });
  }
  const said = { lines: counts.lines, runs: counts.runs, key, title };
  const differs = (['lines', 'runs', 'key', 'title'] as const).find((name) => told[name] !== said[name]);
  if (differs !== undefined)
    throw refused({
      code: 'BUNDLE_INVALID_FORMAT',
      part: 'manifest.json',
      message: `the manifest and the log in the bundle differ in ${differs}`,
    });
}
