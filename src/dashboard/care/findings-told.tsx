import type { DoctorFinding, DoctorReport } from '../../contract/doctor-answers.js';
import { CommandTold } from '../parts/command-told.js';
import { InCode } from '../parts/in-code.js';
import { Link } from '../router/link.js';

const levels: Readonly<
  Record<DoctorFinding['level'], { readonly word: string; readonly tone: 'grave' | 'warning' | 'waiting' }>
> = {
  damage: { word: 'damaged', tone: 'grave' },
  unreadable: { word: 'cannot be read', tone: 'grave' },
  returned: { word: 'redacted lines returned', tone: 'grave' },
  newer: { word: 'newer format', tone: 'warning' },
  incomplete: { word: 'incomplete', tone: 'warning' },
  torn: { word: 'truncated', tone: 'warning' },
  note: { word: 'note', tone: 'waiting' },
};

/** The gravest first. */
const ranks = Object.keys(levels);

interface Patient {
  readonly session: string | undefined;
  readonly folder: string;
  readonly findings: readonly DoctorFinding[];
}

/** Findings, session by session, each patient with the command that repairs it. */
export function FindingsTold({ report }: { readonly report: DoctorReport }) {
  return (
    <ul className="patients">
      {patientsOf(report.findings).map(({ session, folder, findings }) => {
        const repairs = findings.some(({ level }) => level === 'damage' || level === 'torn');
        return (
          <li key={`${folder} ${session ?? ''}`} className="patient">
            <h3>
              {session === undefined ? (
                <span>Outside the sessions</span>
              ) : (
                <Link to={{ view: 'session', sessionId: session }}>{session}</Link>
              )}{' '}
              <span className="quiet small one-line">{folder}</span>
            </h3>
            <ul>
              {findings.map((finding, index) => (
                <li key={index} className={`aside ${levels[finding.level].tone}`}>
                  <p>
                    <strong className={levels[finding.level].tone}>{levels[finding.level].word}</strong>{' '}
                    <code>{finding.line === undefined ? finding.file : `${finding.file}:${finding.line}`}</code>
                  </p>
                  <p className="said">
                    <InCode text={finding.message} />
                  </p>
                  <p className="quiet said">
                    <InCode text={finding.remedy} />
                  </p>
                </li>
              ))}
            </ul>
            {session === undefined || !repairs ? null : (
              <CommandTold words={['doctor', session, '--repair']} label="Copy the repair command" />
            )}
          </li>
        );
      })}
    </ul>
  );
}

function patientsOf(findings: DoctorReport['findings']): readonly Patient[] {
  const patients = new Map<
    string,
    { readonly session: string | undefined; readonly folder: string; findings: DoctorFinding[] }
  >();
  const rank = ({ level }: DoctorFinding): number => ranks.indexOf(level);
  for (const finding of findings.toSorted((a, b) => rank(a) - rank(b))) {
    const key = `${finding.folder}\n${finding.session ?? ''}`;
    const known = patients.get(key);
    if (known === undefined)
      patients.set(key, { session: finding.session, folder: finding.folder, findings: [finding] });
    else known.findings.push(finding);
  }
  return [...patients.values()];
}
