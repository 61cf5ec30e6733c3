import type { Violation } from '../definitions/violation.js';

export interface WorkflowSource {
  readonly name: 'bundled' | 'user' | 'project';
  readonly folder: string;
  /** What is shown instead of an absolute path. */
  readonly label: string;
}

export interface LibraryEntry {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly version?: string;
  readonly kind: 'workflow' | 'routine';
  readonly tags: readonly string[];
  readonly idStatus: 'namespaced' | 'legacy';
  /** For a legacy id: what to rename it to. */
  readonly suggestedId?: string;
  readonly source: 'bundled' | 'user' | 'project';
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
