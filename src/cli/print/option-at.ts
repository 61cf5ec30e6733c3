import { preferenceOptions } from './preference-options.js';
import { own } from '../../base/own.js';

/** Where in a request something is wrong or wanted, as the option that it comes from; a new catalog is named by one. */
export function optionAt(pointer: string, command?: string): string {
  const [, field = '', inner, ...rest] = pointer.split('/');
  const deeper = rest.length > 0 ? ` at /${rest.join('/')}` : '';
  if (field === 'context' || field === 'inputs') {
    const option = field === 'context' ? '--context' : '--input';
    return inner === undefined ? option : `${option} ${inner}${deeper}`;
  }
  if (field === 'output' && inner === 'notesMarkdown') return '--notes';
  if (field === 'output' && inner === 'artifacts') return `--artifact${ordinal(rest)}`;
  if (field === 'output' && inner === 'gaps') return `--gap${ordinal(rest)}`;
  if (field === 'preferences' && inner !== undefined)
    return `--${preferenceOptions.find((option) => option.field === inner)?.name ?? inner}`;
  return optionOf(field, inner, command) ?? own(optionNames, field) ?? pointer;
}

function optionOf(field: string, inner: string | undefined, command: string | undefined): string | undefined {
  if (field === 'runId' && command === 'run') return '--resume';
  if (field === 'auth') return own(authOptions, inner ?? '');
  if (field === 'headers' && inner !== undefined) return `--header ${inner}`;
  return field === 'catalogId' && (command === 'catalogs import' || command === 'catalogs preview')
    ? '--id'
    : undefined;
}

function ordinal([index, ...rest]: readonly string[]): string {
  if (index === undefined || index === '-') return '';
  return ` ${Number(index) + 1}${rest.length > 0 ? ` at /${rest.join('/')}` : ''}`;
}

const authOptions: { readonly [field: string]: string } = { tokenUrl: '--token-url', scopes: '--scope' };

const optionNames: { readonly [field: string]: string } = {
  stateToken: '<stateToken>',
  sessionToken: '<sessionToken>',
  ackToken: '<ackToken>',
  workflowId: '<workflow>',
  confirmed: '--confirmed',
  session: '--session',
  sessionId: '--session',
  mode: '--mode',
  inputs: '--input',
  confirm: '--confirm',
  runId: '<run>',
  repairs: '--repairs',
  call: '<call>',
  choice: '<repeat|done|failed>',
  reason: '--reason',
  state: '--state',
  page: '--page',
  query: '<words>',
  tag: '--tag',
  kind: '--kind',
  gitBranch: '--branch',
  gitHead: '--commit',
  overwrite: '--overwrite',
  expectedRevision: '--overwrite',
  to: '--to',
  catalogId: '<catalog>',
  source: '<file>',
  sourceType: '--url',
  title: '--title',
  vendor: '--vendor',
  baseUrl: '--base-url',
  auth: '--auth',
  headers: '--header',
  idempotencyHeader: '--idempotency-header',
  allow: '--allow',
  limits: '--timeout',
  reset: '--reset',
  commandId: '<command>',
  catalog: '--catalog',
  safety: '--safety',
};
