import { lstatSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { idPatterns, type SessionId } from '../../base/ids.js';
import { plural } from '../../base/plural.js';
import { command } from '../../base/sentence.js';
import type { DataRoot } from '../../machine/data-root.js';
import type { CareFinding } from '../port/store-care.js';
import { unreadable } from '../port/unreadable.js';
import { isLink, isRealFolder } from '../../files/folders.js';
import { linksWithin } from '../../machine/links-of-root.js';
import { besideName, type LocalPart, localPlace } from '../../machine/local-folder.js';
import { trashEntries } from '../carry/trash.js';
import { findGitFolders } from '../../machine/git-folders.js';
import { readPlainFile } from '../../files/read-plain-file.js';
import { hasEnded } from '../../files/this-process.js';
import { holderOf } from '../locks/lease.js';
import { namesIn } from '../segments/session-folder.js';
import { sparedSessions, spareFolder } from '../segments/spares.js';

function namesOf(root: DataRoot, part: LocalPart): readonly string[] {
  const place = localPlace(root, part);
  return place === undefined ? [] : namesIn(place);
}

const note = (file: string, message: string, remedy: string): CareFinding => ({ level: 'note', file, message, remedy });
const noteIf = (holds: boolean, ...said: Parameters<typeof note>): CareFinding[] => (holds ? [note(...said)] : []);

type Unreadable = (fault: unknown) => void;

/** What lies in a data root beside its sessions. What cannot be read of it is told, and hides nothing else. */
export function examineRoot(root: DataRoot): readonly CareFinding[] {
  const findings: CareFinding[] = [];
  const refused: Unreadable = (fault) => {
    const finding = unreadable(fault, '.');
    if (!findings.some(({ message }) => message === finding.message)) findings.push(finding);
  };
  const look = (part: () => readonly CareFinding[]): void => {
    try {
      findings.push(...part());
    } catch (fault) {
      refused(fault);
    }
  };
  look(() => linksIn(root, refused));
  look(() => oddNames(root));
  if (!isRealFolder(root.folder)) return findings;
  for (const part of [gitFiles, locksLeft, cutShort, staged, inTrash, goneSessions, quarantined])
    look(() => part(root));
  for (const part of ['snapshots', 'index'] as const) look(() => unfinished(root, part));
  return findings;
}

const linkAt = (file: string, so: string): CareFinding => ({
  level: 'damage',
  file,
  message: `it is a symbolic link, which a data folder must not be or contain; ${so}`,
  remedy: 'replace it with what it points to, or remove it',
});

function linksIn({ folder }: DataRoot, refused: Unreadable): CareFinding[] {
  return linksWithin(folder, refused).map((path) =>
    linkAt(relative(folder, path).split(sep).join('/') || '.', 'its target is not read or written'),
  );
}

function oddNames({ folder }: DataRoot): CareFinding[] {
  const sessions = join(folder, 'sessions');
  if (!isRealFolder(folder) || isLink(sessions)) return [];
  return namesIn(sessions).flatMap((name): CareFinding[] => {
    if (name === besideName) return [];
    if (isLink(join(sessions, name))) return [linkAt(`sessions/${name}`, 'sessions behind it are not found')];
    return noteIf(
      !isRealFolder(join(sessions, name)) || !idPatterns.session.test(name),
      `sessions/${name}`,
      'its name cannot be the id of a session, so it is ignored',
      'check what it is, and move it away',
    );
  });
}

/** In a repository, two small files keep git from changing what is checked byte for byte, and from taking along what is private. */
function gitFiles({ folder }: DataRoot): CareFinding[] {
  if (findGitFolders(folder) === undefined) return [];
  const lacks = (name: string, line: string): boolean => {
    try {
      return !readPlainFile(join(folder, name)).toString('utf8').split(/\r?\n/u).includes(line);
    } catch {
      return true;
    }
  };
  return [
    ...noteIf(
      lacks('.gitattributes', '*.ndjson -text merge=union'),
      '.gitattributes',
      'git is not configured to keep line endings and to merge both sides of a log',
      'add the line: *.ndjson -text merge=union',
    ),
    ...['local/', 'quarantine/']
      .filter((line) => lacks('.gitignore', line))
      .map((line) =>
        note('.gitignore', `git does not ignore ${line}, which is only for this machine`, `add the line: ${line}`),
      ),
  ];
}

function locksLeft(root: DataRoot): CareFinding[] {
  const locks = join(root.folder, 'local', 'locks');
  return namesOf(root, 'locks').flatMap((name): CareFinding[] => {
    if (!isRealFolder(join(locks, name))) return [];
    const holder = holderOf(join(locks, `${name}.holder`));
    return noteIf(
      holder !== undefined && hasEnded(holder),
      `local/locks/${name}`,
      `process ${holder?.pid} took this lock at ${holder?.since} and has ended`,
      'nothing; the next writer takes it over',
    );
  });
}

const anHour = 3_600_000;

/** Everything under `local/` may go at any time; what is listed here is there for no reason. */
const isOld = ({ folder }: DataRoot, ...names: readonly string[]): boolean =>
  Date.now() - (lstatSync(join(folder, 'local', ...names), { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > anHour;

function cutShort(root: DataRoot): CareFinding[] {
  const temporary = namesOf(root, 'tmp').filter((name) => isOld(root, 'tmp', name)).length;
  return noteIf(
    temporary > 0,
    'local/tmp',
    `${plural(temporary, 'file')} left by interrupted writes`,
    `nothing, or remove ${join(root.folder, 'local', 'tmp')}`,
  );
}

function unfinished(root: DataRoot, part: 'snapshots' | 'index'): CareFinding[] {
  return namesOf(root, part)
    .filter((name) => name.startsWith('.') && isOld(root, part, name))
    .map((name) => `local/${part}/${name}`)
    .map((file) => note(file, 'left by an interrupted write', `nothing, or remove ${join(root.folder, file)}`));
}

function staged(root: DataRoot): CareFinding[] {
  const local = join(root.folder, 'local');
  return (isLink(local) ? [] : namesIn(local))
    .filter((name) => name.startsWith('import-') && isOld(root, name))
    .map((name) => note(`local/${name}`, 'left by an interrupted import', 'nothing; the next import removes it'));
}

function inTrash(root: DataRoot): CareFinding[] {
  const trash = trashEntries(root).length;
  return noteIf(
    trash > 0,
    'local/trash',
    `${plural(trash, 'session')} in the trash: pruned, or the original of one that was moved to another folder`,
    'nothing; the next workrail prune deletes it permanently',
  );
}

/** Sessions that this machine wrote to and that are not here any more. One that is taken away on purpose is forgotten here too. */
export function awaySessions(root: DataRoot): readonly { readonly id: SessionId; readonly kept: boolean }[] {
  const { folder } = root;
  if (isLink(join(folder, 'sessions'))) return [];
  const spared = new Set<string>(sparedSessions(root));
  const known = (['ended', 'snapshots'] as const).flatMap((part) =>
    namesOf(root, part).map((name) => name.replace(/\.fold$/u, '')),
  );
  return [...new Set([...spared, ...known])]
    .filter(
      (id): id is SessionId =>
        idPatterns.session.test(id) && lstatSync(join(folder, 'sessions', id), { throwIfNoEntry: false }) === undefined,
    )
    .map((id) => ({ id, kept: spared.has(id) }));
}

function goneSessions(root: DataRoot): CareFinding[] {
  const { folder } = root;
  return awaySessions(root).map(({ id, kept }) => ({
    level: 'note',
    file: `sessions/${id}`,
    message: `this machine wrote to it, and it is gone${kept ? '; some of its lines are still in local/' : ''}`,
    remedy: kept
      ? [
          'if you need it, restore its folder (git checkout, git stash pop, a backup); to restore the rest, run: ',
          command('doctor', id, '--repair'),
          `; if you do not need it, remove ${join(folder, spareFolder(id))}`,
        ]
      : `if you need it, restore its folder (git checkout, git stash pop, a backup); otherwise remove ${join(folder, 'local', 'ended', id)}`,
  }));
}

function quarantined({ folder }: DataRoot): CareFinding[] {
  const quarantine = join(folder, 'quarantine');
  if (isLink(quarantine)) return [];
  return namesIn(quarantine).map((name) =>
    note(
      `quarantine/${name}`,
      'copies made by repairs of this session; no longer used',
      `if you no longer need it, remove ${join(quarantine, name)}`,
    ),
  );
}
