import type { SecretsListed } from '../../contract/tools/catalog-answers.js';
import { err, ok, type Result } from '../../base/result.js';
import type { Page } from '../print/page.js';
import { askHidden } from '../shell/ask-hidden.js';
import { givenValues } from '../shell/given-values.js';
import { type RequestsContext, withRequests } from '../shell/with-requests.js';

export const runCatalogsSecret = withRequests('catalogs secret', async (asked) => {
  const { parsed, misused, requests, reject, tell } = asked;
  const [catalogId, name] = parsed.words;
  if (catalogId === undefined) return misused('which catalog? `workrail catalogs` lists them');
  const listed = await requests.people.listSecrets({ catalogId });
  if (!listed.ok) return reject(listed.error);
  const isList = parsed.has('list') || name === undefined;
  const wrong = misuse(asked, name, isList);
  if (wrong !== undefined) return misused(wrong);
  if (isList) return tell(listed.value, printSecrets);
  const held = await heldAsked(asked, name);
  if (!held.ok) return misused(held.error);
  const changed = await requests.people.setSecret({ catalogId, name, held: held.value });
  return changed.ok ? tell(changed.value, printSecrets) : reject(changed.error);
});

function misuse({ parsed }: RequestsContext, name: string | undefined, isList: boolean): string | undefined {
  const variable = parsed.text('env');
  if (isList)
    return name !== undefined || variable !== undefined || parsed.has('remove')
      ? 'a list takes only the catalog; to set or remove a secret, name it and leave out --list'
      : undefined;
  if (name === undefined || !/^[A-Za-z][A-Za-z0-9_]{0,99}$/u.test(name))
    return 'the name of a secret has letters, digits and _, such as TOKEN; its value is asked for, never given here';
  if (variable === undefined) return undefined;
  if (parsed.has('remove')) return '--remove takes no --env';
  return /^[A-Za-z_][A-Za-z0-9_]*$/u.test(variable)
    ? undefined
    : `--env takes the name of an environment variable, not ${JSON.stringify(variable)}`;
}

type Held = { readonly value: string } | { readonly env: string } | undefined;

/** Typed as an argument it would stay in the history of the shell: so it is asked for, or read from stdin. */
async function heldAsked({ parsed, environment }: RequestsContext, name: string): Promise<Result<Held, string>> {
  const variable = parsed.text('env');
  if (parsed.has('remove')) return ok(undefined);
  if (variable !== undefined) return ok({ env: variable });
  if (environment.stdinIsTerminal && environment.stdoutIsTerminal) {
    const typed = await askHidden(environment, `Value of ${name} (not shown): `);
    return typed === undefined || typed.trim() === ''
      ? err('no value was given; nothing is set')
      : ok({ value: typed.trim() });
  }
  const read = await givenValues(environment).text(name, '-');
  return read.ok ? ok({ value: read.value.trim() }) : err(`${read.error}; give the value on stdin, or use --env`);
}

function printSecrets(page: Page, { catalogId, secrets }: SecretsListed): void {
  if (secrets.length === 0) page.say(`The settings of ${catalogId} name no secrets.`);
  for (const { name, isSet } of secrets) {
    page.item('', `${name}: ${isSet ? 'set' : 'not set'}`);
    if (!isSet) page.command('  Set it: ', ['catalogs', 'secret', catalogId, name]);
  }
}
