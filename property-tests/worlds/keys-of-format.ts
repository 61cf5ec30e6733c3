import { knownKeys } from '../../src/definitions/source/known-keys.js';

/** What each object of the authored format may hold, found at one of its places. */
export const keysOf = {
  workflow: knownKeys([]),
  step: knownKeys(['steps', 0]),
  need: knownKeys(['steps', 0, 'needs', 0]),
  rule: knownKeys(['steps', 0, 'rules', 0]),
  output: knownKeys(['steps', 0, 'output', 0]),
  blocks: knownKeys(['steps', 0, 'prompt']),
  confirm: knownKeys(['steps', 0, 'confirm']),
  delegate: knownKeys(['steps', 0, 'delegate', 0]),
  assessment: knownKeys(['assessments', 0]),
  dimension: knownKeys(['assessments', 0, 'dimensions', 'x']),
  followUp: knownKeys(['assessments', 0, 'followUps', 0]),
  function: knownKeys(['functions', 'x']),
  reference: knownKeys(['references', 0]),
  recommends: knownKeys(['recommends']),
  input: knownKeys(['inputs', 'x']),
  retry: knownKeys(['steps', 0, 'retry']),
  paginate: knownKeys(['steps', 0, 'paginate']),
  provider: knownKeys(['inputs', 'x', 'provider']),
  value: knownKeys(['steps', 0, 'sets', 'x']),
} as const;
