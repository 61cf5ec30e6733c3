import { limits } from '../../base/limits.js';

/**
 * The id that a file means to have, where its syntax is broken and nothing but its text can tell: `workflow: team.name`, or
 * `"id": "name"` of the JSON format, at its top level. One pass over at most as much text as a workflow file may have.
 */
export function salvageId(text: string): string | undefined {
  const read = (text.startsWith('\uFEFF') ? text.slice(1) : text).slice(0, limits.workflowFile);
  const found = /^\s*\{/u.test(read) ? idsInBraces(read) : idsInLines(read);
  return found.workflow ?? found.id;
}

type Ids = { -readonly [key in 'workflow' | 'id']?: string };

/** What can name a workflow, the ids of older files included. */
const idForm = /^[A-Za-z0-9][\w.:/-]{0,199}$/u;

function take(ids: Ids, key: string, value: string): void {
  if ((key === 'workflow' || key === 'id') && idForm.test(value)) ids[key] ??= value;
}

/** Block style: a line of the top level is one that stands as far left as the first. */
function idsInLines(text: string): Ids {
  const ids: Ids = {};
  let top: string | undefined;
  for (const line of text.split('\n')) {
    if (/^\s*(?:#|$)|^(?:---|%)/u.test(line)) continue;
    const indent = /^\s*/u.exec(line)![0];
    top ??= indent;
    if (indent !== top) continue;
    const [, key, value] =
      /^\s*["']?(workflow|id)["']?\s*:\s+(?:"([^"]*)|'([^']*)|([^\s#"'][^\s,]*)\s*(?:#.*)?$)/u
        .exec(line)
        ?.filter((part) => part !== undefined) ?? [];
    if (key !== undefined && value !== undefined) take(ids, key, value);
  }
  return ids;
}

const token = /"((?:[^"\\\n]|\\.)*)"?|'([^'\n]*)'?|([{}[\]:,])|([^\s"'{}[\]:,]+)/gu;

/** Braces, as JSON has them and flow style too: what stands after a key at depth one. */
function idsInBraces(text: string): Ids {
  const ids: Ids = {};
  let depth = 0;
  let key: string | undefined;
  let named = false;
  for (const [, double, single, sign, plain] of text.matchAll(token)) {
    const word = double ?? single ?? plain;
    if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    if (word === undefined || depth !== 1) {
      named = depth === 1 && sign === ':' && key !== undefined;
      if (!named) key = undefined;
    } else if (named && key !== undefined) {
      take(ids, key, word);
      key = undefined;
      named = false;
    } else key = word;
  }
  return ids;
}
