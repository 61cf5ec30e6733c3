import type { JsonValue } from '../../base/json-value.js';
import { shownJson } from '../../base/canonical-json.js';
import { sha256Hex } from '../../base/digest.js';
import { byteLength, cutToBytes } from '../../base/byte-budget.js';
import { commandKey } from '../../definitions/compiled/command-lookup.js';
import type { CompiledWorkflow } from '../../definitions/compiled/compiled-workflow.js';
import { isReading } from '../../definitions/compiled/operation-shape.js';
import { everyStep } from '../../definitions/compiled/visit-steps.js';
import { own } from '../../base/own.js';
import type { CommandToSend } from './command-at.js';
import { type SentFile, workspaceNames } from './sent-files.js';

const shownBytes = 4000;

/** The request as people agree to it: secrets by their names, and everything else as it is sent. */
export function tellRequest(
  { step, operation, files, named: { with: given, body } }: CommandToSend,
  address: string | undefined,
): string {
  const lines = [
    `${operation.method} ${operation.path}${address === undefined ? '' : ` at ${address}`} (${commandKey(step)})`,
    ...Object.entries(given).map(([name, value]) => `- ${name}: ${shownValue(value)}`),
  ];
  if (body === undefined) return lines.join('\n');
  const told = files.length === 0 ? [] : ['', 'Files:', ...files.map((file) => tellFile(file, workspaceNames(body)))];
  return [...lines, ...tellBody(body), ...told].join('\n');
}

/** A name that holds a secret is not told. */
const tellFile = ({ file, sha256, bytes = 0 }: SentFile, told: readonly string[]): string =>
  `- ${told.includes(file) ? file : 'a file'}: ${sha256 === undefined ? 'cannot be read' : `${bytes} bytes, sha256 ${sha256}`}`;

const shownValue = (value: JsonValue): string => (typeof value === 'string' ? value : shownJson(value));

function tellBody(body: JsonValue): readonly string[] {
  const text = bodyText(body);
  const shown = cutToBytes(text, shownBytes);
  const fence = text.includes('```') ? '~~~~' : '```';
  return ['', shown === text ? 'Body:' : longWords(text, shown), fence, shown, fence];
}

const bodyText = (body: JsonValue): string => (typeof body === 'string' ? body : JSON.stringify(body, undefined, 2));

/** What is agreed to is the whole body: another one has another digest. It stands before the body, whose end may not be shown. */
function longWords(text: string, shown: string): string {
  const digest = sha256Hex(text);
  return `Body: the first ${byteLength(shown)} of ${byteLength(text)} bytes, SHA-256 ${digest}. All of it is in ${keptAt}/${digest} of the data folder, on this machine, for 30 days.`;
}

const keptAt = 'local/running/blobs';

/** A body that is too long to be shown, as it is kept to be read. */
export function longBody({ named: { body } }: CommandToSend): string | undefined {
  const text = body === undefined ? '' : bodyText(body);
  return byteLength(text) > shownBytes ? text : undefined;
}

export interface PlannedWrite {
  readonly path: string;
  readonly command: string;
  readonly says: string;
}

/** What a run may send that changes something outside, step by step. */
export const plannedWrites = (
  workflow: CompiledWorkflow,
  addressOf: (catalog: string) => string | undefined,
): readonly PlannedWrite[] =>
  [...everyStep(workflow.steps)].flatMap(({ step, around }): readonly PlannedWrite[] => {
    if (step.kind !== 'run') return [];
    const command = commandKey(step);
    const operation = own(workflow.operations ?? {}, command);
    if (isReading(step.command, operation) === true) return [];
    const path = [...around.map(({ id }) => id), step.id].join('/');
    const address = operation?.baseUrl ?? addressOf(step.catalog);
    const request = operation === undefined ? step.command : `${operation.method} ${operation.path}`;
    return [
      { path, command, says: `${path}: ${request}${address === undefined ? '' : ` at ${address}`} (${command})` },
    ];
  });
