import { byteLength, firstWords } from '../../base/byte-budget.js';
import type { ListedWorkflow } from '../../contract/answer.js';
import { asJson } from '../../contract/reply-with.js';
import type { LibraryEntry } from '../../library/library-entry.js';

/** How much of a description a list tells, and how many violations of a file. */
interface ToldAtMost {
  readonly description: number;
  readonly violations: number;
}

/** A workflow file as a list tells it; without limits nothing of it is cut. */
export function listedEntry(
  { sourceDigest: _sourceDigest, about: _about, violations, warnings, ...entry }: LibraryEntry,
  most: ToldAtMost = { description: Infinity, violations: Infinity },
): ListedWorkflow {
  const { description } = entry;
  const bytes = byteLength(description);
  // What comes after the first paragraph is for who looks closer.
  const first = most.description === Infinity ? description : description.split(/\n\s*\n/u, 1)[0]!;
  return {
    ...entry,
    description:
      byteLength(first) <= most.description
        ? first
        : `${firstWords(first, most.description)} (${bytes} bytes in all; inspect_workflow shows them)`,
    startable: violations.length === 0,
    violations: violations.slice(0, most.violations).map(asJson),
    ...(violations.length > most.violations && { violationsOmitted: violations.length - most.violations }),
    ...(warnings.length > 0 && { warningCount: warnings.length }),
  };
}
