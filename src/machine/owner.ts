import { lstatSync } from 'node:fs';

type Env = Readonly<Record<string, string | undefined>>;

/** The users whose folders are one's own: oneself, and for root who called sudo. Undefined where the system knows no owners. */
function ownUsers(env: Env): readonly number[] | undefined {
  const own = process.geteuid?.();
  if (own === undefined) return undefined;
  const sudo = Number(env['SUDO_UID'] ?? '');
  return own === 0 && Number.isInteger(sudo) ? [own, sudo] : [own];
}

/** Whose a folder is, where that is somebody else. As git looks at a repository's owner before it reads what that says. */
export function foreignOwner(folder: string, env: Env): number | undefined {
  const owner = lstatSync(folder, { throwIfNoEntry: false })?.uid;
  return owner === undefined || (ownUsers(env)?.includes(owner) ?? true) ? undefined : owner;
}
