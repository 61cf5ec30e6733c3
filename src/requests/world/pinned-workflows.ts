import { assert } from '../../base/assert.js';
import type { WorkflowHash } from '../../base/ids.js';
import { err, ok, type Result } from '../../base/result.js';
import type { CompiledWorkflow } from '../../definitions/compiled/compiled-workflow.js';
import { type Pin, pinWorkflow, readPin } from '../../definitions/compiled/pin.js';
import type { Library } from '../../library/workflow-library.js';
import type { Finding } from '../../log/port/finding.js';
import type { SessionLog } from '../../log/port/session-log.js';
import type { FoldedSession } from '../../sessions/folded-session.js';

const kept = 64;

/** The compiled workflows that runs execute, read from their pins once and kept. */
export class PinnedWorkflows {
  private readonly hashes = new WeakMap<CompiledWorkflow, WorkflowHash>();
  private readonly workflows = new Map<WorkflowHash, CompiledWorkflow>();

  constructor(private readonly library: Library) {}

  async of(log: SessionLog<FoldedSession>, hash: WorkflowHash): Promise<Result<CompiledWorkflow, Finding>> {
    const known = this.workflows.get(hash);
    if (known !== undefined) {
      // What is executed from memory must also be there for whoever comes after this process.
      if (!(await log.hasPin(hash))) await log.putPin(hash, pinWorkflow(known).text);
      return ok(known);
    }
    const pin = await log.pin(hash);
    const text = pin.ok ? pin.text : pin.finding.level === 'incomplete' ? await this.restored(log, hash) : undefined;
    if (text === undefined) {
      const finding: Finding = pin.ok
        ? { level: 'damage', file: `pins/${hash}.json`, message: 'the pin cannot be read', remedy: '' }
        : pin.finding;
      return err(finding);
    }
    const read = readPin(text, hash);
    if (!read.ok)
      return err({
        level: 'damage',
        file: `pins/${hash}.json`,
        message: read.error,
        remedy: 'upgrade WorkRail, or restore the file from git',
      });
    this.keep(hash, read.value);
    return ok(read.value);
  }

  /** A pin that is gone comes back where a library file still compiles to its hash. */
  private async restored(log: SessionLog<FoldedSession>, hash: WorkflowHash): Promise<string | undefined> {
    const text = await this.library.byHash(hash);
    if (text === undefined) return undefined;
    return (await log.putPin(hash, text)) === undefined ? text : undefined;
  }

  /**
   * A workflow of the library, pinned. What comes back is read from the pin's own bytes: a later process has nothing
   * else, and the order of keys shows in answers.
   */
  pinned(found: CompiledWorkflow): { readonly pin: Pin; readonly workflow: CompiledWorkflow } {
    const pin = pinWorkflow(found);
    const known = this.workflows.get(pin.hash);
    if (known !== undefined) return { pin, workflow: known };
    const read = readPin(pin.text, pin.hash);
    assert(read.ok, 'a pin that was just made can be read');
    this.keep(pin.hash, read.value);
    return { pin, workflow: read.value };
  }

  /** What a workflow of the library would be pinned as. */
  hashOf(workflow: CompiledWorkflow): WorkflowHash {
    const hash = this.hashes.get(workflow) ?? pinWorkflow(workflow).hash;
    this.hashes.set(workflow, hash);
    return hash;
  }

  private keep(hash: WorkflowHash, workflow: CompiledWorkflow): void {
    this.workflows.set(hash, workflow);
    for (const oldest of this.workflows.keys()) {
      if (this.workflows.size <= kept) break;
      this.workflows.delete(oldest);
    }
  }
}
