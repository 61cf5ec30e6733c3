import type { z } from 'zod';
import { userOnlyReasons } from '../base/closed-sets.js';
import { closestName } from '../base/closest-name.js';
import { isJsonObject, isJsonValue, type JsonObject } from '../base/json-value.js';
import type { Rejection, RequestViolation } from '../base/rejection.js';
import { err, ok, type Result } from '../base/result.js';
import { normaliseRequest } from './normalise-request.js';
import { overLimits } from './request-limits.js';
import { type RequestName, type RequestOf, requestSchemas } from './request-schemas.js';

/** Parses what a caller sent. Every violation at once, each with where it is and what was expected. */
export function parseRequest<N extends RequestName>(name: N, raw: unknown): Result<RequestOf<N>, Rejection> {
  if (!isJsonObject(raw) || !isJsonValue(raw)) {
    return err(invalid(name, [{ path: '', rule: 'type', message: `${name} takes an object of fields`, expected: 'an object', actual: raw === null ? 'null' : typeof raw }]));
  }
  const tooLarge = overLimits(raw);
  if (tooLarge.length > 0) return err(oversized(name, tooLarge));
  const request = normaliseRequest(name, raw);
  const parsed = requestSchemas[name].safeParse(request);
  const violations = [...(parsed.success ? [] : parsed.error.issues.flatMap((issue) => violationsOf(issue, request, name))), ...ownRules(name, request)];
  if (!parsed.success || violations.length > 0) return err(invalid(name, violations, request));
  return ok(parsed.data as RequestOf<N>);
}

/** Rules between fields, which a flat schema cannot say. */
function ownRules(name: RequestName, request: JsonObject): readonly RequestViolation[] {
  const found: RequestViolation[] = [];
  if (name === 'checkpoint_workflow') {
    const given = ['stateToken', 'sessionToken'].filter((field) => request[field] !== undefined).length;
    if (given !== 1) found.push({ path: '/stateToken', rule: 'one_of', message: given === 0 ? 'stateToken is missing' : 'send stateToken or sessionToken, not both', expected: 'one token' });
  }
  const output = request['output'];
  const gaps = isJsonObject(output) && Array.isArray(output['gaps']) ? output['gaps'] : [];
  gaps.forEach((gap: unknown, index) => {
    if (!isJsonObject(gap) || gap['category'] !== 'user_only_dependency' || gap['resolves'] !== undefined) return;
    if ((userOnlyReasons as readonly unknown[]).includes(gap['reason'])) return;
    found.push({ path: `/output/gaps/${index}/reason`, rule: 'enum', message: 'a user_only_dependency names one of the closed reasons', expected: userOnlyReasons.join(' | '), actual: shown(gap['reason']) });
  });
  return found;
}

function violationsOf(issue: z.core.$ZodIssue, request: JsonObject, name: RequestName): readonly RequestViolation[] {
  const path = issue.path.map((part) => `/${String(part)}`).join('');
  const actual = shown(valueAt(request, issue.path));
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownField(path, key, name));
  if (issue.code === 'invalid_value') {
    const values = issue.values.map(String);
    return [{ path, rule: 'enum', message: `${path.slice(1) || 'the request'} must be one of ${values.join(' | ')}`, expected: values.join(' | '), actual }];
  }
  if (issue.code === 'invalid_type') {
    if (valueAt(request, issue.path) === undefined) return [{ path, rule: 'required', message: `${path.slice(1)} is missing`, expected: issue.expected }];
    return [{ path, rule: 'type', message: `${path.slice(1) || 'the request'} must be ${article(issue.expected)}`, expected: issue.expected, actual }];
  }
  return [{ path, rule: issue.code, message: `${path.slice(1) || 'the request'}: ${issue.message}`, actual }];
}

function unknownField(path: string, key: string, name: RequestName): RequestViolation {
  const known = knownFields(name, path);
  const closest = closestName(key, known);
  const meant = closest === undefined ? `known fields: ${known.join(', ')}` : `did you mean ${closest}?`;
  return { path: `${path}/${key.slice(0, 80)}`, rule: 'unknown_field', message: `unknown field ${shown(key)}; ${meant}`, expected: closest ?? known.join(' | '), actual: key.slice(0, 80) };
}

function knownFields(name: RequestName, path: string): readonly string[] {
  if (path === '/output') return ['notesMarkdown', 'artifacts', 'gaps'];
  if (path.startsWith('/output/gaps')) return ['category', 'reason', 'detail', 'severity', 'assumption', 'resolves'];
  if (path === '/preferences') return ['mode', 'autonomy', 'gateHandling', 'assumptionPolicy', 'riskPolicy'];
  return Object.keys(requestSchemas[name].shape);
}

function valueAt(request: JsonObject, path: readonly PropertyKey[]): unknown {
  let value: unknown = request;
  for (const part of path) value = typeof value === 'object' && value !== null ? (value as { [key: PropertyKey]: unknown })[part] : undefined;
  return value;
}

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
}

const article = (type: string): string => (/^[aeiou]/u.test(type) ? `an ${type}` : `a ${type}`);

function oversized(name: RequestName, violations: readonly RequestViolation[]): Rejection {
  return {
    code: 'LIMIT_EXCEEDED',
    message: violations.map(({ message }) => message).join('; '),
    action: `send a smaller request to ${name}: put long material into a file of the project and name it in the notes`,
    violations,
    context: { tool: name },
  };
}

/** Fields of the caller's own that an example should speak of, where they were right. */
const ownFields = ['workflowId', 'stateToken', 'ackToken', 'sessionToken', 'session'];

function invalid(name: RequestName, violations: readonly RequestViolation[], request: JsonObject = {}): Rejection {
  const own = ownFields.filter((field) => typeof request[field] === 'string' && !violations.some(({ path }) => path === `/${field}`));
  const example = { ...exampleRequests[name], ...Object.fromEntries(own.map((field) => [field, request[field] ?? ''])) };
  return {
    code: 'VALIDATION_ERROR',
    message: `${name}: ${violations.length === 1 ? 'one field is wrong' : `${violations.length} fields are wrong`}`,
    action: `call ${name} again with what is listed put right`,
    nextCall: { tool: name, arguments: example },
    violations,
    example,
    context: { tool: name },
  };
}

/** A right request of each kind, for whoever got one wrong. */
const exampleRequests: { readonly [name in RequestName]: JsonObject } = {
  list_workflows: { query: 'bug' },
  inspect_workflow: { workflowId: 'wr.bug_investigation', mode: 'preview' },
  start_workflow: { workflowId: 'wr.bug_investigation', context: { ticketId: 'AUTH-1234' } },
  continue_workflow: { stateToken: 'st.v1.…', ackToken: 'ack.v1.…', output: { notesMarkdown: 'Found the cause in auth.ts. Next: fix.' } },
  checkpoint_workflow: { stateToken: 'st.v1.…', output: { notesMarkdown: 'Refactored login; tests pass.' } },
  start_session: { session: 'AUTH-1234', title: 'Login fails' },
  resume_session: { query: 'AUTH-1234 login' },
};
