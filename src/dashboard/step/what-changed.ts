import type { StepDetail } from '../../contract/http-api.js';

type Told = Pick<StepDetail, 'done'> & { readonly node: Pick<StepDetail['node'], 'blocks' | 'status'> };

/** What has happened at a step since it was read, in a line. */
export function whatChanged(before: Told, now: Told): string {
  if (now.done.length > before.done.length)
    return before.done.length === 0 ? 'This step is done' : 'A new branch starts here';
  if (now.node.status === 'blocked' && now.node.blocks.length > before.node.blocks.length)
    return 'This step is waiting for you';
  return 'This step was updated';
}
