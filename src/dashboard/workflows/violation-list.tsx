import type { WorkflowDetail } from '../../contract/workflow-answers.js';
import { visibleText } from '../../render/visible-text.js';
import { readJson } from '../api/read-json.js';
import { InCode } from '../parts/in-code.js';

export interface ViolationListProps {
  readonly violations: WorkflowDetail['violations'];
  /** The file, so that the line can be shown. */
  readonly source?: string;
  readonly tone: 'grave' | 'warning';
}

/** What is wrong with a file, each with its line and column, what was expected there, and the line itself. */
export function ViolationList({ violations, source, tone }: ViolationListProps) {
  return (
    <ul className="violation-list">
      {violations.map((violation, index) => {
        const { text, number } = readJson;
        const [line, column] = [number(violation, 'line'), number(violation, 'column')];
        const [expected, actual, closest] = [
          text(violation, 'expected'),
          text(violation, 'actual'),
          text(violation, 'closest'),
        ];
        const shown = line === undefined ? undefined : source?.split('\n')[line - 1];
        return (
          <li key={index} className={tone}>
            <p>
              {line === undefined ? null : (
                <strong className="figures place">
                  Line {line}
                  {column === undefined ? '' : `, column ${column}`}
                </strong>
              )}
              <span className="message">
                <InCode text={text(violation, 'message') ?? ''} />
              </span>{' '}
              <code className="quiet small">{text(violation, 'rule')}</code>
            </p>
            {shown === undefined ? null : <SourceLine text={shown} column={column} />}
            {expected === undefined && closest === undefined ? null : (
              <p className="small quiet">
                {expected === undefined ? null : (
                  <>
                    Expected <InCode text={expected} />.{' '}
                  </>
                )}
                {actual === undefined ? null : (
                  <>
                    Found <InCode text={actual} />.{' '}
                  </>
                )}
                {closest === undefined ? null : (
                  <>
                    Did you mean <code>{closest}</code>
                  </>
                )}
              </p>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Wider than this a line is shown from near its fault on. */
const wide = 110;

function SourceLine({ text, column = 1 }: { readonly text: string; readonly column: number | undefined }) {
  const from = text.length > wide ? Math.max(0, column - 30) : 0;
  const shown = visibleText(text.slice(from, from + wide));
  return (
    <pre className="source-line" tabIndex={0} role="group" aria-label="Source">
      {from > 0 ? '…' : ''}
      {shown}
      {'\n'}
      <span aria-hidden="true">{' '.repeat(Math.max(0, column - 1 - from) + (from > 0 ? 1 : 0))}▲</span>
    </pre>
  );
}
