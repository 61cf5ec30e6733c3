import { limits } from '../../base/limits.js';
import path from 'node:path';
import { thisProcess } from '../../files/this-process.js';
import { type Drivers, openDrivers } from './drivers.js';
import { openCalls, type Calls } from '../../calls/open-calls.js';
import { secretsOf } from '../../calls/read-secrets.js';
import type { AgentName } from '../../base/agent-name.js';
import { own } from '../../base/own.js';
import { type Sentence, sentenceForPeople, sentenceText } from '../../base/sentence.js';
import type { Rejection } from '../../base/rejection.js';
import { modes, type Preferences } from '../../base/preferences.js';
import type { Who } from '../../events/event.js';
import type { PersonSaid, TaskQuestion } from '../../contract/durable-tasks.js';
import type { RequestName } from '../../contract/request-schemas.js';
import { toolCatalogue } from '../../contract/tool-catalogue.js';
import { choosePreferences } from '../../decide/choose-preferences.js';
import { type IdsFromSeed, idsFromSeed } from '../../decide/ids-from-seed.js';
import { type GivenFile, judgeFiles, type JudgedFile } from '../../library/judge-files.js';
import type { IndexPlace } from '../../library/catalog-index-file.js';
import type { CatalogSource } from '../../library/catalog-files.js';
import type { WorkflowSource } from '../../library/library-entry.js';
import { openSchemas, type Schemas, type SchemaSource } from '../../library/schema-files.js';
import { type Catalogs, openCatalogs } from '../../library/open-catalogs.js';
import { type Library, openLibrary } from '../../library/workflow-library.js';
import { configFolder, type DataRoots, findDataRoots } from '../../machine/data-roots.js';
import { type GlobalPreferences, readGlobalPreferences } from '../../machine/global-preferences.js';
import { type Keys, openKeys } from '../../machine/keys.js';
import { localFolder } from '../../machine/local-folder.js';
import { observeRepository } from '../../machine/repository.js';
import { openFileStore } from '../../log/file-store.js';
import type { SessionStore, StoreNeeds } from '../../log/port/session-store.js';
import { sessionProjection } from '../../sessions/fold-session.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import { type AllowedAddresses, openAllowedAddresses } from './allowed-addresses.js';
import { openProviderValues, type ProviderValues } from './provider-values.js';
import { besideWorkflows } from './beside-workflows.js';
import { openKeptWorkflows } from './kept-workflows.js';
import { PinnedWorkflows } from './pinned-workflows.js';
import type { RequestsOptions } from './requests-options.js';
import { openRefusal } from './refused-places.js';
import { openSecretAnswers, type SecretAnswers } from './secret-answers.js';
import { SessionRegister } from './session-register.js';
import { workflowSources } from './workflow-sources.js';
import { openWorkspaceFiles, type WorkspaceFiles } from './workspace-files.js';

/** What every request works with. Effects come in through here and nowhere else. */
export interface Environment {
  readonly workspace: string;
  /** Where sessions, keys and the user's configuration lie. */
  readonly roots: DataRoots;
  /** Why nothing may be read or written here, where that is so. */
  readonly refusal: () => Rejection | undefined;
  readonly store: SessionStore<FoldedSession>;
  /** What there is to know of all sessions without reading them. */
  readonly register: SessionRegister;
  readonly pinned: PinnedWorkflows;
  readonly library: Library;
  /** Where workflow files lie, in rising precedence. */
  readonly workflowSources: readonly WorkflowSource[];
  /** The user named a folder for the workflows that are written: the last of them. */
  readonly ownWorkflowFolder: boolean;
  /** The APIs whose operations workflows may call. */
  readonly catalogs: Catalogs;
  /** Where what documents come to is kept for later processes. */
  readonly catalogIndex: IndexPlace;
  /** Where catalogs lie, in rising precedence. */
  readonly catalogSources: readonly CatalogSource[];
  /** What shared states are held to. */
  readonly schemas: Schemas;
  /** Where schemas lie, in rising precedence. */
  readonly schemaSources: readonly SchemaSource[];
  /** The only way to ask anybody for anything. */
  readonly calls: Calls;
  /** Which addresses beyond public ones they may ask. */
  readonly allowed: AllowedAddresses;
  /** Where the person's secrets are. */
  readonly secretsFile: string;
  /** What commands brought that no log may hold. */
  readonly secretAnswers: SecretAnswers;
  /** The files that commands send. */
  readonly workspaceFiles: WorkspaceFiles;
  /** Whether the environment of this process has a value for a variable. */
  readonly hasVariable: (name: string) => boolean;
  /** The choices of inputs. */
  readonly providers: ProviderValues;
  /** Files wherever they lie, as a start would judge them. */
  readonly judgeFiles: (given: readonly GivenFile[]) => readonly (JudgedFile | undefined)[];
  readonly keys: Keys;
  /** Why the user's configuration could not be read, where it is there. */
  readonly configFault: string | undefined;
  /** What new sessions begin with. */
  readonly globalPreferences: () => Preferences;
  /** Fresh ids for one request. */
  readonly draw: () => IdsFromSeed;
  readonly randomId: () => string;
  readonly now: () => Date;
  /** Sessions made now go into the user's own folder, where those of all repositories lie together. */
  readonly privateRoot: boolean;
  /** A sentence as people read it, with commands that run as they stand. */
  readonly words: (sentence: Sentence) => string;
  /** The shared state that is meant where a call names none, as whoever started this process, or sends the request, says. */
  readonly stateNamed?: string | undefined;
  /** The most that a shared document may have here. */
  readonly stateBytes: number;
  /** The person who makes the calls of agents; nobody where they are an agent's. */
  readonly caller: Who | undefined;
  /** Asks the person before the agent's program; absent where it cannot ask anybody. */
  readonly askPerson?: AskPerson | undefined;
  /** Shows them a form; absent where it cannot. */
  readonly askForm?: AskForm | undefined;
  /** A form is answered within the call, and not by the same call made again. */
  readonly asksAtOnce?: boolean | undefined;
  /** Whoever calls can follow what goes on in the background as a task. */
  readonly takesTask?: boolean | undefined;
  /** Whoever calls follows a run in this process: no answer waits for it, and each tells every step. */
  readonly follows?: boolean | undefined;
  /** Tells whoever waits for the call how far it is; absent where nobody wants to know. */
  readonly progress?: Progress | undefined;
  /** The agent's program, as it names itself; absent where nobody said. */
  readonly agent?: AgentName | undefined;
  /** What does steps of runs in this process. */
  readonly drivers: Drivers;
  /** The name of this machine. */
  readonly host: string;
  readonly log: (line: string) => void;
  readonly version: string;
  readonly offered: ReadonlySet<RequestName>;
}

/** Steps so far, and what is going on, in words. */
export type Progress = (steps: number, message: string) => void;

/** Whether the person said yes. No answer is no. */
export type AskPerson = (question: string) => Promise<boolean>;

/** What the person did with a form; nothing where they gave no answer, or are being asked something else. */
export type AskForm = (form: TaskQuestion & { readonly name: string }) => Promise<PersonSaid | 'busy' | undefined>;

/** The agent's program, and the ways to ask the person before it, where it offers any. */
export interface Askable {
  /** What it says of itself. */
  readonly agent?: AgentName | undefined;
  readonly stateNamed?: string;
  readonly askPerson?: AskPerson | undefined;
  readonly askForm?: AskForm | undefined;
  readonly asksAtOnce?: boolean | undefined;
  readonly takesTask?: boolean | undefined;
  readonly follows?: boolean | undefined;
  readonly progress?: Progress | undefined;
}

export function openEnvironment(options: RequestsOptions): Environment {
  const { randomBytes, log } = options;
  const config = readGlobalPreferences(configFolder(options), log);
  const roots = findDataRoots({ ...options, ...(config.trustedFolders && { trusted: config.trustedFolders }) });
  const keys = openKeys(roots.config, randomBytes, log);
  const needs: StoreNeeds<FoldedSession> = {
    projection: sessionProjection,
    now: options.now,
    randomBytes,
    sealKey: () => keys.current().secret,
    log,
  };
  const store =
    options.openStore?.(needs) ??
    openFileStore({
      ...needs,
      roots: roots.reading,
      newSessions: roots.newSessions,
      known: roots.known,
      lock: options.env['WORKRAIL_LOCK'] === 'off' ? 'off' : 'lease',
    });
  const sources = workflowSources(options, roots, config.workflowFolders ?? []);
  const { newSessions, known } = roots;
  const user = newSessions.kind === 'given' ? undefined : known.find(({ kind }) => kind === 'user');
  const kept = openKeptWorkflows(user ?? newSessions, sources, options.compiledWorkflows, () => keys.current().secret);
  const catalogsIn = besideWorkflows(sources, 'catalogs');
  const schemasIn = besideWorkflows(sources, 'schemas');
  const catalogIndex: IndexPlace = {
    folder: () => localFolder(user ?? newSessions, 'index'),
    key: () => keys.current().secret,
  };
  const catalogs = openCatalogs(catalogsIn, catalogIndex);
  const library = openLibrary(sources, kept, catalogs);
  const calls = openCalls({ secrets: secretsOf(secretsFile(roots.config, options.env), options.env) });
  const hex = (count: number): string => Buffer.from(randomBytes(count)).toString('hex');
  const allowed = openAllowedAddresses(roots.config, () => hex(6));
  if (options.watch === true) library.watch();
  return {
    workspace: options.workspace,
    roots,
    refusal: openRefusal(roots, options.dataDir !== undefined),
    store,
    register: new SessionRegister({
      store,
      program: options.version,
      key: () => keys.current().secret,
      here: () => observeRepository(options.workspace),
    }),
    pinned: new PinnedWorkflows(library),
    library,
    workflowSources: sources,
    ownWorkflowFolder: (options.env['WORKRAIL_WORKFLOWS_DIR'] ?? '') !== '',
    catalogs,
    catalogIndex,
    calls,
    secretsFile: secretsFile(roots.config, options.env),
    secretAnswers: openSecretAnswers(),
    workspaceFiles: openWorkspaceFiles(options.workspace, roots.config),
    hasVariable: (name) => (own(options.env, name) ?? '') !== '',
    allowed,
    providers: openProviderValues({ catalogs, calls, allowed, now: options.now, secretMark: () => hex(8) }),
    catalogSources: catalogsIn,
    schemas: openSchemas(schemasIn),
    schemaSources: schemasIn,
    judgeFiles: (given) => judgeFiles(sources, given, catalogs.lookup),
    keys,
    configFault: config.fault,
    globalPreferences: globalPreferences(configFolder(options), config, log),
    draw: () => idsFromSeed(hex(16)),
    randomId: () => hex(6),
    now: options.now,
    privateRoot: roots.newSessions.kind === 'user',
    words: (sentence) =>
      sentenceText(sentenceForPeople(sentence), (part) =>
        'command' in part && options.commandLine !== undefined
          ? options.commandLine(part.command)
          : 'people' in part
            ? part.people
            : part.text,
      ),
    stateNamed: options.env['WORKFLOW_STATE_ID'],
    stateBytes: stateBytesOf(options.env['WORKRAIL_STATE_BYTES']),
    caller: options.person && { door: options.person },
    drivers: openDrivers(),
    host: thisProcess().host,
    log: options.log,
    version: options.version,
    offered: options.offered ?? new Set(toolCatalogue.map(({ name }) => name)),
  };
}

/** A smaller bound than there is anyhow; what is no number of bytes bounds nothing more. */
function stateBytesOf(given = ''): number {
  return /^[1-9]\d{0,8}$/u.test(given) ? Math.min(Number(given), limits.sharedDocument) : limits.sharedDocument;
}

/** Where the person's secrets are: only they write it, with `workrail catalogs secret`. */
const secretsFile = (config: string, env: RequestsOptions['env']): string =>
  (env['WORKRAIL_SECRETS_FILE'] ?? '') === ''
    ? path.join(config, 'secrets.json')
    : path.resolve(env['WORKRAIL_SECRETS_FILE']!);

/** What new sessions begin with as the file says now: it may have been changed since this process began. */
function globalPreferences(
  folder: string,
  atStart: GlobalPreferences,
  log: (line: string) => void,
): Environment['globalPreferences'] {
  let known = atStart;
  return () => {
    const now = readGlobalPreferences(folder, log);
    // A file that cannot be read now says nothing new.
    if (now.fault === undefined) known = now;
    return choosePreferences(modes[known.mode ?? 'guided'], known.preferences);
  };
}
