import { command } from '../../base/sentence.js';
import type { CareFinding } from '../../log/care/examine-session.js';
import { listSegments, sessionFolder } from '../../log/segments/session-folder.js';
import type { SessionRef } from '../../log/store.js';
import type { Environment } from './environment.js';

/** Sessions that lie in two data folders under one name, as a move that was cut short leaves them: the nearest is the one that is used. */
export async function duplicateSessions(
  env: Environment,
  refs: readonly SessionRef[],
): Promise<readonly (readonly [SessionRef, CareFinding])[]> {
  const asked = new Set(refs.map(({ id }) => id));
  const nearest = new Map<string, SessionRef>();
  const found: (readonly [SessionRef, CareFinding])[] = [];
  for (const ref of await env.store.list()) {
    const used = nearest.get(ref.id);
    if (used === undefined) nearest.set(ref.id, ref);
    else if (asked.has(ref.id)) found.push([ref, findingOf(ref, used)]);
  }
  return found;
}

function findingOf(ref: SessionRef, used: SessionRef): CareFinding {
  const alike = filesOf(ref) === filesOf(used);
  const { kind } = [used, ref].find(({ root }) => root.kind !== 'given')?.root ?? used.root;
  return {
    level: alike ? 'note' : 'incomplete',
    file: '.',
    message: `a session of the same name lies in ${used.root.folder}, and that one is used; a move that was cut short leaves two${alike ? ', which hold the same here' : ', and what each holds differs here: work in this one is not seen'}`,
    remedy: ['put the two together: ', command('sessions', 'move', ref.id, '--to', kind === 'given' ? 'user' : kind)],
  };
}

const filesOf = ({ root, id }: SessionRef): string =>
  listSegments(sessionFolder(root, id).segments)
    .segments.map(({ name, size }) => `${name} ${size}`)
    .join();
