import type { ContextChange, NodesCompared } from '../../contract/http-api.js';
import { spokenPreference } from '../../base/mode-words.js';
import { DifferingValue } from './differing.js';

/** What is known at one end and not at the other, or otherwise. */
export function ComparedContext({ compared, marks }: { readonly compared: NodesCompared; readonly marks: boolean }) {
  const { context, contextSame, preferences } = compared;
  const differing = (Object.keys(preferences.a) as (keyof typeof preferences.a)[]).filter(
    (name) => preferences.a[name] !== preferences.b[name],
  );
  if (context.length === 0 && differing.length === 0)
    return <p className="quiet">{contextSame < 2 ? 'None' : `None; all ${contextSame} keys match`}</p>;
  return (
    <>
      <div className="table-frame">
        <table className="context-table">
          <caption className="for-readers-only">Context and preferences that differ</caption>
          <thead>
            <tr>
              <th scope="col">Key</th>
              <th scope="col">At A</th>
              <th scope="col">At B</th>
            </tr>
          </thead>
          <tbody>
            {context.map(({ key, before, after }) => (
              <tr key={key}>
                <th scope="row">
                  <code>{key}</code>
                </th>
                <Cell value={before} other={marks ? after : undefined} />
                <Cell value={after} other={marks ? before : undefined} />
              </tr>
            ))}
            {differing.map((name) => (
              <tr key={name}>
                <th scope="row">{spokenPreference(name, preferences.a[name]).label}</th>
                <td>{spokenPreference(name, preferences.a[name]).says}</td>
                <td>{spokenPreference(name, preferences.b[name]).says}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {contextSame === 0 ? null : <p className="quiet small">{matching(contextSame)}</p>}
    </>
  );
}

interface CellProps {
  readonly value: ContextChange['before'];
  readonly other: ContextChange['before'];
}

const Cell = ({ value, other }: CellProps) => (
  <td>
    {value === undefined ? <span className="quiet">not set</span> : <DifferingValue value={value} other={other} />}
  </td>
);

const matching = (keys: number): string => (keys === 1 ? '1 other key matches.' : `${keys} other keys match.`);
