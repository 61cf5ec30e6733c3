import type { z } from 'zod';
import { userOnlyReasons } from '../base/closed-sets.js';
import { closestName, knownInstead } from '../base/closest-name.js';
import { safeParse } from '../base/safe-parse.js';
import { hole, isHole } from '../base/hole.js';
import { isJsonObject, isJsonValue, type JsonObject, type JsonValue } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import type { Rejection, RequestViolation } from '../base/rejection.js';
import { field, sentenceText } from '../base/sentence.js';
import { err, ok, type Result } from '../base/result.js';
import { own } from '../base/own.js';
import { oneOfFields } from './tools/author-schemas.js';
import { normaliseRequest } from './normalise-request.js';
import { type Mend, offeredCall } from './offered-call.js';
import { overLimits } from './request-limits.js';
import { type RequestName, type RequestOf, requestSchemas } from './request-schemas.js';
import { tools } from './tool-catalogue.js';

/** Parses what a caller sent. Every violation at once, each with where it is and what was expected. */
export function parseRequest<N extends RequestName>(name: N, raw: unknown): Result<RequestOf<N>, Rejection> {
  if (!isJsonObject(raw)) return err(noObject(name, raw));
  // What came as JSON text, or under another name, is held against the limits as what it is.
  const request = normaliseRequest(name, raw);
  const tooLarge = overLimits(request);
  if (tooLarge.length > 0) return err(oversized(name, tooLarge));
  if (!isJsonValue(request)) return err(noObject(name, raw));
  const parsed = safeParse(requestSchemas[name], request);
  const own = ownRules(name, request);
  const holes = new Set(own.filter(({ rule }) => rule === 'unfilled').map(({ path }) => path));
  const wrong = parsed.success ? [] : parsed.error.issues.flatMap((issue) => violationsOf(issue, request, name));
  const violations = [...wrong.filter(({ path }) => !holes.has(path)), ...own];
  if (!parsed.success || violations.length > 0) return err(invalid(name, violations, request));
  return ok(parsed.data as RequestOf<N>);
}

function noObject(name: RequestName, raw: unknown): Rejection {
  const actual = raw === null ? 'null' : typeof raw;
  const message = `${name} takes an object of fields`;
  return invalid(name, [{ path: '', rule: 'type', message, expected: 'an object', actual }], {});
}

/** Rules between fields, which a flat schema cannot say. */
function ownRules(name: RequestName, request: JsonObject): readonly RequestViolation[] {
  const found: RequestViolation[] = unfilled(request);
  const { preferences } = request;
  if (
    request['mode'] !== undefined &&
    isJsonObject(preferences) &&
    preferences['mode'] !== undefined &&
    preferences['mode'] !== request['mode']
  ) {
    found.push({
      path: '/preferences/mode',
      rule: 'contradiction',
      message: `preferences.mode is ${shown(preferences['mode'])} and mode is ${shown(request['mode'])}: send one`,
      expected: 'one mode',
    });
  }
  if (name === 'continue_workflow' && request['page'] !== undefined && request['ackToken'] !== undefined) {
    found.push({
      path: '/page',
      rule: 'contradiction',
      message: 'page is for looking, without an ackToken',
      expected: 'no page',
    });
  }
  if (name === 'checkpoint_workflow') {
    const given = ['stateToken', 'sessionToken'].filter((field) => request[field] !== undefined).length;
    if (given !== 1)
      found.push({
        path: '/stateToken',
        rule: 'one_of',
        message: given === 0 ? 'stateToken is missing' : 'send stateToken or sessionToken, not both',
        expected: 'one token',
      });
  }
  found.push(...oneOf(name, request));
  if (name === 'save_workflow') found.push(...halfOperations(request['patch']));
  const output = request['output'];
  const gaps = isJsonObject(output) && Array.isArray(output['gaps']) ? output['gaps'] : [];
  gaps.forEach((gap: unknown, index) => {
    if (!isJsonObject(gap) || gap['category'] !== 'user_only_dependency' || gap['resolves'] !== undefined) return;
    if ((userOnlyReasons as readonly unknown[]).includes(gap['reason'])) return;
    found.push({
      path: `/output/gaps/${index}/reason`,
      rule: 'enum',
      message: 'a user_only_dependency names one of the closed reasons',
      expected: userOnlyReasons.join(' | '),
      actual: shown(gap['reason']),
    });
  });
  return found;
}

/** One of several fields says what the call is about. */
function oneOf(name: RequestName, request: JsonObject): readonly RequestViolation[] {
  const fields: readonly string[] = own(oneOfFields, name) ?? [];
  const given = fields.filter((field) => request[field] !== undefined);
  if (name === 'save_workflow' && given[0] === 'patch' && request['workflowId'] === undefined)
    return [{ path: '/workflowId', rule: 'required', message: 'patch needs the workflowId of what it changes' }];
  if (fields.length === 0 || given.length === 1) return [];
  const message =
    given.length === 0 ? `send one of ${fields.join(', ')}` : `${given.join(' and ')} were sent: send one of them`;
  return [
    { path: `/${given[1] ?? fields[0] ?? ''}`, rule: 'one_of', message, expected: `one of ${fields.join(', ')}` },
  ];
}

const needed: { readonly [op: string]: 'value' | 'from' } = {
  add: 'value',
  replace: 'value',
  test: 'value',
  move: 'from',
  copy: 'from',
};

/** An operation of a patch that lacks what it is to do. */
function halfOperations(patch: JsonValue | undefined): readonly RequestViolation[] {
  if (!Array.isArray(patch)) return [];
  return (patch as readonly JsonValue[]).flatMap((operation, index) => {
    if (!isJsonObject(operation)) return [];
    const { op } = operation;
    const field = typeof op === 'string' ? own(needed, op) : undefined;
    if (field === undefined || operation[field] !== undefined) return [];
    return [
      { path: `/patch/${index}/${field}`, rule: 'required', message: `${shown(op)} needs ${field}`, expected: field },
    ];
  });
}

/** An offered call that was sent with its holes: it would record what nobody said. */
function unfilled(request: JsonObject): RequestViolation[] {
  const found: RequestViolation[] = [];
  const walk = (value: JsonValue, path: string): void => {
    if (isHole(value))
      found.push({
        path,
        rule: 'unfilled',
        message: [field(path, path.slice(1)), ` is still ${shown(value)}: put a value in its place`],
      });
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) walk(inner, `${path}/${key}`);
  };
  walk(request, '');
  return found;
}

function violationsOf(issue: z.core.$ZodIssue, request: JsonObject, name: RequestName): readonly RequestViolation[] {
  const path = issue.path.map((part) => `/${String(part)}`).join('');
  const actual = shown(valueAt(request, issue.path));
  const subject = path === '' ? 'the request' : field(path, path.slice(1));
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownField(path, key, name));
  if (issue.code === 'invalid_value') {
    const expected = issue.values.map(String).join(' | ');
    return [{ path, rule: 'enum', message: [subject, ` must be one of ${expected}`], expected, actual }];
  }
  if (issue.code === 'invalid_type') {
    const { expected } = issue;
    return valueAt(request, issue.path) === undefined
      ? [{ path, rule: 'required', message: [subject, ' is missing'], expected }]
      : [{ path, rule: 'type', message: [subject, ` must be ${article(expected)}`], expected, actual }];
  }
  if (issue.code === 'too_big' || issue.code === 'too_small')
    return [outOfBounds(path, issue, valueAt(request, issue.path))];
  return [{ path, rule: issue.code, message: [subject, `: ${issue.message}`], actual }];
}

/** A bound of the schema, with what was measured. */
function outOfBounds(
  path: string,
  issue: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall,
  value: unknown,
): RequestViolation {
  const bound = issue.code === 'too_big' ? `at most ${issue.maximum}` : `at least ${issue.minimum}`;
  const unit = typeof value === 'string' ? ' characters' : Array.isArray(value) ? ' elements' : '';
  const measured = typeof value === 'string' || Array.isArray(value) ? value.length : shown(value);
  return {
    path,
    rule: issue.code,
    message: [field(path, path.slice(1)), `: ${measured}${unit}, allowed are ${bound}`],
    expected: `${bound}${unit}`,
    actual: String(measured),
  };
}

function unknownField(path: string, key: string, name: RequestName): RequestViolation {
  const known = knownFields(name, path);
  const closest = closestName(key, known);
  return {
    path: `${path}/${key}`,
    rule: 'unknown_field',
    message: `unknown field ${shown(key)}${knownInstead(closest, known, 'fields')}`,
    ...(closest !== undefined && { expected: closest }),
    actual: key.slice(0, 80),
  };
}

function knownFields(name: RequestName, path: string): readonly string[] {
  const { output } = requestSchemas.checkpoint_workflow.shape;
  const { preferences } = requestSchemas.start_workflow.shape;
  if (path === '/output') return Object.keys(output.shape);
  if (path.startsWith('/output/gaps')) return Object.keys(output.shape.gaps.unwrap().element.shape);
  if (path === '/preferences') return Object.keys(preferences.unwrap().shape);
  return Object.keys(requestSchemas[name].shape);
}

function valueAt(request: JsonObject, path: readonly PropertyKey[]): unknown {
  let value: unknown = request;
  for (const part of path)
    value = typeof value === 'object' && value !== null ? own(value as { [key: string]: unknown }, part) : undefined;
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
    message: `${violations.map(({ message }) => sentenceText(message)).join('; ')}. Nothing was recorded; tokens stay good`,
    action: violations.some(({ rule }) => rule === 'nesting')
      ? 'send the request again with flatter values'
      : `send a smaller request to ${name}: put long material into a file of the project and name it in the notes`,
    violations,
    context: { tool: name },
  };
}

function invalid(name: RequestName, violations: readonly RequestViolation[], request: JsonObject): Rejection {
  return {
    code: 'VALIDATION_ERROR',
    message: `${name}: ${violations.length === 1 ? 'one field is wrong' : `${violations.length} fields are wrong`}${violations.length > limits.violations ? `, the first ${limits.violations} are listed` : ''}${tools[name].annotations.readOnlyHint ? '' : '; nothing was recorded'}`,
    action: 'send the request again with what is listed put right',
    nextCall: offeredCall(
      name,
      request,
      violations.slice(0, limits.violations).flatMap((violation) => mendsOf(name, violation, request)),
    ),
    violations: violations.slice(0, limits.violations),
    example: tools[name].example,
    context: { tool: name },
  };
}

/** A misspelt field goes under its right name where that is free; what cannot be guessed becomes a hole. */
function mendsOf(
  name: RequestName,
  { path, rule, expected, message }: RequestViolation,
  request: JsonObject,
): readonly Mend[] {
  // A hole that is still one stays as it was offered.
  if (path === '' || rule === 'unfilled') return [];
  if (rule === 'unknown_field') {
    const right = `${path.slice(0, path.lastIndexOf('/'))}/${expected ?? ''}`;
    const value = valueAt(request, path.split('/').slice(1));
    const isFree =
      expected !== undefined && !expected.includes(' ') && valueAt(request, right.split('/').slice(1)) === undefined;
    const gone: Mend = { at: path, to: undefined };
    if (isFree && isJsonValue(value)) return [gone, { at: right, to: value }];
    // What start does not know is most likely an input or a fact, and those live in the context.
    return name === 'start_workflow' && path.lastIndexOf('/') === 0 && isJsonValue(value)
      ? [gone, { at: `/context${path}`, to: value }]
      : [gone];
  }
  return [{ at: path, to: hole(expected ?? sentenceText(message)) }];
}
