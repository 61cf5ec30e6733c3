import type { Mode } from '../base/preferences.js';
import type { Violation } from '../definitions/source/violation.js';

/** `configured`: a folder that the user named in the configuration. */
type SourceName = 'bundled' | 'user' | 'project' | 'configured';

export interface WorkflowSource {
  readonly name: SourceName;
  readonly folder: string;
  /** What is shown instead of an absolute path. */
  readonly label: string;
  /** Why nothing of it may be read just now. */
  readonly refused?: () => string | undefined;
}

export interface LibraryEntry {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** More of it, for who looks at this one alone. */
  readonly about?: string;
  readonly version?: string;
  readonly kind: 'workflow' | 'routine';
  readonly tags: readonly string[];
  readonly recommendedMode?: Mode;
  /** What a start without it is refused for. */
  readonly requiredInputs?: readonly {
    readonly name: string;
    readonly wanted: string;
    readonly description?: string;
  }[];
  /** Names of what a start may hand in besides. */
  readonly optionalInputs?: readonly string[];
  /** It has steps that WorkRail does itself. */
  readonly runsCommands?: true;
  /** `unknown`: the file is too broken to tell, and is listed under its own name. */
  readonly idStatus: 'namespaced' | 'legacy' | 'unknown';
  /** For a legacy id: what to rename it to. */
  readonly suggestedId?: string;
  readonly source: SourceName;
  /** The source's label and the path below its folder. */
  readonly file: string;
  /** Startable workflows of the same id in sources of lower precedence. */
  readonly hides: readonly { readonly source: string; readonly file: string }[];
  /** SHA-256 of the file's bytes; empty when they could not be read. */
  readonly sourceDigest: string;
  /** Errors: with any, the workflow cannot be started. */
  readonly violations: readonly Violation[];
  readonly warnings: readonly Violation[];
}
