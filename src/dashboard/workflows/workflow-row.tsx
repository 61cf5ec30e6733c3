import { plural } from '../../base/plural.js';
import { usageBrief, usageWords } from '../../base/usage.js';
import type { ListedWorkflow } from '../../contract/answer.js';
import type { WorkflowUsage } from '../../contract/workflow-answers.js';
import { visibleTitle } from '../../render/visible-text.js';
import { Link } from '../router/link.js';
import { readJson } from '../api/read-json.js';
import { InCode } from '../parts/in-code.js';

interface WorkflowRowProps {
  readonly workflow: ListedWorkflow;
  readonly first: boolean;
  /** What its runs used; absent where none told. */
  readonly used: WorkflowUsage | undefined;
}

/** One file of the library: what it is for, and what there is to know before it is started. */
export function WorkflowRow({ workflow, first, used }: WorkflowRowProps) {
  const { id, title, version, file, startable, violations, violationsOmitted = 0, warningCount = 0 } = workflow;
  const [violation] = violations;
  const wrong = violations.length + violationsOmitted;
  return (
    <li className={startable ? 'workflow-row' : 'workflow-row broken'}>
      <div className="workflow-words">
        <h3>
          <Link to={{ view: 'workflow', workflowId: id }} {...(first && { 'data-found': '' })}>
            {title}
          </Link>
          {workflow.kind === 'routine' ? (
            <span className="tag" title="Steps that other workflows include">
              routine
            </span>
          ) : null}
          {workflow.runsCommands === true ? (
            <span className="tag" title="Some of its steps are API calls that WorkRail makes">
              commands
            </span>
          ) : null}
          {workflow.tags.map((tag) => (
            <span className="tag one-line" key={tag}>
              {tag}
            </span>
          ))}
        </h3>
        <p className="workflow-about">
          <InCode text={workflow.description} />
        </p>
        {violation === undefined ? null : (
          <p className="grave small">
            {readJson.number(violation, 'line') === undefined
              ? ''
              : `Line ${readJson.number(violation, 'line') ?? ''}, column ${readJson.number(violation, 'column') ?? 1}: `}
            <InCode text={readJson.text(violation, 'message') ?? ''} />
            {wrong > 1 ? `, and ${wrong - 1} more` : ''}
          </p>
        )}
        {workflow.hides.map((hidden) => (
          <p key={`${hidden.source} ${hidden.file}`} className="small warning">
            Overrides <code>{hidden.file}</code>
          </p>
        ))}
      </div>
      <div className="workflow-facts small quiet">
        <code className="one-line" title={id}>
          {id}
        </code>
        <span className="one-line" title={file}>
          {file}
        </span>
        <span>
          {version === undefined ? '' : `version ${version}`}
          {wrong === 0 ? null : <span className="grave"> {plural(wrong, 'violation')}</span>}
          {warningCount === 0 ? null : <span className="warning"> {plural(warningCount, 'warning')}</span>}
        </span>
        {used === undefined ? null : (
          <span title={visibleTitle(usageWords(used.usage))}>
            {plural(used.runs, 'run')}: {usageBrief(used.usage) ?? visibleTitle(usageWords(used.usage))}
          </span>
        )}
      </div>
    </li>
  );
}
