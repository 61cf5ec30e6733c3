import { Dialog } from '../parts/dialog.js';
import { KeyHint } from '../parts/key-hint.js';
import { keyMap } from './key-map.js';

/** Keyboard shortcuts where somebody is. */
export function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
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
    </Dialog>
  );
}
