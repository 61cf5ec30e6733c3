import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { StepDetail } from '../../contract/http-api.js';
import { agreedWords, bytesWords, msWords, settledWords, stoppedWords } from '../../render/command-words.js';
import { visibleText } from '../../render/visible-text.js';
import { failureWords } from '../api/failure-words.js';
import { queries } from '../api/queries.js';
import { Button } from '../parts/button.js';
import { Folded } from '../parts/folded.js';
import { InCode } from '../parts/in-code.js';
import { TimeTold } from '../parts/time-told.js';
import { CommandTries } from './command-tries.js';
import './command-step.css';

type Command = NonNullable<StepDetail['node']['command']>;

export interface CommandStepProps {
  readonly detail: StepDetail;
  readonly onSelect: (nodeId: string) => void;
}

/** What WorkRail does at a step itself: what it sends, what came of it, and how the run ended there. */
export function CommandStep({ detail, onSelect }: CommandStepProps) {
  const { sessionId, node } = detail;
  const { command, stopped } = node;
  return (
    <>
      {stopped === undefined ? null : (
        <section className={stopped.status === 'failed' ? 'aside grave' : 'aside'}>
          <h3>
            {stoppedWords(stopped).head} <TimeTold at={stopped.at} />
          </h3>
          <p className="said">
            <InCode text={stopped.message} />
          </p>
          {stoppedWords(stopped).then === undefined ? null : <p>{stoppedWords(stopped).then}</p>}
        </section>
      )}
      {command === undefined ? null : (
        <section className="command-ran">
          <h3>
            Command{' '}
            <code>
              {command.catalog} {command.command}
            </code>
          </h3>
          <p className={`command-known ${tones[command.state]}`}>
            <InCode text={command.says} />
          </p>
          <NextTry command={command} />
          <Request request={command.request} />
          <Response response={command.response} sessionId={sessionId} nodeId={node.nodeId} />
          <CommandTries command={command} />
          <Standing command={command} onSelect={onSelect} />
        </section>
      )}
    </>
  );
}

const tones: Readonly<Record<Command['state'], string>> = {
  pending: '',
  running: 'waiting',
  succeeded: '',
  failed: 'grave',
  unknown: 'warning',
  blocked: 'grave',
  canceled: '',
};

function NextTry({ command: { waits, until } }: { readonly command: Command }) {
  const at = waits === undefined ? undefined : new Date(Date.parse(waits.from) + waits.ms);
  return (
    <>
      {until === undefined ? null : (
        <p>
          Waits until <code>{until}</code>
        </p>
      )}
      {at === undefined || Number.isNaN(at.getTime()) ? null : (
        <p>
          Next try: <TimeTold at={at.toISOString()} />
        </p>
      )}
    </>
  );
}

function Request({ request }: { readonly request: Command['request'] | undefined }) {
  if (request === undefined) return null;
  const { method, url, body, repeat } = request;
  return (
    <div className="http-part">
      <h4>Request</h4>
      <p className="http-line">
        <strong>{method}</strong> <code>{visibleText(url)}</code>
      </p>
      {body === undefined ? null : (
        <Folded kind="Body" hint={bytesWords(body.bytes)} open={body.bytes <= openBytes}>
          <pre className="raw">{visibleText(pretty(body.preview))}</pre>
        </Folded>
      )}
      {repeat === undefined ? null : <p className="quiet small">{repeats[repeat]}</p>}
    </div>
  );
}

const repeats = {
  once: 'It changes something, and is not sent again unless somebody says so.',
  keyed: 'It changes something. It carries a key, so that sending it again does it once.',
  repeatable: 'It may be sent again: doing it twice comes to the same.',
} as const;

const headerWords = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A body of at most so many bytes is open at once. */
const openBytes = 1200;

/** JSON, a member a line; what is cut off is shown as it is. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

interface ResponseProps {
  readonly response: Command['response'] | undefined;
  readonly sessionId: string;
  readonly nodeId: string;
}

function Response({ response, sessionId, nodeId }: ResponseProps) {
  if (response === undefined) return null;
  const { status, headers, bytes, body, cut } = response;
  const told = Object.entries(headers);
  return (
    <div className="http-part">
      <h4>Response</h4>
      <p className="http-line">
        {status === undefined ? null : <strong className="figures">{status}</strong>}{' '}
        <span className="quiet">{bytesWords(bytes)}</span>
      </p>
      {told.length === 0 ? null : (
        <Folded kind="Headers" hint={told.map(([name]) => name).join(', ')}>
          <dl className="http-headers">
            {told.map(([name, value]) => (
              <div key={name}>
                <dt>{visibleText(name)}</dt>
                <dd>{visibleText(headerWords(value))}</dd>
              </div>
            ))}
          </dl>
        </Folded>
      )}
      {cut !== undefined ? (
        <CutBody cut={cut} sessionId={sessionId} nodeId={nodeId} />
      ) : (body ?? null) === null ? null : (
        <Folded kind="Body" hint={bytesWords(bytes)} open={bytes <= openBytes}>
          <pre className="raw">{visibleText(JSON.stringify(body, null, 2))}</pre>
        </Folded>
      )}
    </div>
  );
}

interface CutBodyProps extends Omit<ResponseProps, 'response'> {
  readonly cut: NonNullable<NonNullable<Command['response']>['cut']>;
}

/** A large body: how it begins, and all of it for who asks. */
function CutBody({ cut, sessionId, nodeId }: CutBodyProps) {
  const [all, setAll] = useState(false);
  const { data, error } = useQuery({ ...queries.wholeAnswer(sessionId, nodeId), enabled: all });
  const whole = data?.node.command?.response?.body;
  return (
    <Folded kind="Body" hint={`${bytesWords(cut.bytes)}, shown in part`}>
      {whole === undefined ? (
        <>
          <pre className="raw">{visibleText(cut.text)} …</pre>
          {error === null ? null : <p className="grave">{failureWords(error)}</p>}
          <Button small disabled={all && error === null} onClick={() => setAll(true)}>
            Show all {bytesWords(cut.bytes)}
          </Button>
        </>
      ) : (
        <pre className="raw">{visibleText(JSON.stringify(whole, null, 2))}</pre>
      )}
    </Folded>
  );
}

/** Who said what of it, and where it comes from. */
function Standing({ command, onSelect }: { readonly command: Command; readonly onSelect: (nodeId: string) => void }) {
  const { agreed, settled, reusedFrom, tries } = command;
  const [only] = tries;
  return (
    <div className="command-facts quiet small">
      {tries.length === 1 && only?.then === 'done' && only.error === undefined && reusedFrom === undefined ? (
        <p>
          Sent <TimeTold at={only.at} />, took {msWords(only.ms ?? 0)}
        </p>
      ) : null}
      {reusedFrom === undefined ? null : (
        <p>
          <button type="button" className="goto small" onClick={() => onSelect(reusedFrom)}>
            Where it was sent
          </button>
        </p>
      )}
      {settled === undefined ? null : (
        <p>
          {settledWords(settled)}, <TimeTold at={settled.at} />
        </p>
      )}
      {agreed === undefined ? null : (
        <>
          <p>
            {agreedWords(agreed)}, <TimeTold at={agreed.at} />
          </p>
          {agreed.writes.length < 2 ? null : (
            <Folded kind="Agreed to" hint={agreed.plan}>
              <ul className="told-list">
                {agreed.writes.map(({ path, command: name }) => (
                  <li key={path}>
                    {visibleText(path)}: <code>{name}</code>
                  </li>
                ))}
              </ul>
            </Folded>
          )}
        </>
      )}
    </div>
  );
}
