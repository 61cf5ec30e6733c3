import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import { type CommandLookup, commandKey, commandParts } from '../compiled/command-lookup.js';
import { expressionTree } from '../expression/expression-tree.js';
import { answerSchemas } from './answer-schemas.js';
import { answerType } from './answer-type.js';
import { anyType, elementOf, inferType } from './infer-type.js';
import type { KnownType } from './known-type.js';

type Types = { readonly [name: string]: KnownType };

/** What the names of an answer stand for in expressions of a step or a provider that has `run`. */
export interface AnswerNames {
  /** `status`, `headers` and `body`, as each request is answered. */
  readonly answer: Types;
  /** `item` and `i`, of what pages or choices consist of. */
  readonly item: Types;
  /** Where the list of these stands, or is taken to stand. */
  readonly list: KnownType;
  /** What later steps read as the body. */
  readonly left: KnownType;
}

/** A place with `run`, of a file or compiled. */
export interface Asking {
  readonly command: { readonly catalog: string; readonly command: string } | undefined;
  readonly expect?: JsonValue | undefined;
  readonly mayFail: boolean;
  readonly keep?: JsonValue | undefined;
  /** Of pages, or of a provider: where the list stands in the answer. */
  readonly items?: string | undefined;
  readonly isList: boolean;
}

/** What is known of answers before anything is asked. */
export class CommandAnswers {
  private readonly bodies = new Map<string, KnownType>();

  constructor(private readonly commands: CommandLookup | undefined) {}

  of(asking: Asking): AnswerNames {
    const answer = { ...plain, body: this.body(asking) };
    const list = asking.isList ? typeOf(asking.items ?? 'body', answer) : anyType;
    const item = { item: elementOf(list), i: { type: 'number' } as const };
    const kept = isJsonObject(asking.keep ?? null)
      ? keptType(asking.keep as JsonObject, asking.isList ? item : answer)
      : undefined;
    const left: KnownType = asking.isList ? { type: 'array', items: kept ?? item.item } : (kept ?? answer.body);
    return { answer, item, list, left };
  }

  private body({ command, expect, mayFail }: Asking): KnownType {
    if (command === undefined || this.commands?.answers === undefined) return anyType;
    const key = `${commandKey(command)} ${String(mayFail)} ${JSON.stringify(expect)}`;
    const known = this.bodies.get(key);
    if (known !== undefined) return known;
    const found = this.commands.answers(command.catalog, command.command);
    const schemas = found && answerSchemas(found, expect, mayFail);
    const body = schemas === undefined ? anyType : answerType(schemas, found!.definitions);
    this.bodies.set(key, body);
    return body;
  }
}

const plain = { status: { type: 'number' }, headers: { type: 'object' } } as const;

/** As a file has it. */
export function askingIn(source: JsonObject): Asking {
  const { run, expect, keep, paginate = null, on_error: onError } = source;
  const pages = isJsonObject(paginate) ? paginate : undefined;
  const items = pages && own(pages, 'items');
  return {
    command: typeof run === 'string' ? commandParts(run) : undefined,
    expect,
    mayFail: onError === 'continue',
    keep,
    items: typeof items === 'string' ? items : undefined,
    isList: pages !== undefined,
  };
}

/** A provider of an input. */
export function askingForChoices({ run, items }: JsonObject): Asking {
  return {
    command: typeof run === 'string' ? commandParts(run) : undefined,
    mayFail: false,
    items: typeof items === 'string' ? items : undefined,
    isList: true,
  };
}

const keptType = (keep: JsonObject, names: Types): KnownType => ({
  type: 'object',
  members: Object.fromEntries(
    Object.entries(keep).map(([name, source]) => [name, typeof source === 'string' ? typeOf(source, names) : anyType]),
  ),
});

/** What is wrong with the expression is told where it stands. */
function typeOf(source: string, variables: Types): KnownType {
  const tree = expressionTree(source);
  if (!tree.ok) return anyType;
  const { type, items, answer } = inferType(tree.value, { inputs: {}, context: {}, variables }, () => undefined);
  return {
    type: answer === undefined && items === undefined ? 'any' : type,
    ...(items && { items }),
    ...(answer && { answer }),
  };
}
