import { idPatterns, type WorkflowHash } from '../../base/ids.js';
import type { RepairTold } from '../../contract/doctor-answers.js';
import type { SessionRef } from '../../log/port/session-ref.js';
import type { RepairAsked } from '../../log/port/store-care.js';
import type { Environment } from '../world/environment.js';

/** Repairs one session under its lease, and brings back from the library what pins it can. */
export async function repairOne(env: Environment, ref: SessionRef, asked: RepairAsked): Promise<RepairTold> {
  const about = { session: ref.id, folder: ref.place.name };
  const done = await env.store.care.repair(ref, asked);
  if (!done.ok)
    return {
      ...about,
      files: [],
      rescued: 0,
      broughtBack: 0,
      withdrawn: { damaged: 0, lost: 0 },
      refused: { code: done.error.code, message: done.error.message },
    };
  const { files, rescued, broughtBack, withdrawn, left } = done.value;
  const log = env.store.open(ref);
  for (const { file } of left) {
    const [, hash] = /^pins\/([0-9a-f]{64})\.json$/u.exec(file) ?? [];
    if (hash !== undefined && idPatterns.workflowHash.test(hash)) await env.pinned.of(log, hash as WorkflowHash);
  }
  log.letGo();
  return { ...about, files, rescued, broughtBack, withdrawn };
}
