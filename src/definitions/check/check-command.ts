import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { closestName, closestNames } from '../../base/closest-name.js';
import { limits } from '../../base/limits.js';
import { own } from '../../base/own.js';
import { pointerTo } from '../../base/patch/json-pointer.js';
import type { OperationParameter, OperationShape } from '../compiled/operation-shape.js';
import { isFile } from '../compiled/file-reference.js';
import { isOwnHeader, longName, parametersCalled } from '../compiled/parameter-names.js';
import type { JudgingWork } from '../contracts/judging-work.js';
import { sentProblems, type SentProblem } from '../contracts/sent-problems.js';
import { type Finding, finding, replacing } from '../source/finding.js';
import type { SourcePath } from '../source/source-path.js';
import { absentInput } from './absent-input.js';
import { checkFiles } from './check-files.js';
import { type FoundCommand, operationOf } from './command-sites.js';
import { judgedWithin } from './judged-within.js';

/** A command against what its catalog says of it: its name, its parameters in their places, its body. */
export function checkCommand(site: FoundCommand, inputs: JsonObject, work: JudgingWork): readonly Finding[] {
  const operation = operationOf(site);
  if (operation === undefined) return nameFindings(site);
  return judgedWithin(work, [...site.path, 'run'], () => [
    ...checkParameters(site, operation, inputs, work),
    ...(site.step === undefined ? [] : checkBody(site, operation, inputs, work)),
  ]);
}

function nameFindings({ path, catalog, command, found }: FoundCommand): readonly Finding[] {
  if (found === undefined || !('problem' in found)) return [];
  const { problem, closest, message } = found;
  const [nearest] = closest;
  const isOfCatalog = problem !== 'unknown_command';
  const said =
    message ??
    (problem === 'unknown_catalog'
      ? `no catalog named \`${catalog}\``
      : problem === 'unknown_command'
        ? `the catalog \`${catalog}\` has no command \`${command}\``
        : `\`${catalog} ${command}\` cannot be used now`);
  const remedy =
    nearest !== undefined
      ? `; did you mean ${closest
          .slice(0, 3)
          .map((name) => `\`${name}\``)
          .join(' or ')}?`
      : problem === 'unknown_catalog'
        ? '; import one, or write a `prompt` if an agent should run something in a shell'
        : problem === 'unknown_command'
          ? '; you can also use a method and a path, such as `GET /repos/{owner}/{repo}`'
          : '';
  return [
    finding([...path, 'run'], isOfCatalog ? 'catalog' : 'command', `${said}${remedy}`, {
      of: { text: isOfCatalog ? catalog : command.split(' ')[0]! },
      actual: isOfCatalog ? catalog : command,
      closest: nearest,
    }),
  ];
}

interface Given {
  readonly key: string;
  readonly value: JsonValue;
  readonly parameter: OperationParameter;
}

function checkParameters(
  { path, source, catalog, command }: FoundCommand,
  operation: OperationShape,
  inputs: JsonObject,
  work: JudgingWork,
): readonly Finding[] {
  const named = `\`${catalog} ${command}\``;
  const { with: written = null } = source;
  const values = isJsonObject(written) ? written : {};
  const found: Finding[] = [];
  const given: Given[] = [];
  for (const [key, value] of Object.entries(values)) {
    if (found.length >= limits.violations) break;
    const matching = parametersCalled(key, operation.parameters);
    const [parameter, another] = matching;
    if (parameter === undefined) found.push(unknownParameter(key, [...path, 'with'], named, operation, source));
    else if (another !== undefined) {
      const places = matching.map((one) => `\`${longName(one)}\``).join(' or ');
      const message = `${named} has \`${key}\` in more than one place: write ${places}`;
      found.push(finding([...path, 'with', key], 'parameter', message, { of: 'key', actual: key }));
    } else given.push({ key, value, parameter });
  }
  const paged = pagedParameter({ path, source }, operation, named);
  found.push(...paged.findings);
  for (const parameter of operation.parameters) {
    const one = given.find((other) => other.parameter === parameter);
    if ((!parameter.required && parameter.in !== 'path') || (one === undefined && isOwnHeader(parameter))) continue;
    if (
      one === undefined &&
      paged.parameter !== parameter &&
      (found.length === 0 || !isMisspelt(parameter, values, operation))
    )
      found.push(missingParameter(parameter, path, values, named));
    const why = one === undefined ? undefined : absentInput(one.value, inputs);
    if (one !== undefined && why !== undefined)
      found.push(finding([...path, 'with', one.key], 'absent', `${named} needs \`${one.key}\`, and ${why}`));
  }
  const sending = { definitions: operation.definitions ?? {}, asText: true, work };
  return [
    ...found,
    ...given.flatMap(({ key, value, parameter }) =>
      sentProblems(parameter.schema, value, sending).map((problem) => told(problem, [...path, 'with', key])),
    ),
  ];
}

/** The whole body, written one level too deep; a text may be the field of the body that is called so. */
function isBodyWithin(source: JsonObject, operation: OperationShape): boolean {
  const { with: written = null, body } = source;
  if (body !== undefined || operation.bodies.length === 0 || !isJsonObject(written)) return false;
  const within = own(written, 'body');
  return within !== undefined && (isJsonObject(within) || !bodyFields(operation).includes('body'));
}

function bodyBeside(key: string, path: SourcePath, source: JsonObject, operation: OperationShape): Finding | undefined {
  if (key !== 'body' || !isBodyWithin(source, operation)) return undefined;
  const at = [...path, 'with', key];
  const patch = [{ op: 'move', from: pointerTo(at), path: pointerTo([...path, 'body']) }] as const;
  return finding(at, 'parameter', '`body` stands beside `with`, not under it', { of: 'key', actual: key, patch });
}

function unknownParameter(
  key: string,
  path: SourcePath,
  named: string,
  operation: OperationShape,
  source: JsonObject,
): Finding {
  const beside = bodyBeside(key, path.slice(0, -1), source, operation);
  if (beside !== undefined) return beside;
  const { with: written = null } = source;
  const values = isJsonObject(written) ? written : {};
  const at = [...path, key];
  const [, place, bare = key] = /^(path|query|header|cookie)\.(.+)$/u.exec(key) ?? [];
  const elsewhere = place === undefined ? [] : operation.parameters.filter(({ name }) => name === bare);
  const known = operation.parameters.map(({ name }) => name);
  const open = known.filter((name) => !Object.hasOwn(values, name));
  const rename = (to: string | undefined): Finding['patch'] =>
    to === undefined || Object.hasOwn(values, to)
      ? undefined
      : [{ op: 'move', from: pointerTo(at), path: pointerTo([...path, to]) }];
  const [right] = elsewhere;
  if (right !== undefined) {
    const message = `\`${bare}\` is a ${right.in} parameter of ${named}, not of the ${String(place)}: write \`${bare}\``;
    return finding(at, 'parameter', message, { of: 'key', actual: key, closest: bare, patch: rename(bare) });
  }
  if (bodyFields(operation).includes(key)) {
    const message = `\`${key}\` is a field of the body of ${named}: write it under \`body\``;
    return finding(at, 'parameter', message, { of: 'key', actual: key });
  }
  const [closest] = closestNames(key, open, 1);
  const all = known.length === 0 ? 'it has none' : `it has ${known.slice(0, 12).join(', ')}`;
  const message = `${named} has no parameter \`${key}\`${closest === undefined ? `; ${all}` : ''}`;
  return finding(at, 'parameter', message, {
    of: 'key',
    expected: known.join(', ') || undefined,
    actual: key,
    closest,
    patch: rename(closest),
  });
}

/** Told already, as what was written in its place. */
function isMisspelt({ name }: OperationParameter, values: JsonObject, operation: OperationShape): boolean {
  const written = Object.keys(values).slice(0, limits.violations);
  return written.some(
    (key) => parametersCalled(key, operation.parameters).length === 0 && closestName(key, [name]) !== undefined,
  );
}

function missingParameter(
  { name, in: place, schema = null }: OperationParameter,
  path: SourcePath,
  values: JsonObject,
  named: string,
): Finding {
  const described =
    isJsonObject(schema) && typeof schema['description'] === 'string'
      ? ` (${schema['description'].slice(0, 100)})`
      : '';
  const at = Object.keys(values).length === 0 ? [...path, 'run'] : [...path, 'with'];
  return finding(
    at,
    'missing',
    `${named} needs the ${place} parameter \`${name}\`${described}; give it under \`with\``,
    {
      of: 'key',
      expected: name,
    },
  );
}

/** Where each page is asked for with a parameter, that one is given. */
function pagedParameter(
  { path, source }: Pick<FoundCommand, 'path' | 'source'>,
  operation: OperationShape,
  named: string,
): { readonly parameter?: OperationParameter; readonly findings: readonly Finding[] } {
  const { paginate = null } = source;
  if (!isJsonObject(paginate)) return { findings: [] };
  const { by, param } = paginate;
  const name = typeof param === 'string' ? param : by === 'page' || by === 'offset' ? by : undefined;
  if (name === undefined) return { findings: [] };
  const [parameter] = parametersCalled(name, operation.parameters);
  if (parameter !== undefined) return { parameter, findings: [] };
  const known = operation.parameters.filter((one) => one.in === 'query').map((one) => one.name);
  const at = param === undefined ? [...path, 'paginate', 'by'] : [...path, 'paginate', 'param'];
  const message = `${named} has no parameter \`${name}\` for the next page${param === undefined ? '; name it with `param`' : ''}`;
  return {
    findings: [
      finding(at, 'parameter', message, {
        expected: known.join(', ') || undefined,
        actual: name,
        closest: closestName(name, known),
      }),
    ],
  };
}

type RequestBody = OperationShape['bodies'][number];

function checkBody(
  { path, source, catalog, command }: FoundCommand,
  operation: OperationShape,
  inputs: JsonObject,
  work: JudgingWork,
): readonly Finding[] {
  const named = `\`${catalog} ${command}\``;
  const { bodies } = operation;
  const { body: value, content } = source;
  const types = bodies.map(({ contentType }) => contentType);
  if (value === undefined) {
    if (!bodies.some(({ required }) => required) || isBodyWithin(source, operation)) return [];
    return [finding([...path, 'run'], 'missing', `${named} needs a \`body\` (${types.join(' or ')})`, { of: 'key' })];
  }
  if (bodies.length === 0)
    return [finding([...path, 'body'], 'parameter', `${named} takes no body`, { of: 'key', actual: 'body' })];
  const chosen = bodyFor(bodies, content);
  if (chosen === undefined) {
    const at = content === undefined ? [...path, 'body'] : [...path, 'content'];
    const message =
      content === undefined
        ? `${named} takes several kinds of body; say which with \`content\`: ${types.join(', ')}`
        : `${named} takes no ${JSON.stringify(content)}; it takes ${types.join(', ')}`;
    const closest = typeof content === 'string' ? closestName(content, types) : undefined;
    return [finding(at, 'choice', message, { of: 'key', expected: types.join(', '), closest })];
  }
  const isForm = isFormType(chosen.contentType);
  const files = isJsonType(chosen.contentType)
    ? []
    : checkFiles(value, [...path, 'body'], { ...chosen, inputs }, operation.definitions ?? {});
  if (!isForm && !isJsonType(chosen.contentType)) {
    if ((typeof value !== 'object' && value !== null) || isFile(value)) return files;
    const message = `${named} takes its body (${chosen.contentType}) as a text, or as a file: \`{ file: path }\``;
    return [finding([...path, 'body'], 'value', message, { expected: 'a text or a file' })];
  }
  const sending = {
    definitions: operation.definitions ?? {},
    asText: isForm,
    takesFiles: /^multipart\//iu.test(chosen.contentType),
    mayBeAbsent: (text: string) => absentInput(text, inputs),
    work,
  };
  const absent = chosen.required ? absentInput(value, inputs) : undefined;
  if (typeof value === 'string' && absent !== undefined)
    return [finding([...path, 'body'], 'absent', `${named} needs a body, and ${absent}`)];
  return [...files, ...sentProblems(chosen.schema, value, sending).map((problem) => told(problem, [...path, 'body']))];
}

/** What may be anything is JSON. */
const isJsonType = (contentType: string): boolean => /^(?:[^;]*[/+]json|\*\/\*)\s*(?:;|$)/iu.test(contentType);
const isFormType = (contentType: string): boolean =>
  /^(?:multipart\/|application\/x-www-form-urlencoded)/iu.test(contentType);

/** JSON where it is taken, else the only one. */
function bodyFor(bodies: readonly RequestBody[], content: JsonValue | undefined): RequestBody | undefined {
  if (typeof content === 'string')
    return bodies.find(({ contentType }) => contentType.toLowerCase() === content.toLowerCase());
  return bodies.find(({ contentType }) => isJsonType(contentType)) ?? (bodies.length === 1 ? bodies[0] : undefined);
}

function bodyFields({ bodies, definitions = {} }: OperationShape): readonly string[] {
  return bodies.flatMap(({ schema = null }) => {
    const ref = isJsonObject(schema) && typeof schema['$ref'] === 'string' ? schema['$ref'].split('/').at(-1)! : '';
    const whole = Object.hasOwn(definitions, ref) ? definitions[ref]! : schema;
    const properties = isJsonObject(whole) ? (whole['properties'] ?? null) : null;
    return isJsonObject(properties) ? Object.keys(properties) : [];
  });
}

function told({ path: inner, message, ofKey, closest, expected, mild, sure }: SentProblem, at: SourcePath): Finding {
  const path = [...at, ...inner];
  const patch =
    sure !== true || closest === undefined
      ? undefined
      : ofKey === true
        ? ([{ op: 'move', from: pointerTo(path), path: pointerTo([...path.slice(0, -1), closest]) }] as const)
        : replacing(path, closest);
  return {
    path,
    rule: 'value',
    message,
    ...(ofKey && { of: 'key' as const }),
    ...(mild && { severity: 'warning' as const }),
    expected,
    closest,
    patch,
  };
}
