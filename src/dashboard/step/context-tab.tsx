import type { ContextChange, StepDetail } from '../../contract/http-api.js';
import { spokenMode, spokenPreference } from '../../base/mode-words.js';
import { preferenceNames } from '../../base/preferences.js';
import { visibleTitle } from '../../render/visible-text.js';
import { TimeTold } from '../parts/time-told.js';
import { ValueTold } from './value-told.js';

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
        <h3>Context</h3>
        {Object.keys(context).length === 0 ? (
          <p className="quiet">Nothing has been set.</p>
        ) : (
          <ValueTold value={context} />
        )}
      </section>
      <section>
        <h3>Mode {node.preferencesChanged ? <span className="tag waiting">changed here</span> : null}</h3>
        <ModeInForce detail={detail} />
      </section>
    </>
  );
}

/** The mode in words, each preference of it, and who loosened or tightened it on the way here. */
function ModeInForce({ detail: { node, preferenceChangesBefore } }: { readonly detail: StepDetail }) {
  const { label, says } = spokenMode(node.preferences);
  const all = [...preferenceChangesBefore, ...node.preferenceChanges];
  return (
    <>
      <p>
        <strong>{label}</strong> <span className="quiet">{says}</span>
      </p>
      <dl className="told">
        {preferenceNames.map((name) => {
          const one = spokenPreference(name, node.preferences[name]);
          return (
            <div key={name}>
              <dt>{one.label}</dt>
              <dd>{one.says}</dd>
            </div>
          );
        })}
      </dl>
      {all.length === 0 ? null : (
        <ul className="told-list" aria-label="Changes of mode">
          {all.map((change) => (
            <li key={change.event}>
              {visibleTitle(change.says)}{' '}
              <span className="quiet small">
                <TimeTold at={change.at} />
              </span>{' '}
              {node.preferenceChanges.includes(change) ? <span className="tag waiting">here</span> : null}
            </li>
          ))}
        </ul>
      )}
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
        <div className="quiet">removed</div>
      ) : (
        <div className="after">
          <span className="for-readers-only">{kind} </span>
          <ValueTold value={after} depth={1} />
        </div>
      )}
    </li>
  );
}
