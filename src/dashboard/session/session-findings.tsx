import { CommandTold } from '../parts/command-told.js';
import { Folded } from '../parts/folded.js';
import { InCode } from '../parts/in-code.js';
import type { FindingTold, SessionHead } from '../../contract/session-story.js';

const words = {
  damage: 'Part of this session is damaged. The rest is shown here, read-only until it is repaired.',
  newer: 'A newer WorkRail wrote to this session. It is read-only here.',
  incomplete: 'Part of this session is missing on disk. The rest is shown here.',
} as const;

/** Files of one remedy that are named before somebody asks. */
const filesNamed = 2;

/** What is wrong on disk, and first of all what to do about it. */
export function SessionFindings({ session }: { readonly session: SessionHead }) {
  const { trouble, findings, sessionId } = session;
  if (trouble === undefined && findings.length === 0) return null;
  return (
    <section
      aria-label="Problems on disk"
      className={trouble === 'damage' ? 'session-findings aside grave' : 'session-findings aside warning'}
    >
      <p>
        <strong>{trouble === undefined ? 'Notes about its files.' : words[trouble]}</strong>
      </p>
      <ul>
        {[...new Set(findings.map(({ remedy }) => remedy))].map((remedy) => (
          <Remedy key={remedy} remedy={remedy} files={findings.filter((finding) => finding.remedy === remedy)} />
        ))}
      </ul>
      {findings.some(({ level }) => level === 'damage') ? (
        <CommandTold words={['doctor', sessionId, '--repair']} label="Copy the repair command" />
      ) : null}
    </section>
  );
}

function Remedy({ remedy, files }: { readonly remedy: string; readonly files: readonly FindingTold[] }) {
  return (
    <li>
      <InCode text={asSentence(remedy)} />
      <Files files={files.slice(0, filesNamed)} />
      {files.length > filesNamed ? (
        <Folded kind={`${files.length - filesNamed} more`}>
          <Files files={files.slice(filesNamed)} />
        </Folded>
      ) : null}
    </li>
  );
}

const asSentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/u.test(text) ? '' : '.'}`;

function Files({ files }: { readonly files: readonly FindingTold[] }) {
  return files.map(({ file, line, message }) => (
    <p key={`${file} ${line ?? ''} ${message}`} className="quiet small">
      <code>{line === undefined ? file : `${file}:${line}`}</code> <InCode text={message} />
    </p>
  ));
}
