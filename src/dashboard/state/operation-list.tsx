import { isJsonObject, type JsonValue } from '../../base/json-value.js';
import { isArray } from '../../base/patch/json-pointer.js';
import { plural } from '../../base/plural.js';
import { readJson } from '../api/read-json.js';
import { visibleText } from '../../render/visible-text.js';
import { JsonText } from './json-text.js';

const manyOperations = 100;

/** Operations of JSON Patch, one a line. */
export function OperationList({ operations, label }: { readonly operations: JsonValue; readonly label: string }) {
  const all = isArray(operations) ? operations.filter(isJsonObject) : [];
  if (all.length === 0) return null;
  return (
    <ol className="operation-list" aria-label={label}>
      {all.slice(0, manyOperations).map((operation, index) => {
        const from = readJson.text(operation, 'from');
        const { value } = operation;
        return (
          <li key={index}>
            <span className="operation-name">{readJson.text(operation, 'op')}</span>{' '}
            <code>{placeWords(from ?? readJson.text(operation, 'path'))}</code>
            {from === undefined ? null : (
              <>
                {' → '}
                <code>{placeWords(readJson.text(operation, 'path'))}</code>
              </>
            )}
            {value === undefined ? null : (
              <>
                {': '}
                <JsonText value={value} />
              </>
            )}
          </li>
        );
      })}
      {all.length > manyOperations ? (
        <li className="quiet">and {plural(all.length - manyOperations, 'more operation', 'more operations')}</li>
      ) : null}
    </ol>
  );
}

/** The empty pointer is the whole document. */
export const placeWords = (pointer: string | undefined): string =>
  pointer === undefined ? 'the document' : visibleText(pointer);
