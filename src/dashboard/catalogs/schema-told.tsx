import { own } from '../../base/own.js';
import { visibleTitle } from '../../render/visible-text.js';
import { Folded } from '../parts/folded.js';
import { InCode } from '../parts/in-code.js';
import { isListTold, isObjectTold, type JsonObjectTold, type JsonTold } from '../step/json-told.js';
import { ValueTold } from '../step/value-told.js';
import {
  boundsWords,
  choicesOf,
  type Definitions,
  objectAt,
  resolvedSchema,
  schemaWords,
  textsAt,
} from './schema-words.js';

export interface SchemaToldProps {
  readonly schema: JsonTold | undefined;
  readonly definitions: Definitions;
  /** Whether its type is said: not where it stands above already. */
  readonly named?: boolean;
}

/** What a value looks like: each field with its type and what it is for. What lies deeper is opened when somebody wants to see it. */
export function SchemaTold({ schema, definitions, named = true }: SchemaToldProps) {
  const whole = resolvedSchema(schema, definitions);
  const items = own(whole, 'items');
  const shown = items === undefined ? whole : resolvedSchema(items, definitions);
  const fields = Object.entries(objectAt(shown, 'properties'));
  const choices = choicesOf(shown);
  const others = own(shown, 'additionalProperties');
  const required = new Set(textsAt(shown, 'required'));
  return (
    <div className="schema-told">
      {named ? (
        <p className="schema-is">
          <code>{visibleTitle(schemaWords(schema, definitions))}</code>
          <Bounds schema={whole} />
        </p>
      ) : null}
      {named || items !== undefined ? <About schema={shown} /> : null}
      {fields.length === 0 ? null : (
        <ul className="schema-fields">
          {fields.map(([name, one]) => (
            <SchemaField key={name} name={name} schema={one} required={required.has(name)} definitions={definitions} />
          ))}
        </ul>
      )}
      {choices.map((one, index) => (
        <Folded key={index} lazy kind={visibleTitle(schemaWords(one, definitions))} hint={`choice ${index + 1}`}>
          <SchemaTold schema={one} definitions={definitions} named={false} />
        </Folded>
      ))}
      {isObjectTold(others) && Object.keys(others).length > 0 ? (
        <Deeper
          kind={`Any other name: ${visibleTitle(schemaWords(others, definitions))}`}
          schema={others}
          definitions={definitions}
        />
      ) : null}
    </div>
  );
}

interface SchemaFieldProps extends SchemaToldProps {
  readonly name: string;
  readonly required: boolean;
}

function SchemaField({ name, schema, required, definitions }: SchemaFieldProps) {
  const resolved = resolvedSchema(schema, definitions);
  return (
    <li>
      <p className="schema-name">
        <code>{visibleTitle(name)}</code>
        <span className="quiet small">{visibleTitle(schemaWords(schema, definitions))}</span>
        {required ? <span className="small accent">required</span> : null}
        {own(resolved, 'readOnly') === true ? <span className="small quiet">only in answers</span> : null}
        {own(resolved, 'writeOnly') === true ? <span className="small quiet">only in requests</span> : null}
        {own(resolved, 'deprecated') === true ? <span className="small warning">deprecated</span> : null}
        <Bounds schema={resolved} />
      </p>
      <About schema={resolved} />
      {holdsMore(schema, definitions) ? <Deeper kind="Fields" schema={schema} definitions={definitions} /> : null}
    </li>
  );
}

const Deeper = ({ kind, schema, definitions }: SchemaToldProps & { readonly kind: string }) => (
  <Folded lazy kind={kind}>
    <SchemaTold schema={schema} definitions={definitions} named={false} />
  </Folded>
);

/** Whether there is anything to open. */
function holdsMore(schema: JsonTold | undefined, definitions: Definitions, depth = 0): boolean {
  const resolved = resolvedSchema(schema, definitions);
  const items = own(resolved, 'items');
  if (items !== undefined && depth < 3) return holdsMore(items, definitions, depth + 1);
  return (
    Object.keys(objectAt(resolved, 'properties')).length > 0 ||
    Object.keys(objectAt(resolved, 'additionalProperties')).length > 0 ||
    choicesOf(resolved).some((one) => holdsMore(one, {}, depth + 1) || isNamed(one))
  );
}

const isNamed = (schema: JsonTold): boolean => isObjectTold(schema) && typeof schema['$ref'] === 'string';

function Bounds({ schema }: { readonly schema: JsonObjectTold }) {
  const told = boundsWords(schema);
  return told.length === 0 ? null : <span className="quiet small">{visibleTitle(told.join('; '))}</span>;
}

function About({ schema }: { readonly schema: JsonObjectTold }) {
  const [description, given, example] = ['description', 'default', 'example'].map((key) => own(schema, key));
  const examples = own(schema, 'examples');
  const shown = example ?? (isListTold(examples) ? examples[0] : undefined);
  return (
    <>
      {typeof description === 'string' && description.trim() !== '' ? (
        <p className="schema-about">
          <InCode text={description.trim()} />
        </p>
      ) : null}
      {given === undefined ? null : (
        <div className="small quiet">
          Default: <ValueTold value={given} depth={1} />
        </div>
      )}
      {shown === undefined || shown === '' ? null : (
        <div className="small quiet schema-example">
          Example: <ValueTold value={shown} depth={1} />
        </div>
      )}
    </>
  );
}
