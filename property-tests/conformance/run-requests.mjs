// npm run conformance:requests: are the requests that we build right by the judgement of others?
//   npm run conformance:requests -- github slack     only these documents; ALL=1 tells every finding
// Prism judges a request of every operation of every document in shared/corpora/openapi: the step that is shown to copy, and one
// with all that the operation takes, in each content type. The cases of uri-templates/uritemplate-test judge each style alone.
// Both are installed into a temporary folder; PRISM names one in which they are. What Prism gets wrong is listed with the reason.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadSources } from '../bench/frame/load-sources.mjs';
import { installPackages } from './install-packages.mjs';
import { whoseFault } from './requests/whose-fault.mjs';

const packages = ['@stoplight/prism-http@5.12.0', 'uri-template-router@1.0.0'];
const documents = [
  'github.json',
  'kubernetes.json',
  'twilio-v2010.json',
  'slack.json',
  'discord.json',
  'gitea-2.0.json',
  'gitea-3.0.json',
  's3.yaml',
  'spotify.yaml',
  'heroku-data.yaml',
  'ably.yaml',
  'petstore.yaml',
  'examples/callback-3.0.json',
  'examples/link-3.0.json',
  'examples/uber-2.0.json',
  'examples/petstore-separate/spec/swagger.json',
  'examples/tictactoe-3.1.yaml',
  'examples/uspto-3.0.yaml',
  'examples/tags-3.2.json',
  'examples/non-oauth-scopes-3.1.json',
];

const corpus = process.env.CORPORA ?? fileURLToPath(new URL('../../../shared/corpora/openapi', import.meta.url));
const say = (line) => process.stdout.write(`${line}\n`);
if (!existsSync(join(corpus, 'github.json'))) {
  say(`Nothing was tried: there are no documents in ${corpus}; name their folder with CORPORA.`);
  process.exit(1);
}

const given = process.env.PRISM;
const folder = given ?? mkdtempSync(join(tmpdir(), 'requests-'));
let installed;
try {
  installed = given === undefined ? installPackages(folder, packages) : createRequire(join(folder, 'package.json'));
} catch (cause) {
  say(`Nothing was tried: ${cause.message}.`);
  process.exit(1);
}
const { getHttpOperationsFromSpec } = installed('@stoplight/prism-http');
const { validateInput } = installed('@stoplight/prism-http/dist/validator');
const route = installed('@stoplight/prism-http/dist/router').default;
const { validateAgainstSchema } = installed('@stoplight/prism-http/dist/validator/validators/utils');
const jsf = installed('json-schema-faker');
jsf.option({ random: () => 0.3 });

const sources = await loadSources();
const { readDocument } = await sources.load('/src/library/read-document.ts');
const { exampleCall, wholeCalls, readAsServer } = await sources.load(
  '/property-tests/conformance/requests/requests-of.ts',
);
const { templateFailures } = await sources.load('/property-tests/conformance/requests/uri-templates.ts');

const patterns = new Map();
function ofPattern(pattern) {
  if (!patterns.has(pattern)) patterns.set(pattern, jsf.generate({ type: 'string', pattern }));
  return patterns.get(pattern);
}

/** Whether what was drawn fits its schema: if not, the request says nothing. */
function isSound({ drawn }, definitions) {
  return drawn.every(({ schema, value }) => {
    const whole =
      typeof schema === 'object' && JSON.stringify(schema).includes('#/$defs/')
        ? { ...schema, $defs: definitions }
        : schema;
    try {
      const problems = validateAgainstSchema(value, whole, false, 'input', undefined);
      return problems._tag === 'None';
    } catch {
      return true;
    }
  });
}

/** As much as can be drawn: fields of fields, several forms of them, and in the end only what is required. */
const draws = [5, 2, 1, 0].flatMap((levels) => [0, 1, 2, 3].map((turn) => [levels, turn]));

const isTold = process.env.ALL !== undefined;

async function judgeDocument(name) {
  const file = join(corpus, name);
  const root = name.includes('petstore-separate') ? join(corpus, 'examples/petstore-separate') : undefined;
  const read = readDocument({ file, folder: root });
  if (!read.ok) throw new Error(`${name}: ${read.error[0].message}`);
  const judges = await judgesOf(name, file, read.value);
  const tally = { requests: 0, undrawn: [], unread: [], excused: new Map(), ours: [], unseen: [] };
  for (const { id } of read.value.catalog.operations) {
    const operation = read.value.operation(id);
    const found = judges.find((one) => one.method === operation.method.toLowerCase() && one.path === operation.path);
    // What follows `#` tells operations apart and is not sent; Prism takes it for a part of the path.
    if (found === undefined) tally.unread.push(id);
    else await judgeOperation(operation, { ...found, path: found.path.replace(/#.*$/u, '') }, tally);
  }
  tell(name, tally);
  return tally.ours.length + tally.unseen.length;
}

/** Prism follows references in what others added to a document too. */
async function judgesOf(name, file, { value }) {
  try {
    return await getHttpOperationsFromSpec(file);
  } catch (cause) {
    say(`${name}: Prism cannot read it, and judges it without its extensions: ${cause.message.split('\n')[0]}`);
    const plain = JSON.stringify(value, (key, one) => (key.startsWith('x-') ? undefined : one));
    return getHttpOperationsFromSpec(JSON.parse(plain));
  }
}

async function judgeOperation(operation, judge, tally) {
  const drawn = ([levels, turn]) => {
    const drawing = { levels, turn, ofPattern };
    return [exampleCall(operation, drawing), ...wholeCalls(operation, drawing)];
  };
  for (const at of drawn([0, 0]).keys()) {
    tally.requests += 1;
    const fit = draws.find((draw) => isSound(drawn(draw)[at], operation.definitions));
    if (fit === undefined) tally.undrawn.push(operation.id);
    else await judgeCall({ operation, judge, call: drawn(fit)[at].call }, tally);
  }
}

async function judgeCall({ operation, judge, call }, { excused, ours, unseen }) {
  const { refused, input, url = '' } = await readAsServer(operation, call);
  const problems = refused?.map(({ path, message }) => ({ path: [path], message })) ?? judged(judge, input);
  const fault = [];
  for (const problem of problems) {
    const reason = whoseFault({ problem, operation, input });
    if (reason === undefined) fault.push(`${problem.path?.join('.') ?? ''}: ${problem.message}`);
    else excused.set(reason, (excused.get(reason) ?? 0) + 1);
  }
  if (fault.length > 0) ours.push(`${operation.id}: ${fault.join('; ')} ${url}`);
  if (problems.length === 0) unseen.push(...unseenLosses(judge, input));
}

function tell(name, { requests, undrawn, unread, excused, ours, unseen }) {
  const passed = requests - undrawn.length - ours.length;
  const notDrawn = undrawn.length === 0 ? '' : `; no value was found for ${undrawn.length}`;
  const notRead = unread.length === 0 ? '' : `; Prism does not see ${unread.length} operations`;
  say(`${name}: ${passed} of ${requests} requests pass${notDrawn}${notRead}`);
  for (const [reason, count] of excused) say(`    ${count} × ${reason}`);
  for (const one of ours.slice(0, isTold ? Infinity : 10)) say(`    OURS ${one}`);
  for (const one of unseen) say(`    NOT SEEN ${one}`);
  if (isTold) for (const one of [...undrawn, ...unread]) say(`    NOT TRIED ${one}`);
}

/** A judge that overlooks what is missing says nothing: each required parameter is taken out once. */
function unseenLosses(judge, input) {
  const without = (all, name) => Object.fromEntries(Object.entries(all).filter(([key]) => key.toLowerCase() !== name));
  const { query = [], headers = [] } = judge.request ?? {};
  const lost = [
    ...query.map((one) => [
      one,
      { ...input, url: { ...input.url, query: without(input.url.query, one.name.toLowerCase()) } },
    ]),
    ...headers.map((one) => [one, { ...input, headers: without(input.headers, one.name.toLowerCase()) }]),
  ];
  return lost
    .filter(([{ required }, changed]) => required && judged(judge, changed).length === 0)
    .map(([{ name }]) => `that ${name} is missing in ${judge.method} ${judge.path}`);
}

function judged(judge, input) {
  const problems = [];
  const routed = route({ resources: [judge], input });
  if (routed._tag === 'Left') problems.push({ path: ['path'], code: 'route', message: routed.left.message });
  let result;
  try {
    result = validateInput({ resource: judge, element: input });
  } catch (cause) {
    return [...problems, { path: ['prism'], code: 'thrown', message: cause.message }];
  }
  if (result._tag === 'Left') problems.push(...result.left.filter(({ severity }) => severity === 0));
  return problems;
}

let failures = 0;
const wanted = process.argv.slice(2);
for (const name of documents.filter((one) => wanted.length === 0 || wanted.some((begin) => one.startsWith(begin))))
  failures += await judgeDocument(name);
for (const name of ['spec-examples.json', 'spec-examples-by-section.json', 'extended-tests.json']) {
  const at = join(folder, 'node_modules', 'uri-template-router', 'test', 'uritemplate-test', name);
  const { tried, notOurs, failures: wrong } = templateFailures(JSON.parse(readFileSync(at, 'utf8')));
  say(
    `uritemplate-test ${name}: ${tried - wrong.length} of ${tried} pass; ${notOurs} are of styles that OpenAPI does not have`,
  );
  for (const one of wrong) say(`    OURS ${one}`);
  failures += wrong.length;
}
await sources.close();
if (given === undefined) rmSync(folder, { recursive: true, force: true });
say(failures === 0 ? 'All of it passed.' : `${failures} are ours.`);
process.exit(failures === 0 ? 0 : 1);
