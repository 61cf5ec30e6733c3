import { plural } from '../../base/plural.js';
import type { DoctorFinding, DoctorReport, RepairTold } from '../../contract/doctor-answers.js';
import { withRequests } from '../shell/with-requests.js';
import { type ExitCode, exitCodes } from '../shell/exit-codes.js';
import type { Page } from '../print/page.js';
import { whenFor } from '../print/print-story.js';
import { retentionWords } from '../../render/retention-words.js';
import { findSecrets } from './find-secrets.js';

const levels: { readonly [level in DoctorFinding['level']]: string } = {
  damage: 'damage',
  unreadable: 'cannot be read',
  newer: 'newer format',
  returned: 'redacted lines are back',
  incomplete: 'lines missing',
  torn: 'unfinished write',
  note: 'note',
};
const worstFirst = Object.keys(levels) as readonly DoctorFinding['level'][];

export const runDoctor = withRequests('doctor', async (command) => {
  const { requests, parsed, environment, reject, misused, tell } = command;
  const { progress, interrupted, columns } = environment;
  if (parsed.has('secrets'))
    return parsed.has('repair') || parsed.has('accept-loss')
      ? misused('--secrets only scans; to remove a secret, use redact')
      : findSecrets(command);
  if (parsed.has('everywhere') || parsed.list('except').length > 0)
    return misused('--everywhere and --except need --secrets');
  if (parsed.has('accept-loss') && !parsed.has('repair')) return misused('--accept-loss needs --repair');
  const report = await requests.people.doctor({
    sessions: parsed.words,
    repair: parsed.has('repair'),
    acceptLoss: parsed.has('accept-loss'),
    progress: (done, of) => progress(`checking session ${done + 1} of ${of}`.slice(0, columns - 1)),
    signal: interrupted(),
  });
  progress('');
  if (!report.ok) return reject(report.error);
  return tell(
    report.value,
    (page, found) => printReport(page, found, parsed.has('repair'), whenFor(environment)),
    exitCodeOf(report.value),
  );
});

function exitCodeOf({ sound, repairs }: DoctorReport): ExitCode {
  if (!sound) return exitCodes.damage;
  return repairs.some(({ refused }) => refused !== undefined) ? exitCodes.rejected : exitCodes.done;
}

function printReport(
  page: Page,
  { roots, sessions, events, findings, repairs, sound, retention }: DoctorReport,
  repaired: boolean,
  when: (at: string) => string,
): void {
  page.say(
    `Checked ${plural(sessions, 'session')} with ${plural(events, 'event')}, every byte of ${sessions === 1 ? 'it' : 'them'}.`,
  );
  for (const { folder, place, sessions: count } of roots)
    page.item(
      '  ',
      `${folder} (${place === 'user' ? 'your own folder' : place === 'project' ? 'of the project' : 'as given'}): ${plural(count, 'session')}`,
    );
  for (const repair of repairs) tellRepair(repair, page);
  const sorted = findings.toSorted((a, b) => worstFirst.indexOf(a.level) - worstFirst.indexOf(b.level));
  for (const finding of sorted) tellFinding(finding, page);
  page.gap();
  page.say(verdict(findings, sound), sound ? page.style.good : page.style.bad);
  const kept = retentionWords(retention, when);
  if (kept.length > 0) page.gap();
  for (const line of kept) page.say(line);
  const damaged = findings.filter(({ level, session }) => level === 'damage' && session !== undefined);
  if (damaged.length === 0 || repaired) return;
  const names = [...new Set(damaged.map(({ session }) => session!))];
  page.say('If git or a backup has the file intact, restore it from there. Otherwise:');
  page.command('  ', ['doctor', ...(names.length === 1 ? names : []), '--repair']);
}

function verdict(findings: readonly DoctorFinding[], sound: boolean): string {
  const counts = worstFirst.flatMap((level) => {
    const count = findings.filter((finding) => finding.level === level).length;
    return count === 0 ? [] : [`${levels[level]}: ${count}`];
  });
  if (counts.length === 0) return 'No problems found.';
  const notesOnly = findings.every(({ level }) => level === 'note');
  return `${sound ? (notesOnly ? 'No problems found' : 'Nothing is damaged') : 'Action needed'} (${counts.join(', ')}).`;
}

function tellFinding({ level, folder, session, file, line, byte, message, remedy }: DoctorFinding, page: Page): void {
  const paint =
    level === 'note' || level === 'torn' ? page.style.dim : level === 'incomplete' ? page.style.bold : page.style.bad;
  page.gap();
  page.say(`${levels[level]}: ${session ?? folder}`, paint);
  page.item(
    '  where: ',
    `${file}${line === undefined ? '' : ` line ${line}`}${byte === undefined ? '' : ` (byte ${byte})`}`,
  );
  page.item('  what:  ', message);
  page.item('  do:    ', remedy);
}

function tellRepair(repair: RepairTold, page: Page): void {
  const { session, folder, files, refused } = repair;
  page.gap();
  if (refused !== undefined) {
    page.say(`Not repaired: ${session}`, page.style.bad);
    return page.item('  ', refused.message);
  }
  if (files.length === 0 && countsOf(repair).length === 0)
    return page.say(`Nothing in ${session} could be repaired.`, page.style.bad);
  page.say(`Repaired: ${session}`, page.style.bold);
  for (const { file, did, kept, lost, quarantined } of files) {
    page.item(
      '  ',
      `${file}: ${did === 'restored' ? 'restored, byte for byte' : did === 'moved' ? 'moved out of the session' : `${plural(kept, 'good line')} kept`}`,
    );
    for (const piece of lost) page.item(did === 'moved' ? '    why:  ' : '    lost: ', piece);
    if (quarantined !== '') page.item('    original: ', `${folder}/${quarantined}`);
  }
  for (const line of countsOf(repair)) page.item('  ', line);
}

function countsOf({ rescued, broughtBack, withdrawn: { damaged, lost } }: RepairTold): readonly string[] {
  const said = (count: number, words: (lines: string, isOne: boolean) => string): readonly string[] =>
    count === 0 ? [] : [words(plural(count, 'line'), count === 1)];
  return [
    ...said(broughtBack, (lines, one) => `${lines} that git had removed ${one ? 'is' : 'are'} back`),
    ...said(rescued, (lines, one) => `${lines} moved from the wrong file to ${one ? 'its' : 'their'} own`),
    ...said(
      damaged,
      (lines) =>
        `recorded that ${lines} could not be read; if the bytes come back, from git or a backup, they count again`,
    ),
    ...said(
      lost,
      (lines, one) =>
        `recorded that ${lines} ${one ? 'is' : 'are'} lost, as you accepted; if ${one ? 'it comes' : 'they come'} back, ${one ? 'it counts' : 'they count'} again`,
    ),
  ];
}
