import type { CommandDetail } from '../../contract/catalogs-told.js';
import { visibleTitle } from '../../render/visible-text.js';
import { InCode } from '../parts/in-code.js';
import { ValueTold } from '../step/value-told.js';
import { boundsWords, type Definitions, resolvedSchema, schemaWords } from './schema-words.js';

type Parameters = CommandDetail['parameters'];

const places: readonly { readonly place: Parameters[number]['in']; readonly title: string }[] = [
  { place: 'path', title: 'In the path' },
  { place: 'query', title: 'In the query' },
  { place: 'header', title: 'In headers' },
  { place: 'cookie', title: 'In cookies' },
];

export interface ParametersToldProps {
  readonly parameters: Parameters;
  readonly definitions: Definitions;
}

/** What a command takes, by where it stands in the request. */
export function ParametersTold({ parameters, definitions }: ParametersToldProps) {
  return (
    <section aria-label="Parameters">
      <h2>Parameters</h2>
      {parameters.length === 0 ? <p className="quiet">None.</p> : null}
      {places.map(({ place, title }) => {
        const here = parameters.filter((one) => one.in === place);
        return here.length === 0 ? null : (
          <div key={place}>
            <h3 className="kicker">{title}</h3>
            <ul className="schema-fields">
              {here.map((one) => (
                <ParameterTold key={one.name} parameter={one} definitions={definitions} />
              ))}
            </ul>
          </div>
        );
      })}
    </section>
  );
}

interface ParameterToldProps {
  readonly parameter: Parameters[number];
  readonly definitions: Definitions;
}

function ParameterTold({ parameter, definitions }: ParameterToldProps) {
  const { name, required, description, deprecated, schema, example } = parameter;
  const resolved = resolvedSchema(schema, definitions);
  const bounds = boundsWords(resolved);
  const given = resolved['default'];
  return (
    <li>
      <p className="schema-name">
        <code>{visibleTitle(name)}</code>
        <span className="quiet small">{visibleTitle(schemaWords(schema, definitions))}</span>
        {required ? <span className="small accent">required</span> : null}
        {deprecated === true ? <span className="small warning">deprecated</span> : null}
        {bounds.length === 0 ? null : <span className="quiet small">{visibleTitle(bounds.join('; '))}</span>}
      </p>
      {description === undefined || description.trim() === '' ? null : (
        <p className="schema-about">
          <InCode text={description.trim()} />
        </p>
      )}
      {given === undefined ? null : (
        <div className="small quiet">
          Default: <ValueTold value={given} depth={1} />
        </div>
      )}
      {example === undefined ? null : (
        <div className="small quiet">
          Example: <ValueTold value={example} depth={1} />
        </div>
      )}
    </li>
  );
}
