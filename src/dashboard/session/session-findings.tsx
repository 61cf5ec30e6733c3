import { InCode } from '../parts/in-code.js';
import type { SessionHead } from '../../contract/session-story.js';

const words = {
  damage: 'Part of this session is damaged. The rest is shown here, read-only until it is repaired.',
  newer: 'A newer WorkRail wrote to this session. It is read-only here.',
  incomplete: 'Part of this session is missing on disk. The rest is shown here.',
} as const;

/** What is amiss on disk, file by file, with the remedy. */
export function SessionFindings({ session: { trouble, findings, runs } }: { readonly session: SessionHead }) {
  if (trouble === undefined && findings.length === 0) return null;
  return (
    <details
      className={trouble === 'damage' ? 'session-findings aside grave' : 'session-findings aside warning'}
      open={runs.length === 0}
    >
      <summary>
        <strong>{trouble === undefined ? 'Notes about its files.' : words[trouble]}</strong>
      </summary>
      <ul>
        {findings.map(({ file, line, message, remedy }) => (
          <li key={`${file} ${line ?? ''} ${message}`}>
            <code>{line === undefined ? file : `${file}:${line}`}</code> {message}
            <div className="quiet">
              <InCode text={remedy} />
            </div>
          </li>
        ))}
      </ul>
    </details>
  );
}
