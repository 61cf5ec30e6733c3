import { recommendedWords } from '../../base/mode-words.js';
import { plural } from '../../base/plural.js';
import type { WorkflowDetail } from '../../contract/workflow-answers.js';
import { Markdown } from '../parts/markdown.js';
import { Signal } from '../parts/signal.js';
import { TimeTold } from '../parts/time-told.js';
import { Link } from '../router/link.js';
import type { JsonObjectTold } from '../step/json-told.js';
import { readJson } from '../api/read-json.js';
import { ViolationList } from './violation-list.js';
import { StartForm, type StartFormProps } from './start-form.js';
import { SourceText } from './source-text.js';
import { InCode } from '../parts/in-code.js';

export interface WorkflowFactsProps extends Pick<StartFormProps, 'typed' | 'onType'> {
  readonly detail: WorkflowDetail;
}

/** All that a workflow says of itself before its first step, and what there is to say of its file. */
export function WorkflowFacts({ detail, typed, onType }: WorkflowFactsProps) {
  const { workflow, compiled, source, violations, warnings, passedOver, drift } = detail;
  return (
    <>
      {violations.length === 0 ? null : (
        <section aria-label="Violations">
          <h2 className="grave">{plural(violations.length, 'violation')}, so it cannot be started</h2>
          <ViolationList violations={violations} source={source} tone="grave" />
        </section>
      )}
      {workflow.hides.length === 0 ? null : (
        <p className="aside warning">
          It overrides {workflow.hides.map(({ file }) => file).join(', ')}, which has the same id. Rename one to use
          both.
        </p>
      )}
      {passedOver.map(({ file }) => (
        <p key={file} className="aside grave">
          {file} has the same id and would override this one, but it has violations, so this one is used.
        </p>
      ))}
      {compiled === undefined ? (
        <WrittenSource source={source} />
      ) : (
        <>
          <StartForm workflow={workflow} compiled={compiled} typed={typed} onType={onType} />
          <Before compiled={compiled} />
        </>
      )}
      {warnings.length === 0 ? null : (
        <section aria-label="Warnings">
          <h2>{plural(warnings.length, 'warning')}</h2>
          <ViolationList violations={warnings} source={source} tone="warning" />
        </section>
      )}
      <Drift drift={drift} />
    </>
  );
}

function WrittenSource({ source }: { readonly source: string }) {
  return (
    <section>
      <h2>Source</h2>
      <SourceText source={source} />
    </section>
  );
}

const lists = [
  { name: 'preconditions', title: 'Preconditions' },
  { name: 'clarify', title: 'Clarify first' },
  { name: 'guidance', title: 'Guidance for every step' },
] as const;

function Before({ compiled }: { readonly compiled: JsonObjectTold }) {
  const recommended = recommendedWords(readJson.object(compiled, 'recommends'));
  const references = readJson.objects(compiled, 'references');
  return (
    <>
      {lists.map(({ name, title }) =>
        readJson.texts(compiled, name).length === 0 ? null : (
          <section key={name}>
            <h2>{title}</h2>
            <ul className="told-list">
              {readJson.texts(compiled, name).map((line, index) => (
                <li key={index}>
                  <Markdown text={line} />
                </li>
              ))}
            </ul>
          </section>
        ),
      )}
      {recommended.length === 0 ? null : (
        <section>
          <h2>Recommended autonomy</h2>
          {recommended.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </section>
      )}
      {references.length === 0 ? null : (
        <section>
          <h2>References</h2>
          <ul className="told-list">
            {references.map((reference, index) => (
              <li key={index}>
                {readJson.text(reference, 'title')} <code>{readJson.text(reference, 'path')}</code>{' '}
                <span className="quiet">
                  <InCode text={readJson.text(reference, 'purpose') ?? ''} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

const atOnce = 20;

/** Runs go by their pin: what they do differently from the file as it is now. */
function Drift({ drift }: { readonly drift: WorkflowDetail['drift'] }) {
  if (drift.length === 0) return null;
  return (
    <section aria-label="Runs of another version">
      <h2>
        Runs of another version <span className="quiet figures">{drift.length}</span>
      </h2>
      <p className="quiet">A run keeps the version it started with. These are the changes in the file since.</p>
      <ul className="drift">
        {drift.slice(0, atOnce).map(({ sessionId, runId, startedAt, status, changes }) => (
          <li key={runId}>
            <div className="drift-head">
              <Signal status={status} silent />
              <Link to={{ view: 'session', sessionId, runId }}>{sessionId}</Link>
              <span className="small quiet">
                started <TimeTold at={startedAt} />
              </span>
            </div>
            <ul className="told-list small">
              {changes.slice(0, 8).map((change) => (
                <li key={change}>
                  <InCode text={change} />
                </li>
              ))}
              {changes.length > 8 ? <li className="quiet">and {changes.length - 8} more</li> : null}
            </ul>
          </li>
        ))}
      </ul>
      {drift.length > atOnce ? <p className="quiet">And {drift.length - atOnce} older runs.</p> : null}
    </section>
  );
}
