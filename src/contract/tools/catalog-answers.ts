import type { JsonObject } from '../../base/json-value.js';
import type { NextCall } from '../../base/rejection.js';

/** What a document is, and what is wrong or doubtful in it. */
export interface DocumentTold {
  readonly valid: boolean;
  readonly source: string;
  readonly documentKind: 'openapi_2' | 'openapi_3' | 'openapi_3_1' | 'unknown';
  readonly title?: string;
  readonly version?: string;
  readonly operationCount: number;
  readonly warnings: readonly JsonObject[];
  readonly violations: readonly JsonObject[];
  /** How many more there are of both. */
  readonly omitted?: number;
  readonly nextCall?: NextCall;
}

export interface CommandListed {
  readonly command: string;
  readonly method: string;
  readonly path: string;
  readonly safety: string;
  readonly summary: string;
}

/** What an import would make. */
export interface ImportPreview {
  readonly catalog: {
    readonly catalogId: string;
    readonly title: string;
    readonly vendor?: string;
    readonly baseUrl?: string;
  };
  /** The bytes that were looked at, by their digest. */
  readonly document: string;
  /** A catalog of that id is here. */
  readonly replaces?: string;
  readonly projectedCommandCount: number;
  readonly projectedGroupPrefixes: readonly string[];
  readonly providerContractCount: number;
  readonly warnings: readonly JsonObject[];
  readonly commandPreview?: readonly CommandListed[];
  readonly nextCall: NextCall;
}

export interface ImportAnswer {
  readonly catalogId: string;
  readonly happened: 'created' | 'replaced' | 'unchanged';
  readonly revision: string;
  readonly catalogPath: string;
  readonly manifestPath: string;
  readonly enabled: boolean;
  readonly commandCount: number;
  readonly providerContractCount: number;
  readonly warnings: readonly JsonObject[];
  readonly nextCall: NextCall;
}

export interface CatalogTold {
  readonly catalogId: string;
  readonly title: string;
  readonly vendor?: string;
  readonly source: 'user' | 'project';
  readonly path: string;
  readonly revision: string;
  readonly enabled: boolean;
  readonly commandCount: number;
  readonly baseUrl?: string;
  /** How calls say who makes them, without any secret. */
  readonly auth: string;
  readonly settings: JsonObject;
  /** Addresses that its settings allow and that the person has not allowed on this machine. */
  readonly notAllowed?: readonly string[];
  /** Names of secrets that its settings read, and that are not set on this machine. */
  readonly missingSecrets?: readonly string[];
  /** Why it cannot be used. */
  readonly problem?: string;
  readonly hides?: readonly string[];
}

/** The secrets of a catalog, without their values. */
export interface SecretsListed {
  readonly catalogId: string;
  readonly secrets: readonly { readonly name: string; readonly isSet: boolean }[];
}

export interface CatalogsAnswer {
  readonly catalogs: readonly CatalogTold[];
  readonly total: number;
  readonly nextCursor?: string;
  readonly nextCall: NextCall;
}

export interface CatalogChanged {
  readonly catalogId: string;
  readonly happened: 'enabled' | 'disabled' | 'configured' | 'removed' | 'unchanged';
  readonly revision: string;
  readonly warnings: readonly string[];
  readonly nextCall: NextCall;
  readonly enabled?: boolean;
  readonly commandCountAfterToggle?: number;
  readonly settings?: JsonObject;
  readonly removedCatalogId?: string;
  readonly manifestRemoved?: boolean;
  /** Where it is found again. */
  readonly movedTo?: string;
  readonly remainingCatalogCount?: number;
}

export interface FoundCommand extends Partial<Omit<CommandListed, 'command' | 'summary'>> {
  readonly kind: 'command' | 'workflow';
  /** As a step names it, or the id of a workflow. */
  readonly command: string;
  readonly summary: string;
  readonly required?: readonly string[];
}

export interface CommandsAnswer {
  readonly commands: readonly FoundCommand[];
  /** How many have one of the words; of these, how many have most of what was asked for. */
  readonly total: number;
  readonly fitting?: number;
  readonly nextCursor?: string;
  readonly nextCall?: NextCall;
}

/** One command with all that a step of it needs. */
export interface CommandAnswer extends CommandListed {
  readonly description: string;
  readonly catalog: string;
  readonly baseUrl?: string;
  readonly repeatable: boolean;
  readonly parameters: { readonly [place: string]: readonly JsonObject[] };
  readonly body?: JsonObject;
  readonly answers: readonly JsonObject[];
  readonly definitions: JsonObject;
  /** Names of schemas that are told without descriptions and what is deep in them, since there was no room. */
  readonly shortened?: readonly string[];
  /** Names of schemas that there was no room for. */
  readonly leftOut?: readonly string[];
  readonly provider?: JsonObject;
  readonly example: { readonly inputs: JsonObject; readonly step: JsonObject };
}

export interface ProviderListed {
  readonly command: string;
  readonly summary: string;
  readonly items: string;
  /** Fields of an item to take the value and the label from, best first. */
  readonly select: readonly string[];
  readonly required: readonly string[];
}

export interface ChoiceTold {
  readonly value: JsonObject[string];
  readonly label: string;
}

export interface ProviderValuesAnswer {
  readonly workflowId: string;
  readonly input: string;
  readonly command: string;
  readonly values: readonly ChoiceTold[];
  readonly total: number;
  readonly fetchedAt: string;
  readonly fromCache: boolean;
  /** Whether these are all that the provider has. */
  readonly complete: boolean;
  readonly stale?: string;
  readonly nextCursor?: string;
  readonly nextCall: NextCall;
}

export interface ProvidersAnswer {
  readonly providers: readonly ProviderListed[];
  readonly total: number;
  readonly nextCursor?: string;
  /** An input that takes its choices from the first. */
  readonly example?: JsonObject;
}
