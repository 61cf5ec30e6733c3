import type { NodesCompared } from '../../contract/http-api.js';
import { wordsOf } from '../step/json-told.js';
import { ValueTold } from '../step/value-told.js';

/** What is known at one end and not at the other, or otherwise. */
export function ComparedContext({ compared }: { readonly compared: NodesCompared }) {
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
                {[before, after].map((value, side) => (
                  <td key={side}>
                    {value === undefined ? (
                      <span className="quiet">not set</span>
                    ) : (
                      <ValueTold value={value} depth={1} />
                    )}
                  </td>
                ))}
              </tr>
            ))}
            {differing.map((name) => (
              <tr key={name}>
                <th scope="row">{wordsOf(name)}</th>
                <td>{wordsOf(preferences.a[name]).toLowerCase()}</td>
                <td>{wordsOf(preferences.b[name]).toLowerCase()}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {contextSame === 0 ? null : <p className="quiet small">{matching(contextSame)}</p>}
    </>
  );
}

const matching = (keys: number): string => (keys === 1 ? '1 other key matches.' : `${keys} other keys match.`);
