import path from 'node:path';
import { hole } from '../../base/hole.js';
import { plural } from '../../base/plural.js';
import { either } from '../../base/sentence.js';
import type { Rejection } from '../../base/rejection.js';
import { sha256Hex } from '../../base/digest.js';
import { err, ok, type Result } from '../../base/result.js';
import { type CatalogSettings, catalogSettings } from '../../catalogs/catalog-settings.js';
import type { CatalogChanged } from '../../contract/tools/catalog-answers.js';
import type { Reply } from '../../contract/reply.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import type { CatalogEntry } from '../../library/catalog-files.js';
import type { LibraryEntry } from '../../library/library-entry.js';
import type { ListedCatalog } from '../../library/open-catalogs.js';
import { isRealFolder } from '../../files/folders.js';
import { revisionOf } from '../../library/revision.js';
import { removeCatalog, writeSettings } from '../../library/write-catalog.js';
import { changedReply } from '../../respond/catalogs/catalog-replies.js';
import type { Environment } from '../world/environment.js';
import { trashFor } from '../world/trash-for.js';
import { keepAllowed } from './allow-addresses.js';
import { catalogChanged, catalogHere } from './catalog-folder.js';
import { missingSecrets } from './catalog-secrets.js';
import { settingsTold } from './list-catalogs.js';
import { workflowsUsing } from './workflows-using.js';
import { wrongSettings } from './wrong-settings.js';

/** Offers the commands of a catalog to workflows, or no longer. */
export async function setCatalogEnabled(
  env: Environment,
  request: RequestOf<'set_catalog_enabled'>,
): Promise<Result<Reply, Rejection>> {
  const changed = await enableCatalog(env, request);
  return changed.ok ? ok(changedReply(changed.value)) : changed;
}

export async function enableCatalog(
  env: Environment,
  { catalogId, enabled }: RequestOf<'set_catalog_enabled'>,
): Promise<Result<CatalogChanged, Rejection>> {
  const found = catalogHere(env, catalogId);
  if (!found.ok) return found;
  const { entry, source } = found.value;
  if (enabled && entry.problem !== undefined) return err(unusable(entry, entry.problem));
  const opened = env.catalogs.open(entry);
  const count = opened.ok ? opened.value.catalog.operations.length : 0;
  const same = entry.settings.enabled === enabled;
  // Once it is disabled, nobody can tell any more who used it.
  const users = enabled ? [] : await workflowsUsing(env, entry.id);
  const written = same
    ? ok(entry.revision)
    : await writeSettings(source, entry.id, { ...entry.settings, enabled }, entry.revision);
  if (!written.ok) return err(conflict(entry.id, written.error));
  return ok({
    catalogId: entry.id,
    happened: same ? 'unchanged' : enabled ? 'enabled' : 'disabled',
    revision: written.value,
    enabled,
    commandCountAfterToggle: enabled ? count : 0,
    warnings: noLongerStarting(users),
    nextCall: { tool: 'list_catalogs', arguments: {} },
  });
}

const conflict = (id: string, problem: { readonly kind: string; readonly revision?: string | undefined }): Rejection =>
  catalogChanged(id, problem.kind === 'changed' ? problem.revision : undefined);

export const unusable = ({ id, label }: CatalogEntry, why: string): Rejection => ({
  code: 'CATALOG_INVALID',
  message: `${id} cannot be used: ${why}; nothing was written`,
  action: [either('ask the user to mend or remove ', 'fix or remove '), `what is in ${label}`],
  context: { catalogId: id },
});

/** Workflows that run its commands, as they are told once it is gone. */
const noLongerStarting = (users: readonly LibraryEntry[]): readonly string[] =>
  users.map((user) => `${user.id} (${user.file}) uses it${couldStart(user) ? ' and cannot be started any more' : ''}`);

const couldStart = ({ kind, violations }: LibraryEntry): boolean => kind === 'workflow' && violations.length === 0;

const mostNamed = 10;

/** The same before. */
function wouldNotStart(users: readonly LibraryEntry[]): string {
  const named = users.slice(0, mostNamed).map(({ id, file }) => `${id} (${file})`);
  const more = users.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${plural(more, 'more workflow')}` : ''} would no longer start`;
}

/** Says how the commands of a catalog are called. */
export async function configureCatalog(
  env: Environment,
  request: RequestOf<'configure_catalog'>,
): Promise<Result<Reply, Rejection>> {
  const found = catalogHere(env, request.catalogId);
  if (!found.ok) return found;
  const { entry, source } = found.value;
  if (entry.unread === true) return err(unusable(entry, entry.problem ?? ''));
  const { reset = [], expectedRevision, confirm } = request;
  const given = without(request, ['catalogId', 'reset', 'expectedRevision', 'confirm']);
  if (expectedRevision !== undefined && expectedRevision !== entry.revision)
    return err(catalogChanged(entry.id, entry.revision));
  const parsed = catalogSettings.safeParse({ ...without(entry.settings, reset), ...given });
  if (!parsed.success) return err(wrongSettings(parsed.error.issues));
  const settings = parsed.data;
  const counted = env.allowed.of(entry);
  const added = (request.allow ?? []).filter((one) => !counted.includes(one));
  const refused = await opensUp(env, entry, added, confirm);
  if (refused !== undefined) return err(refused);
  const isAsWritten = JSON.stringify(settings) === JSON.stringify(entry.settings);
  const written = isAsWritten ? ok(entry.revision) : await writeSettings(source, entry.id, settings, entry.revision);
  if (!written.ok) return err(conflict(entry.id, written.error));
  // Whoever sits at a terminal allows what they typed, and not what a project had in the same list.
  const agreed = env.caller === undefined ? added : [];
  const kept = keepAllowed(env, { ...entry, settings }, [...counted, ...agreed]);
  if (!kept.ok) return kept;
  const same = isAsWritten && agreed.length === 0;
  return ok(
    changedReply({
      catalogId: entry.id,
      happened: same ? 'unchanged' : 'configured',
      revision: written.value,
      settings: settingsTold(settings),
      warnings: [
        ...privateAddress(settings),
        ...missingSecrets(env, { ...entry, settings }).map((name) => secretToSet(env, entry.id, name)),
      ],
      nextCall: {
        tool: env.offered.has('search_commands') ? 'search_commands' : 'list_catalogs',
        arguments: env.offered.has('search_commands') ? { catalog: entry.id } : {},
      },
    }),
  );
}

/** The whole line, where a variable of the secret's name is there to be read. */
function secretToSet(env: Environment, id: string, name: string): string {
  const told = `${name} is a secret that only the user sets, in a terminal: workrail catalogs secret ${id} ${name}`;
  return env.hasVariable(name)
    ? `${told} --env ${name}`
    : `${told}; with --env VARIABLE it is read from the environment`;
}

const without = (fields: object, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

/** An address that is not called unless it is allowed too. */
function privateAddress({ baseUrl = '', allow = [] }: CatalogSettings): readonly string[] {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
  const isPrivate = /^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[)/u.test(host);
  return isPrivate && allow.length === 0
    ? [`${host} is not public: it is called only with "allow": ["${host}"], once the user agrees`]
    : [];
}

/** What no agent decides alone: to let calls go where only this machine or its network can. */
async function opensUp(
  env: Environment,
  entry: ListedCatalog,
  added: readonly string[],
  confirm: string | undefined,
): Promise<Rejection | undefined> {
  if (added.length === 0 || env.caller !== undefined) return undefined;
  const question = `Let the catalog ${entry.id} call ${added.join(', ')}, which ${added.length === 1 ? 'is' : 'are'} not public?`;
  if (env.askPerson !== undefined) {
    if (await env.askPerson(question)) return undefined;
    return {
      code: 'PRECONDITION_FAILED',
      message: `the user did not agree that ${entry.id} calls ${added.join(', ')}; nothing was written`,
      action: 'go on without it',
      context: { catalogId: entry.id },
    };
  }
  // Only who has been told what would be allowed can know it.
  const agreed = revisionOf(sha256Hex(JSON.stringify([entry.revision, added.toSorted()])));
  if (confirm === agreed) return undefined;
  return {
    code: 'CONFIRMATION_REQUIRED',
    message: `${entry.id} would be allowed to call ${added.join(', ')}: addresses that are not public; nothing was written`,
    action: `ask the user whether it may, and only once they agree send "confirm": "${agreed}"`,
    again: [{ at: '/confirm', to: hole(`${agreed}, once the user agrees`) }],
    context: { catalogId: entry.id, revision: entry.revision },
  };
}

/** Takes a catalog out of the way, once the user has agreed. */
export async function removeCatalogRequest(
  env: Environment,
  request: RequestOf<'remove_catalog'>,
): Promise<Result<Reply, Rejection>> {
  const removed = await removedCatalog(env, request);
  return removed.ok ? ok(changedReply(removed.value)) : removed;
}

export async function removedCatalog(
  env: Environment,
  { catalogId, removeManifest = false, confirm }: RequestOf<'remove_catalog'>,
): Promise<Result<CatalogChanged, Rejection>> {
  const found = catalogHere(env, catalogId);
  if (!found.ok) return found;
  const { entry, source } = found.value;
  const { id, revision, label } = entry;
  const users = await workflowsUsing(env, id);
  if (confirm === undefined)
    return err({
      code: 'CONFIRMATION_REQUIRED',
      message: `${id} (${label}) would go to the trash${users.length === 0 ? '' : `; ${wouldNotStart(users)}`}; nothing was removed`,
      action: `ask the user whether to remove it, and only once they agree send "confirm": "${revision}"`,
      again: [{ at: '/confirm', to: hole(`${revision}, once the user agrees`) }],
      context: { catalogId: id, revision, workflows: users.map((user) => user.id) },
    });
  if (confirm !== revision) return err(catalogChanged(id, revision));
  if (!isRealFolder(entry.folder)) return err(unusable(entry, entry.problem ?? ''));
  const trash = trashFor(env, { source });
  if (trash === undefined)
    return err({
      code: 'PRECONDITION_FAILED',
      message: 'the trash cannot be written to; nothing was removed',
      action: [either('tell the user, who can remove the folder themselves', 'remove the folder yourself')],
      context: { catalogId: id, path: label },
    });
  const name = `${id}~${env.now().getTime().toString(36)}~${env.randomId()}`;
  const to = path.join(trash.folder, name);
  const removed = await removeCatalog(source, id, { to, revision, withDocument: removeManifest });
  if (!removed.ok) return err(conflict(id, removed.error));
  // Another that comes in its place is not what the person has agreed to; where that cannot be kept, it is no reason to fail.
  keepAllowed(env, { ...entry, settings: { version: 1, enabled: false } }, []);
  return ok({
    catalogId: id,
    happened: 'removed',
    revision,
    removedCatalogId: id,
    manifestRemoved: removeManifest,
    movedTo: `${trash.label}/${removeManifest ? name : `${name}.json`}`,
    remainingCatalogCount: env.catalogs.list().length,
    warnings: noLongerStarting(users),
    nextCall: { tool: 'list_catalogs', arguments: {} },
  });
}
