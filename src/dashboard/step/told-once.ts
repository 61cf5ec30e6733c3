import type { StepDetail } from '../../contract/http-api.js';

/** A gap stands where it was disclosed; what is open here besides names only those of earlier steps. */
export function toldOnce(detail: StepDetail): StepDetail {
  const { node, done, openGaps } = detail;
  const disclosed = [...done.map(({ edge }) => edge), ...node.checkpoints, node.cameBy].flatMap(({ gaps }) => gaps);
  const told = new Set(disclosed.map(({ id }) => id));
  return { ...detail, openGaps: openGaps.filter(({ id }) => !told.has(id)) };
}
