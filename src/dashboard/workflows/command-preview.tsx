import { repeatableWords } from '../../contract/repeatable-words.js';
import { visibleText } from '../../render/visible-text.js';
import { isListTold, isObjectTold, type JsonObjectTold, type JsonTold } from '../step/json-told.js';
import { Link } from '../router/link.js';
import { readJson } from '../api/read-json.js';

/** A step that WorkRail does itself: the request as it will be sent, holes and all. */
export function CommandPreview({ step }: { readonly step: JsonObjectTold }) {
  const method = readJson.text(step, 'method');
  const template = readJson.text(step, 'template');
  const how = readJson.text(step, 'how');
  const after = readJson.texts(step, 'dependsOn');
  const facts = [
    ...(step['repeatable'] === false ? [asSentence(repeatableWords(false))] : []),
    ...(step['confirm'] === undefined ? [] : ['Waits for the user’s approval']),
    ...(step['secret'] === true ? ['The answer is not written to disk'] : []),
    ...(after.length === 0 ? [] : [`Only after ${after.join(', ')}`]),
  ];
  return (
    <section>
      <h3>Command</h3>
      <p>
        WorkRail runs <CommandLink run={readJson.text(step, 'run') ?? ''} />
        {template === undefined ? null : (
          <>
            {': '}
            <code>
              {method} {template}
            </code>
          </>
        )}
      </p>
      {how === undefined ? null : <p className="quiet">{asSentence(how)}.</p>}
      {facts.length === 0 ? null : (
        <ul className="told-list">
          {facts.map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
      )}
      {shown.map(({ name, says }) =>
        step[name] === undefined ? null : (
          <div key={name}>
            <h3>{says}</h3>
            <Sent value={step[name]} />
          </div>
        ),
      )}
    </section>
  );
}

const asSentence = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);

/** A command as a step names it, to be looked at: its catalog, and what it is called there. */
function CommandLink({ run }: { readonly run: string }) {
  const at = run.indexOf(' ');
  const name = <code>{visibleText(run)}</code>;
  return at < 0 ? (
    name
  ) : (
    <Link to={{ view: 'command', catalogId: run.slice(0, at), command: run.slice(at + 1) }}>{name}</Link>
  );
}

const shown = [
  { name: 'with', says: 'Parameters' },
  { name: 'body', says: 'Body' },
  { name: 'expect', says: 'Expected answer' },
  { name: 'keep', says: 'Kept of the answer' },
  { name: 'puts', says: 'Put into the shared state' },
] as const;

/** Names as the catalog has them, values as they are written in the file. */
function Sent({ value }: { readonly value: JsonTold }) {
  if (!isObjectTold(value))
    return <p className="said">{isListTold(value) ? value.map(written).join(', ') : written(value)}</p>;
  const isFlat = Object.values(value).every((one) => typeof one !== 'object' || one === null);
  if (!isFlat) return <pre className="raw">{visibleText(JSON.stringify(value, null, 2))}</pre>;
  return (
    <ul className="told-list">
      {Object.entries(value).map(([name, one]) => (
        <li key={name}>
          <code>{visibleText(name)}</code>: <span className="said">{written(one)}</span>
        </li>
      ))}
    </ul>
  );
}

const written = (value: JsonTold): string =>
  visibleText(typeof value === 'string' ? value : JSON.stringify(value, null, 2));
