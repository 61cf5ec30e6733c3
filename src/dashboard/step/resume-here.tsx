import { useQuery } from '@tanstack/react-query';
import { queries } from '../api/queries.js';
import { CopyButton } from '../parts/copy-button.js';
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
        <p className="quiet">{closed}</p>
      ) : data === undefined ? (
        <p className="quiet">{error === null ? 'Making the words that go on here …' : failureWords(error)}</p>
      ) : (
        <dl className="ways-in">
          <dt>Prompt for your agent</dt>
          <dd>
            <pre>{data.words}</pre>
            <CopyButton text={data.words} label="Copy the words that resume here" />
          </dd>
          <dt>Or continue in a terminal</dt>
          <dd>
            <pre>{data.command}</pre>
            <CopyButton text={data.command} label="Copy the command that resumes here" />
          </dd>
        </dl>
      )}
    </section>
  );
}
