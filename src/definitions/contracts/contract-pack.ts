import type { DocumentForm } from '../../base/closed-sets.js';
import type { JsonObject } from '../../base/json-value.js';
import type { DocumentFold } from '../compiled/compiled-workflow.js';

/** How an artifact folds into a document, and how people are shown it; what says nothing is shown by its fold. */
export interface PackDocument extends DocumentFold {
  readonly shownAs?: DocumentForm;
}

/** A named output contract: what an artifact looks like, and what becomes of it. */
export interface ContractPack {
  /** As an author names it: `wr.contracts.findings`. */
  readonly ref: string;
  /** The artifact's kind, as the agent writes it. */
  readonly kind: string;
  readonly title: string;
  readonly schema: JsonObject;
  readonly example: JsonObject;
  readonly documents: readonly PackDocument[];
}

interface PackSource extends Omit<ContractPack, 'ref' | 'schema' | 'documents'> {
  readonly name: string;
  readonly properties: JsonObject;
  readonly required: readonly string[];
  /** Further fields are welcome: workflows ask in their prompts for more than every one of them needs. */
  readonly open?: true;
  readonly documents?: readonly PackDocument[];
}

/** `kind` belongs to every artifact, so it is written here and nowhere else. */
export function contractPack(source: PackSource): ContractPack {
  const { name, kind, title, properties, required, open, example, documents = [] } = source;
  return {
    ref: `wr.contracts.${name}`,
    kind,
    title,
    schema: {
      type: 'object',
      description: title,
      required: ['kind', ...required],
      properties: { kind: { const: kind }, ...properties },
      ...(open === true ? { maxProperties: 60 } : { additionalProperties: false }),
    },
    example: { kind, ...example },
    documents,
  };
}
