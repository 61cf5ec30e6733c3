import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from '../../base/assert.js';
import { sha256Hex } from '../../base/digest.js';
import { idPatterns, type WorkflowHash } from '../../base/ids.js';
import type { Finding } from '../port/finding.js';
import type { PinRead } from '../port/session-log.js';
import { makeFolderDurably } from '../../files/folders.js';
import { replaceFile } from '../../files/replace-file.js';
import { remedies } from './remedies.js';
import { linkFinding, namesIn, readFrom, type SessionFolder } from './session-folder.js';

export const pinFile = (hash: WorkflowHash): string => `${hash}.json`;

/** Every pin of a session by its name, with those whose bytes are not what their name says. */
export function checkPins(pinsFolder: string): { readonly names: Set<WorkflowHash>; readonly findings: Finding[] } {
  const names = new Set<WorkflowHash>();
  const findings: Finding[] = [];
  for (const name of namesIn(pinsFolder)) {
    const hash = name.slice(0, -'.json'.length);
    if (!name.endsWith('.json') || !idPatterns.workflowHash.test(hash)) continue;
    names.add(hash as WorkflowHash);
    const read = readPinFile(pinsFolder, hash as WorkflowHash);
    if (!read.ok) findings.push(read.finding);
  }
  return { names, findings };
}

export const pinIsThere = (at: SessionFolder, hash: WorkflowHash): boolean => at.pinNames().has(pinFile(hash));

export function readPinFile(pinsFolder: string, hash: WorkflowHash): PinRead {
  const file = `pins/${pinFile(hash)}`;
  const path = join(pinsFolder, pinFile(hash));
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat !== undefined && !stat.isFile()) return { ok: false, finding: linkFinding(file) };
  const read = stat && readFrom(path, 0);
  if (read === undefined) {
    return {
      ok: false,
      finding: {
        level: 'incomplete',
        file,
        message: 'the compiled workflow of a run is missing',
        remedy: remedies.missingPin,
      },
    };
  }
  const actual = sha256Hex(read.bytes);
  if (actual === hash) return { ok: true, text: read.bytes.toString('utf8') };
  const message = `its content has the SHA-256 ${actual}, which does not match its name`;
  return { ok: false, finding: { level: 'damage', file, byte: 0, message, remedy: remedies.damage } };
}

/**
 * Writes a pin so that it is whole or not there: first elsewhere, synced, then by rename. A pin that is here already
 * stays as it is; one whose bytes are wrong is returned as what it is, never written over.
 */
export function writePin(
  pinsFolder: string,
  temporaryFolder: string,
  hash: WorkflowHash,
  text: string,
): Finding | undefined {
  assert(sha256Hex(text) === hash, 'a pin is named by the digest of its text');
  const here = readPinFile(pinsFolder, hash);
  if (here.ok) return undefined;
  if (here.finding.level === 'damage') return here.finding;
  makeFolderDurably(pinsFolder);
  // The name may only appear once the bytes are on disk, and an event may only name it once the folder is.
  replaceFile(join(pinsFolder, pinFile(hash)), temporaryFolder, Buffer.from(text, 'utf8'));
  return undefined;
}
