import type { ContextChange, StepDetail } from '../../contract/http-api.js';
import { preferenceNames, preferenceWords } from '../preferences/preference-words.js';
import { ValueTold } from './value-told.js';
import { own } from '../../base/own.js';

/** What was known at the step, what of it was new there, and how work was to be done. */
export function ContextTab({ detail }: { readonly detail: StepDetail }) {
  const { context, contextChanged, node } = detail;
  return (
    <>
      <section>
        <h3>{node.parent === undefined ? 'Given at the start' : 'Changed on the way here'}</h3>
        {contextChanged.length === 0 ? (
          <p className="quiet">Nothing.</p>
        ) : (
          <ul className="changes">{contextChanged.map(changeTold)}</ul>
        )}
      </section>
      <section>
        <h3>Context in force</h3>
        {Object.keys(context).length === 0 ? (
          <p className="quiet">Nothing has been set.</p>
        ) : (
          <ValueTold value={context} />
        )}
      </section>
      <section>
        <h3>Preferences {node.preferencesChanged ? <span className="tag waiting">changed here</span> : null}</h3>
        {node.mode === undefined ? null : (
          <p>
            <strong>{node.mode.label}</strong> <span className="quiet">{node.mode.says}</span>
          </p>
        )}
        <dl className="told">
          {preferenceNames.map((name) => (
            <div key={name}>
              <dt>{preferenceWords[name].label}</dt>
              <dd>{own<string>(preferenceWords[name].values, node.preferences[name])}</dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  );
}

function changeTold({ key, before, after }: ContextChange) {
  const kind = before === undefined ? 'new' : after === undefined ? 'gone' : 'now';
  return (
    <li key={key} className={kind}>
      <code>{key}</code>
      {before === undefined ? null : (
        <div className="before">
          <span className="for-readers-only">before </span>
          <ValueTold value={before} depth={1} />
        </div>
      )}
      {after === undefined ? (
        <div className="quiet">taken away</div>
      ) : (
        <div className="after">
          <span className="for-readers-only">{kind} </span>
          <ValueTold value={after} depth={1} />
        </div>
      )}
    </li>
  );
}
