import { isJsonObject, type JsonValue } from './json-value.js';
import { own } from './own.js';

/** The program that makes a call for an agent, as it names itself. It proves nothing: it is shown to people and decides nothing. */
export interface AgentName {
  readonly name: string;
  readonly version?: string;
}

const longest = 80;

/** Of whatever a program, or a file that anybody may have written, says of itself. Undefined where it says no name. */
export function readAgentName(said: unknown): AgentName | undefined {
  if (!isJsonObject(said)) return undefined;
  const [name, version] = [plain(own(said, 'name')), plain(own(said, 'version'))];
  if (name === '') return undefined;
  return { name, ...(version !== '' && { version }) };
}

/** On one line, with nothing in it that steers a terminal, turns the text around it or hides. */
function plain(value: JsonValue | undefined): string {
  if (typeof value !== 'string') return '';
  const visible = value
    .slice(0, longest * 4)
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return [...visible].slice(0, longest).join('').trim();
}

export const agentWords = ({ name, version }: AgentName): string =>
  version === undefined ? name : `${name} ${version}`;
