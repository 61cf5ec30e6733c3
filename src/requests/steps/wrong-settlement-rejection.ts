import { hole } from '../../base/hole.js';
import { command } from '../../base/sentence.js';
import type { Rejection } from '../../base/rejection.js';
import type { WrongSettlement } from '../../decide/wrong-settlements.js';

export function wrongSettlementRejection(wrong: readonly WrongSettlement[], token: string): Rejection {
  const ofUser = wrong.filter((one) => one.ofUser === true);
  if (ofUser.length > 0) return agreementRejection(ofUser, token);
  const open = wrong[0]?.open ?? [];
  const known = open.length === 0 ? 'no gap is open here' : `open here: ${open.slice(0, 20).join(', ')}`;
  return {
    code: 'VALIDATION_ERROR',
    message: `${wrong.map(({ id }) => id).join(', ')} is no gap on the way to this step; ${known}. Nothing was recorded`,
    action: 'send the request again with the id of a gap that is open, or without resolves',
    again: wrong.map(({ index }) => ({
      at: `/output/gaps/${index}/resolves`,
      to: open.length === 0 ? undefined : hole(`one of ${open.slice(0, 20).join(', ')}`),
    })),
    violations: wrong.map(({ index, id }) => ({
      path: `/output/gaps/${index}/resolves`,
      rule: 'known_gap',
      message: `${id} is not known here`,
      expected: open.slice(0, 20).join(' | '),
      actual: id,
    })),
  };
}

/** An agent that went past a confirmation would otherwise agree in the user's place. */
function agreementRejection(wrong: readonly WrongSettlement[], token: string): Rejection {
  const settled = {
    category: 'agent_disclosed',
    reason: 'settled',
    detail: 'The user agrees.',
    severity: 'info',
    resolves: wrong[0]!.id,
  };
  return {
    code: 'PRECONDITION_FAILED',
    message: `${wrong.map(({ id }) => id).join(', ')} stands for an agreement that nobody gave; only the user can settle it. Nothing was recorded`,
    action: [
      'tell the user what was not agreed to; if they agree, they can run ',
      command('checkpoint', token, '--gap', JSON.stringify(settled)),
      '; else make the same call again without it',
    ],
    again: wrong.map(({ index }) => ({ at: `/output/gaps/${index}/resolves`, to: undefined })),
  };
}
