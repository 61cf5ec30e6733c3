import type { StepDetail } from '../../contract/http-api.js';
import { bytesWords, msWords, outcomeWords, thenWords } from '../../render/command-words.js';
import { InCode } from '../parts/in-code.js';
import { TimeTold } from '../parts/time-told.js';

type Command = NonNullable<StepDetail['node']['command']>;

/** Each time that it was sent. One that simply went well says nothing more than the answer. */
export function CommandTries({ command: { tries, triesOmitted = 0 } }: { readonly command: Command }) {
  const [only] = tries;
  if (tries.length === 0 || (tries.length === 1 && only?.error === undefined && only?.then === 'done')) return null;
  return (
    <div className="http-part">
      <h4>{tries.length === 1 ? 'One try' : `${tries.length + triesOmitted} tries`}</h4>
      {triesOmitted === 0 ? null : <p className="quiet small">{triesOmitted} earlier ones are not shown.</p>}
      <div className="table-frame">
        <table className="sortable command-tries">
          <thead>
            <tr>
              <th scope="col">Try</th>
              <th scope="col">Outcome</th>
              <th scope="col">Took</th>
              <th scope="col">When</th>
            </tr>
          </thead>
          <tbody>
            {tries.map((one) => (
              <tr key={one.event}>
                <td className="figures">{one.try}</td>
                <td>
                  <strong>{outcomeWords(one)}</strong>
                  {thenWords(one) === '' ? '' : `, ${thenWords(one)}`}
                  {one.error === undefined ? null : (
                    <span className="quiet small said try-error">
                      <InCode text={one.error.message} />
                    </span>
                  )}
                </td>
                <td className="figures">
                  {one.ms === undefined ? '–' : msWords(one.ms)}
                  {(one.bytes ?? 0) === 0 ? null : (
                    <span className="quiet small try-error">{bytesWords(one.bytes ?? 0)}</span>
                  )}
                </td>
                <td>
                  <TimeTold at={one.at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
