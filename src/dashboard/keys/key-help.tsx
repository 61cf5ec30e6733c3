import { sortWords, statusWords } from '../../contract/session-search.js';
import { Dialog } from '../parts/dialog.js';
import { KeyHint } from '../parts/key-hint.js';
import { keyMap } from './key-map.js';

/** One filter a line, each as it is typed. */
const filterHelp = [
  { writes: 'is:waiting', says: `How it stands: ${statusWords.join(', ')}` },
  { writes: 'workflow:wr.coding_task', says: 'Workflow of a run' },
  { writes: 'branch:fix/login', says: 'Git branch' },
  { writes: 'label:docs', says: 'Label' },
  { writes: 'since:2h', says: 'Worked on since; before: is the opposite' },
  { writes: 'sort:longest-step', says: `Order: ${sortWords.join(', ')}` },
];

/** Keyboard shortcuts where somebody is. */
export function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose} isText>
      {keyMap.groups().map(({ title, bindings }) => (
        <section key={title}>
          <h3>{title}</h3>
          <table className="key-table">
            <tbody>
              {bindings.map(({ keys, says }) => (
                <tr key={keys}>
                  <th scope="row">
                    <KeyHint keys={keys} />
                  </th>
                  <td>{says}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ))}
      <section>
        <h3>In the search of sessions</h3>
        <table className="key-table">
          <tbody>
            {filterHelp.map(({ writes, says }) => (
              <tr key={writes}>
                <th scope="row">
                  <code>{writes}</code>
                </th>
                <td>{says}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Dialog>
  );
}
