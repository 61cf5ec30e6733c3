import { sha256Hex } from '../../base/digest.js';
import type { SessionId } from '../../base/ids.js';
import type { EventData } from '../../events/event-data.js';

const safeName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/u;
/** Names that a file system somewhere keeps for itself. */
const reservedName = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$/iu;

/** The folder name that a human key stands for: the same on every machine, so that clones which begin the same work meet. */
export function sessionIdOf(key: string, shared: EventData<'observation'> | undefined): SessionId {
  const own =
    safeName.test(key) && isPortableName(key) && !isMadeId(key)
      ? key
      : `${slug(key)}-${sha256Hex(key.normalize('NFKC').toLowerCase()).slice(0, 8)}`;
  // In the user's own folder the work of all repositories lies together.
  const front =
    shared?.repository === undefined ? '' : `${slug(shared.repository)}-${(shared.root ?? '').slice(0, 6)}-`;
  return `${front}${own}` as SessionId;
}

/** Whether a folder of that name can be had on every file system. */
export const isPortableName = (id: string): boolean => !reservedName.test(id) && !id.endsWith('.');

export const madeSessionId = (random: string): SessionId => `ses_${random}` as SessionId;
export const isMadeId = (name: string): boolean => /^ses_/iu.test(name);

function slug(text: string): string {
  const letters = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, '-')
    .replace(/^-+|-+$/gu, '')
    .slice(0, 40);
  return letters === '' ? 'key' : letters;
}
