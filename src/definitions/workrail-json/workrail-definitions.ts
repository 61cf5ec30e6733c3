import { closestName } from '../../base/closest-name.js';
import { features } from '../expand/features.js';
import { functionDefinitions } from './workrail-functions.js';
import { at, flagAt, has, type Part, partsAt, textAt, textsAt, warnOfKeys } from './workrail-part.js';
import type { Book, Draft } from './workrail-surroundings.js';
import { finding, warning } from '../source/finding.js';

/** What a file defines for its steps; the references it names are those of the whole workflow. */
export function readDefinitions(file: Part, draft: Draft): Book {
  const known = draft.books.get(file.value);
  readReferences(file, draft);
  if (known !== undefined) return known;
  const book: Book = {
    functions: functionDefinitions(file),
    assessments: readAssessments(file),
    bindings: readBindings(file),
    features: partsAt(file, 'features', { text: 'id', key: 'id' }).flatMap((named) => {
      const id = textAt(named, 'id') ?? '';
      const feature = features.get(id);
      if (feature === undefined)
        file.say(
          warning(named.path, 'unknown_feature', `no feature named \`${id}\`; it is ignored`, {
            actual: id,
            closest: closestName(id, features.keys()),
          }),
        );
      return feature === undefined ? [] : [feature];
    }),
    steps: new Map(
      partsAt(file, 'steps', { needed: true }).flatMap((step) =>
        typeof step.value['id'] === 'string' ? [[step.value['id'], step] as const] : [],
      ),
    ),
  };
  draft.books.set(file.value, book);
  return book;
}

function readReferences(file: Part, draft: Draft): void {
  partsAt(file, 'references', { text: 'source', key: 'id' }).forEach((source, index) => {
    warnOfKeys(source, ['id', 'title', 'source', 'purpose', 'authoritative', 'resolveFrom']);
    const path = textAt(source, 'source');
    const id = textAt(source, 'id') ?? `reference-${index + 1}`;
    if (path === undefined) {
      const message = 'a reference needs a `source`; without one it is ignored';
      file.say(warning([...source.path, 'source'], 'missing', message));
      return;
    }
    const elsewhere = textAt(source, 'resolveFrom') === 'package' ? 'in the package that the workflow comes from' : '';
    const purpose = [textAt(source, 'purpose') ?? '', elsewhere].filter((some) => some !== '').join('; ');
    if (!draft.references.has(id))
      draft.references.set(id, {
        id,
        title: textAt(source, 'title') ?? id,
        path,
        ...(purpose !== '' && { purpose }),
        authoritative: flagAt(source, 'authoritative'),
      });
  });
}

function readAssessments(file: Part): Book['assessments'] {
  return new Map(
    partsAt(file, 'assessments', { key: 'id' }).flatMap((source) => {
      warnOfKeys(source, ['id', 'purpose', 'dimensions']);
      const id = textAt(source, 'id');
      if (id === undefined) {
        file.say(finding([...source.path, 'id'], 'missing', 'an assessment needs an id', { expected: 'text' }));
        return [];
      }
      const dimensions = partsAt(source, 'dimensions', { key: 'id' }).map((dimension, index) => {
        warnOfKeys(dimension, ['id', 'purpose', 'levels', 'required']);
        const levels = textsAt(dimension, 'levels');
        if (levels.length === 0) {
          const message = 'a dimension needs its levels';
          file.say(finding([...dimension.path, 'levels'], 'missing', message, { expected: 'a list of texts' }));
        }
        return {
          id: textAt(dimension, 'id') ?? `dimension-${index + 1}`,
          purpose: textAt(dimension, 'purpose') ?? '',
          levels,
          required: !has(dimension, 'required') || flagAt(dimension, 'required'),
        };
      });
      return [[id, { id, purpose: textAt(source, 'purpose') ?? '', dimensions }] as const];
    }),
  );
}

function readBindings(file: Part): Book['bindings'] {
  return new Map(
    partsAt(file, 'extensionPoints', { text: 'slotId', key: 'slotId' }).flatMap((point) => {
      const filled = has(point, 'default');
      warnOfKeys(point, ['slotId', 'default', 'acceptedKinds', ...(filled ? [] : ['purpose'])], {
        purpose: 'the `default` is used, and nothing else can fill the slot',
      });
      const slot = textAt(point, 'slotId');
      const value = at(point, 'default');
      if (slot === undefined) return [];
      return [
        [
          slot,
          typeof value === 'string'
            ? value
            : value === undefined
              ? (textAt(point, 'purpose') ?? slot)
              : JSON.stringify(value),
        ] as const,
      ];
    }),
  );
}
