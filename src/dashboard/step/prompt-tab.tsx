import type { StepDetail } from '../../contract/http-api.js';
import { CopyButton } from '../parts/copy-button.js';
import { Markdown } from '../parts/markdown.js';
import { WantedBack } from './wanted-back.js';
import { Folded } from '../parts/folded.js';
import { InCode } from '../parts/in-code.js';

const noPrompt = (does: 'run' | 'fail' | undefined): string =>
  does === undefined
    ? 'The run is complete: nothing is asked here.'
    : does === 'run'
      ? 'No prompt: WorkRail runs a command here, and no agent is asked.'
      : 'No prompt: the workflow ends the run here.';

/** The step as the agent sees it: its words, what helps, and what is wanted back. */
export function PromptTab({ detail }: { readonly detail: StepDetail }) {
  const { asSeen, promptMissing, stepWarnings, condition } = detail;
  if (asSeen === undefined)
    return (
      <p className="quiet">
        <InCode text={promptMissing ?? noPrompt(detail.node.pending?.does)} />
      </p>
    );
  const { expects, guidance, role, references = [], delegates = [], functions = [] } = asSeen;
  return (
    <>
      {condition === undefined ? null : (
        <p className="quiet">
          Runs only if <code>{condition}</code>
        </p>
      )}
      {stepWarnings.map(({ code, message }) => (
        <p key={message} className="aside warning">
          <strong>{code}</strong> <InCode text={message} />
        </p>
      ))}
      {role === undefined ? null : (
        <p className="quiet">
          <InCode text={role} />
        </p>
      )}
      <section>
        <h3>
          Prompt <CopyButton text={asSeen.prompt} label="Copy the prompt" />
        </h3>
        <Markdown text={asSeen.prompt} />
      </section>
      {guidance.length === 0 ? null : (
        <section>
          <h3>Guidance</h3>
          <ul className="told-list">
            {guidance.map((line) => (
              <li key={line}>
                <Markdown text={line} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {functions.map(({ name, params, text }) => (
        <Folded key={name} kind={`${name}(${params.join(', ')})`}>
          <Markdown text={text} />
        </Folded>
      ))}
      {delegates.map(({ title, goal, text }) => (
        <Folded key={title} kind={`For a sub-agent: ${title}`} hint={goal}>
          <Markdown text={text} />
        </Folded>
      ))}
      {references.length === 0 ? null : (
        <section>
          <h3>References</h3>
          <ul className="told-list">
            {references.map(({ id, title, path, purpose }) => (
              <li key={id}>
                {title} <code>{path}</code>{' '}
                {purpose === undefined ? null : (
                  <span className="quiet">
                    <InCode text={purpose} />
                  </span>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      <WantedBack expects={expects} />
    </>
  );
}
