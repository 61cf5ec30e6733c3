import type { Put } from '../definitions/compiled/compiled-workflow.js';
import { tellExpression } from '../definitions/expression/tell-expression.js';

/** What a step will put into the shared state, and where. */
export const previewPuts = (puts: readonly Put[] | undefined): { readonly puts?: object } =>
  puts === undefined ? {} : { puts: Object.fromEntries(puts.map(({ path, value }) => [path, tellExpression(value)])) };
