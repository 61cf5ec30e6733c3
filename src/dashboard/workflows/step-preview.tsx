import { CopyButton } from '../parts/copy-button.js';
import { Markdown } from '../parts/markdown.js';
import type { JsonObjectTold } from '../step/json-told.js';
import { ValueTold } from '../step/value-told.js';
import { readJson } from '../api/read-json.js';
import { Folded } from '../parts/folded.js';
import { visibleText } from '../../render/visible-text.js';
import { InCode } from '../parts/in-code.js';
import { CommandPreview } from './command-preview.js';

/** One step as it will be asked, holes and all. */
export function StepPreview({ step }: { readonly step: JsonObjectTold }) {
  const prompt = readJson.text(step, 'prompt');
  const condition = readJson.text(step, 'if');
  const role = readJson.text(step, 'role');
  const goes = readJson.text(step, 'goes');
  const fail = readJson.text(step, 'fail');
  const guidance = readJson.texts(step, 'guidance');
  return (
    <article
      className="step-preview"
      aria-label={`Step: ${readJson.text(step, 'title') ?? ''}`}
      id="step-preview"
      tabIndex={-1}
    >
      <header>
        <h2>{readJson.text(step, 'title') ?? readJson.text(step, 'stepId')}</h2>
        <p className="quiet small">
          <code>{readJson.text(step, 'path')}</code>
        </p>
      </header>
      {condition === undefined ? null : (
        <p>
          Runs only if <code>{condition}</code>
        </p>
      )}
      {goes === undefined ? null : <p>Repeats {goes}.</p>}
      {fail === undefined ? null : (
        <p>
          Ends the run as failed: <span className="said">{fail}</span>
        </p>
      )}
      {step['kind'] === 'run' ? <CommandPreview step={step} /> : null}
      {step['kind'] === 'group' ? <p className="quiet">A group of steps.</p> : null}
      {role === undefined ? null : (
        <p className="quiet">
          <InCode text={role} />
        </p>
      )}
      {prompt === undefined ? null : (
        <section>
          <h3>
            Prompt <CopyButton text={prompt} label="Copy the prompt" />
          </h3>
          <Markdown text={prompt} />
        </section>
      )}
      {guidance.length === 0 ? null : (
        <section>
          <h3>Guidance</h3>
          <ul className="told-list">
            {guidance.map((line, index) => (
              <li key={index}>
                <Markdown text={line} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {prompt === undefined ? null : <AskedBack step={step} />}
      <Besides step={step} />
    </article>
  );
}

/** The contracts: what has to come back for the step to be done. */
function AskedBack({ step }: { readonly step: JsonObjectTold }) {
  const notes = readJson.object(step, 'notes');
  const artifacts = readJson.objects(step, 'artifacts');
  const context = readJson.objects(step, 'context');
  const needs = readJson.objects(step, 'needs');
  return (
    <section>
      <h3>Expected output</h3>
      <ul className="told-list">
        <li>
          {notes['required'] === true
            ? 'Notes (required)'
            : notes['encouraged'] === true
              ? 'Notes'
              : 'Notes (optional)'}
          {readJson.texts(notes, 'rules').map((rule) => (
            <span key={rule} className="quiet">
              ; they <InCode text={rule} />
            </span>
          ))}
        </li>
        {context.map((one, index) => (
          <li key={index}>
            Context <code>{readJson.text(one, 'key')}</code>: {readJson.text(one, 'wanted')}
            {one['required'] === true ? null : <span className="quiet">, if known</span>}
            {readJson.texts(one, 'neededBy').length === 0 ? null : (
              <span className="quiet">; used by {readJson.texts(one, 'neededBy').join(', ')}</span>
            )}
          </li>
        ))}
        {needs.map((one, index) => (
          <li key={index}>
            From the user, as <code>{readJson.text(one, 'key')}</code>:{' '}
            <InCode text={readJson.text(one, 'ask') ?? ''} />
          </li>
        ))}
        {Object.entries(readJson.object(step, 'puts')).map(([place, value]) => (
          <li key={place}>
            Put into the shared state at <code>{visibleText(place)}</code>:{' '}
            <code>{visibleText(typeof value === 'string' ? value : JSON.stringify(value))}</code>
          </li>
        ))}
        {step['confirm'] === undefined ? null : (
          <li>
            The user’s approval
            {readJson.text(step['confirm'], 'if') === undefined ? null : (
              <>
                , if <code>{readJson.text(step['confirm'], 'if')}</code>
              </>
            )}
          </li>
        )}
      </ul>
      {artifacts.map((artifact, index) => {
        const contract = readJson.text(artifact, 'contract');
        const needed = artifact['required'] === true ? 'required' : 'optional';
        return (
          <Folded
            key={index}
            kind={readJson.text(artifact, 'kind')}
            hint={contract === undefined ? needed : `${needed}, contract ${contract}`}
          >
            <ValueTold value={readJson.object(artifact, 'schema')} />
          </Folded>
        );
      })}
    </section>
  );
}

const folded = [
  { name: 'functions', says: 'Function', title: 'name', text: 'text' },
  { name: 'fragments', says: 'Also included', title: 'if', text: 'text' },
  { name: 'delegates', says: 'For a sub-agent', title: 'title', text: 'text' },
  { name: 'assessments', says: 'Assessment', title: 'id', text: 'purpose' },
] as const;

function Besides({ step }: { readonly step: JsonObjectTold }) {
  return folded.flatMap(({ name, says, title, text }) =>
    readJson.objects(step, name).map((part, index) => (
      <Folded key={`${name} ${index}`} kind={says} hint={readJson.text(part, title) ?? 'always'}>
        <Markdown text={readJson.text(part, text) ?? ''} />
      </Folded>
    )),
  );
}
