import type { SessionHead } from '../../contract/session-story.js';

const words = {
  damage: 'Part of this session is damaged. What is shown could be read; nothing can be added until it is repaired.',
  newer:
    'A newer WorkRail wrote to this session. It can be read as far as this one understands it, and not written to.',
  incomplete: 'Not all of this session is on disk. What is shown is what is here.',
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
        <strong>{trouble === undefined ? 'There is something to know about its files.' : words[trouble]}</strong>
      </summary>
      <ul>
        {findings.map(({ file, line, message, remedy }) => (
          <li key={`${file} ${line ?? ''} ${message}`}>
            <code>{line === undefined ? file : `${file}:${line}`}</code> {message}
            <div className="quiet">{remedy}</div>
          </li>
        ))}
      </ul>
    </details>
  );
}
