import { useQuery } from '@tanstack/react-query';
import { queries } from '../api/queries.js';
import { CopyButton } from '../parts/copy-button.js';
import { InCode } from '../parts/in-code.js';
import { failureWords } from '../api/failure-words.js';

/** The step waits: what to paste so that an agent goes on here. */
export function ResumeHere({
  sessionId,
  nodeId,
  closed,
}: {
  readonly sessionId: string;
  readonly nodeId: string;
  readonly closed: string | undefined;
}) {
  const { data, error } = useQuery({ ...queries.resume(sessionId, nodeId), enabled: closed === undefined });
  return (
    <section className="resume-here">
      <h3>Next step</h3>
      {closed !== undefined ? (
        <p className="quiet">
          <InCode text={closed} />
        </p>
      ) : data === undefined ? (
        <p className="quiet">{error === null ? 'Loading …' : <InCode text={failureWords(error)} />}</p>
      ) : (
        <>
          <p className="quiet">
            Either one continues this run here, in any chat: the agent gets the step and what was done before it.
          </p>
          <dl className="ways-in">
            <dt>Prompt for your agent</dt>
            <dd>
              <pre>{data.words}</pre>
              <CopyButton text={data.words} label="Copy the prompt" />
            </dd>
            <dt>Or continue in a terminal</dt>
            <dd>
              <pre>{data.command}</pre>
              <CopyButton text={data.command} label="Copy the command" />
            </dd>
          </dl>
        </>
      )}
    </section>
  );
}
