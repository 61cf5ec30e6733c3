import { canonicalJson } from '../../base/canonical-json.js';
import { sha256Hex } from '../../base/digest.js';
import { safeParse } from '../../base/safe-parse.js';
import type { WorkflowHash } from '../../base/ids.js';
import { isJsonObject } from '../../base/json-value.js';
import { err, ok, type Result } from '../../base/result.js';
import { type CompiledWorkflow, compiledWorkflow } from './compiled-workflow.js';

export interface Pin {
  readonly hash: WorkflowHash;
  readonly text: string;
}

/** The bytes a run executes from, and their digest. */
export function pinWorkflow(workflow: CompiledWorkflow): Pin {
  const text = canonicalJson(workflow);
  return { hash: sha256Hex(text) as WorkflowHash, text };
}

export function readPin(text: string, hash: WorkflowHash): Result<CompiledWorkflow, string> {
  const digest = sha256Hex(text);
  if (digest !== hash)
    return err(
      `the pinned workflow has the digest ${digest} instead of ${hash}: its bytes are not those that were pinned`,
    );
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    return err(`the pinned workflow is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  const version = isJsonObject(value) ? value['compiled'] : undefined;
  if (typeof version === 'number' && version > 2)
    return err(
      `the pinned workflow has form ${version}, from a newer WorkRail; this one reads forms 1 and 2: upgrade WorkRail to continue`,
    );
  const parsed = safeParse(compiledWorkflow, value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return err(
      `the pinned workflow is not a compiled workflow: /${issue?.path.join('/') ?? ''}: ${issue?.message ?? ''}`,
    );
  }
  // The value as it was read, not the parser's copy: a copy could lose keys that the schema passes over, and with them the hash.
  return ok(value as CompiledWorkflow);
}
