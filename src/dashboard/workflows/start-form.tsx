import { useId } from 'react';
import type { WorkflowDetail } from '../../contract/workflow-answers.js';
import { useCommandLine } from '../api/use-command-line.js';
import { announce } from '../parts/announcer.js';
import { CopyButton } from '../parts/copy-button.js';
import { InCode } from '../parts/in-code.js';
import { TypedField } from '../parts/typed-field.js';
import { ValueTold } from '../step/value-told.js';
import type { JsonObjectTold, JsonTold } from '../step/json-told.js';
import { ChoiceField } from './choice-field.js';
import {
  startInputs,
  type StartInput,
  startPrompt,
  startWords,
  type Typed,
  typedValue,
  typedValues,
  typeInto,
} from './start-inputs.js';

export interface StartFormProps extends Pick<WorkflowDetail, 'workflow'> {
  readonly compiled: JsonObjectTold;
  readonly typed: Typed;
  readonly onType: (typed: Typed) => void;
}

/** The inputs of a workflow as fields, and what to hand to an agent or a shell with what is in them. */
export function StartForm({ workflow: { id, kind }, compiled, typed, onType }: StartFormProps) {
  const inputs = startInputs(compiled);
  const values = typedValues(inputs, typed);
  const inShell = useCommandLine();
  const words = startPrompt(id, values);
  const command = inShell(startWords(id, inputs, values));
  const type = (name: string, text: string): void => {
    const after = typeInto(inputs, typed, name, text);
    onType(after.typed);
    if (after.emptied.length > 0) announce(`Emptied ${after.emptied.join(' and ')}, which depends on ${name}.`);
  };
  const isStarted = kind !== 'routine';
  return (
    <section>
      <h2>Inputs</h2>
      {inputs.length === 0 ? (
        <p className="quiet">None.</p>
      ) : isStarted ? (
        <p className="quiet small">What you enter is added to the prompt and the command below.</p>
      ) : null}
      <dl className="inputs">
        {inputs.map((input) => (
          <InputRow
            key={input.name}
            input={input}
            {...(isStarted && {
              field: { workflowId: id, inputs, values, typed, onChange: (text) => type(input.name, text) },
            })}
          />
        ))}
      </dl>
      {isStarted ? (
        <dl className="start-words">
          <dt>Prompt for your agent</dt>
          <dd>
            <pre>{words}</pre>
            <CopyButton text={words} label="Copy the prompt" />
          </dd>
          <dt>Or start in a terminal</dt>
          <dd>
            <pre>{command}</pre>
            <CopyButton text={command} label="Copy the command" />
          </dd>
        </dl>
      ) : (
        <p className="quiet">A routine: other workflows include its steps.</p>
      )}
    </section>
  );
}

interface FieldOf {
  readonly workflowId: string;
  readonly inputs: readonly StartInput[];
  readonly values: ReadonlyMap<string, JsonTold>;
  readonly typed: Typed;
  readonly onChange: (text: string) => void;
}

function InputRow({ input, field }: { readonly input: StartInput; readonly field?: FieldOf }) {
  const id = useId();
  const { name, type, required, description, default: standard, example } = input;
  return (
    <div>
      <dt>
        {field === undefined ? (
          <code>{name}</code>
        ) : (
          <label htmlFor={id}>
            <code>{name}</code>
          </label>
        )}
        <span className="small quiet"> {required ? `${type}, required` : type}</span>
      </dt>
      <dd className={field === undefined ? undefined : 'field'}>
        <div id={`${id}-says`}>
          {description === '' ? null : (
            <p>
              <InCode text={description} />
            </p>
          )}
          {standard === undefined ? null : (
            <div className="small quiet">
              Default: <ValueTold value={standard} depth={1} />
            </div>
          )}
          {example === undefined ? null : (
            <div className="small quiet">
              Example: <ValueTold value={example} depth={1} />
            </div>
          )}
        </div>
        {field === undefined ? null : <InputField id={id} input={input} field={field} />}
      </dd>
    </div>
  );
}

interface InputFieldProps {
  readonly id: string;
  readonly input: StartInput;
  readonly field: FieldOf;
}

function InputField({ id, input, field: { workflowId, inputs, values, typed, onChange } }: InputFieldProps) {
  const { name, type, values: choices, provider, required } = input;
  const text = typed.get(name) ?? '';
  const { wrong } = typedValue(input, text);
  const read = inputs.filter((one) => provider?.reads.includes(one.name) === true);
  const missing = read.filter((one) => !values.has(one.name) && one.default === undefined).map((one) => one.name);
  const given = Object.fromEntries(
    read.flatMap((one) => {
      const value = values.get(one.name);
      return value === undefined ? [] : [[one.name, value]];
    }),
  );
  const same = {
    id,
    text,
    onChange,
    invalid: wrong !== undefined,
    required,
    describedBy: `${id}-says ${id}-hint ${id}-wrong`,
  };
  return (
    <>
      {provider === undefined ? (
        <TypedField {...same} type={type} values={choices} />
      ) : (
        <ChoiceField {...same} workflowId={workflowId} name={name} inputs={given} missing={missing} />
      )}
      <p id={`${id}-hint`} className="small quiet">
        {provider === undefined ? null : missing.length === 0 ? (
          <>
            Choices from <code>{provider.command}</code>
          </>
        ) : (
          <>Enter {missing.join(' and ')} to see the choices</>
        )}
      </p>
      <p id={`${id}-wrong`} className="small grave" role="status">
        {wrong}
      </p>
    </>
  );
}
