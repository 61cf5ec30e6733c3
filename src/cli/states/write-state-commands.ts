import { conflictChoices } from '../../base/closed-sets.js';
import type { JsonValue } from '../../base/json-value.js';
import type { ExitCode } from '../shell/exit-codes.js';
import { givenValues } from '../shell/given-values.js';
import { type RequestsContext, withRequests } from '../shell/with-requests.js';
import { namedState, namedVersion } from './named-state.js';
import { printFacts } from './show-state-commands.js';

export const runStateCreate = withRequests('state create', async (command) => {
  const { parsed, requests, environment, misused, reject, tell } = command;
  const [session, schemaName, given] = parsed.words;
  if (session === undefined || schemaName === undefined || given === undefined)
    return misused('say the session, the schema and the document: `workrail state create <session> <schema> <json>`');
  const number = parsed.text('schema-version');
  if (number !== undefined && !/^[1-9]\d{0,8}$/u.test(number)) return misused('--schema-version is a number such as 1');
  const value = await givenValues(environment).json('<json>', given);
  if (!value.ok) return misused(value.error);
  const made = await requests.people.createState({
    session,
    schemaName,
    initialData: value.value,
    ...(number !== undefined && { schemaVersion: Number(number) }),
  });
  if (!made.ok) return reject(made.error);
  return tell(made.value.answer, (page, state) => {
    page.say(made.value.isNew ? 'Created.' : 'It was created before.');
    printFacts(page, state);
  });
});

export const runStateSet = withRequests('state set', (command) => write(command, 'data'));
export const runStatePatch = withRequests('state patch', (command) => write(command, 'operations'));

async function write(command: RequestsContext, what: 'data' | 'operations'): Promise<ExitCode> {
  const { parsed, requests, environment, misused, reject, tell } = command;
  const [word, given] = parsed.words;
  const named = namedState(word);
  if (named === undefined || given === undefined)
    return misused(`say the session and the ${what === 'data' ? 'document' : 'operations'}`);
  const expected = parsed.text('expected');
  const version = expected === undefined ? undefined : namedVersion(expected);
  if (expected !== undefined && version === undefined)
    return misused('--expected is a number such as 3, or an etag such as v3-0123456789ab');
  const value = await givenValues(environment).json(what === 'data' ? '<json>' : '<operations>', given);
  if (!value.ok) return misused(value.error);
  const asked: { readonly [field: string]: JsonValue } = { [what]: value.value };
  const written = await requests.people.writeState({
    ...named,
    ...asked,
    ...(version !== undefined && { expected: version }),
  });
  return written.ok ? tell(written.value, printFacts) : reject(written.error);
}

export const runStateMerge = withRequests('state merge', async ({ parsed, requests, misused, reject, tell }) => {
  const named = namedState(parsed.words[0]);
  if (named === undefined) return misused('which state? name its session, or its id');
  const merged = await requests.people.mergeState(named);
  return merged.ok ? tell(merged.value, printFacts) : reject(merged.error);
});

export const runStateClose = withRequests('state close', async ({ parsed, requests, misused, reject, tell }) => {
  const named = namedState(parsed.words[0]);
  if (named === undefined) return misused('which state? name its session, or its id');
  const closed = await requests.people.closeState({ ...named, reason: parsed.text('reason') });
  return closed.ok ? tell(closed.value, printFacts) : reject(closed.error);
});

export const runStateFork = withRequests('state fork', async ({ parsed, requests, misused, reject, tell }) => {
  const [word, at] = parsed.words;
  const named = namedState(word);
  const version = at === undefined ? undefined : namedVersion(at);
  if (named === undefined) return misused('which state? name its session, or its id');
  if (at !== undefined && version === undefined)
    return misused('a version is a number such as 3, or an etag such as v3-0123456789ab');
  const forked = await requests.people.forkState({ ...named, version });
  return forked.ok ? tell(forked.value, printFacts) : reject(forked.error);
});

export const runStateMigrate = withRequests('state migrate', async (command) => {
  const { parsed, requests, environment, misused, reject, tell } = command;
  const [word, schemaName, given] = parsed.words;
  const named = namedState(word);
  if (named === undefined || schemaName === undefined) return misused('say the session and the schema');
  const number = parsed.text('schema-version');
  if (number !== undefined && !/^[1-9]\d{0,8}$/u.test(number)) return misused('--schema-version is a number such as 1');
  const operations = given === undefined ? undefined : await givenValues(environment).json('<operations>', given);
  if (operations?.ok === false) return misused(operations.error);
  const migrated = await requests.people.migrateState({
    ...named,
    schemaName,
    schemaVersion: number === undefined ? undefined : Number(number),
    operations: operations?.value,
  });
  return migrated.ok ? tell(migrated.value, printFacts) : reject(migrated.error);
});

export const runStateSettle = withRequests('state settle', async ({ parsed, requests, misused, reject, tell }) => {
  const [word, conflict, choice] = parsed.words;
  const named = namedState(word);
  const how = conflictChoices.find((one) => one === choice);
  if (named === undefined || conflict === undefined)
    return misused('which change? `workrail state show` names those that could not be merged');
  if (how === undefined) return misused('what becomes of it? apply or leave');
  const settled = await requests.people.settleConflict({ ...named, conflict, how, reason: parsed.text('reason') });
  return settled.ok ? tell(settled.value, printFacts) : reject(settled.error);
});
