import type { LineCounter, YAMLError } from 'yaml';
import { limits } from '../../base/limits.js';
import type { Violation } from './violation.js';

/**
 * What is wrong with the syntax of a file, with what to write instead. A parser that has lost its way tells much that only
 * follows from the first mistake, so of each line the first is told; and braces that YAML takes for its own are told alone.
 */
export function syntaxProblems(text: string, lines: LineCounter, problems: readonly YAMLError[]): readonly Violation[] {
  const seen = new Set<number>();
  const firsts = problems
    .toSorted((a, b) => a.pos[0] - b.pos[0])
    .filter(({ pos }) => {
      const { line } = lines.linePos(Math.max(0, pos[0]));
      if (seen.has(line)) return false;
      seen.add(line);
      return true;
    });
  const [first] = firsts;
  const place = first && lines.linePos(Math.max(0, first.pos[0]));
  const braces = place && unquotedBraces(lineAt(text, lines, place.line), place.line);
  if (braces !== undefined && braces.length > 0) return braces;
  const found = firsts.slice(0, limits.violations).map((error) => {
    const { line, col } = lines.linePos(Math.max(0, error.pos[0]));
    return syntaxProblem(error, lineAt(text, lines, line), line, col);
  });
  // Once a value in flow style has led the parser astray, the rest is about its confusion.
  const astray = found.findIndex(({ rule }) => rule === 'flow');
  return astray < 0
    ? found
    : found
        .slice(0, astray + 1)
        .concat(found.slice(astray + 1).filter(({ rule }) => rule === 'flow'))
        .map((one) => ({ ...one, rule: 'yaml' }));
}

function syntaxProblem(error: YAMLError, text: string, line: number, column: number): Violation {
  const said = error.message.split('\n')[0]!;
  const base = { severity: 'error', rule: 'yaml', pointer: '', line, column } as const;
  if (error.code === 'RESOURCE_EXHAUSTION')
    return { ...base, rule: 'depth', message: 'the file is nested too deeply here: move inner parts into routines' };
  if (error.code === 'MULTIPLE_DOCS')
    return {
      ...base,
      message:
        'a second document starts here: a file has one workflow and no `---`; put the other one into a separate file',
    };
  const value = inFlow(text);
  if (value !== undefined && error.code !== 'TAG_RESOLVE_FAILED')
    return { ...base, rule: 'flow', column: value.column, message: value.message, expected: value.right };
  const tagged =
    error.code === 'TAG_RESOLVE_FAILED'
      ? /(?:^|\s)(?<key>[A-Za-z]+):\s+(?<text>![^'"]*?)\s*$/u.exec(text)?.groups
      : undefined;
  if (tagged)
    return {
      ...base,
      message: `a value that begins with \`!\` must be in quotes: write \`${tagged['key']!}: '${tagged['text']!}'\``,
      expected: `'${tagged['text']!}'`,
    };
  const remedy = remedyFor(error, text);
  return { ...base, message: remedy === undefined ? said : `${said}: ${remedy}` };
}

function lineAt(text: string, lines: LineCounter, line: number): string {
  const end = lines.lineStarts[line] ?? text.length;
  return text.slice(lines.lineStarts[line - 1] ?? 0, end).replace(/\r?\n$/u, '');
}

const quoted = /(?<=^|[\s,[{:])(?:"(?:[^"\\]|\\.)*"|'[^']*')/gu;

const bracesIn = /\$?\{\{[^{}]*\}\}/gu;
const beforeValue = /^\s*(?:- +)*|[[{,]\s*|:\s+/gu;

/** Text with `${{` or `{{` in it that YAML reads as an object, on the line of the first problem. */
function unquotedBraces(line: string, number: number): readonly Violation[] {
  if (line.length > limits.promptWarning) return [];
  const masked = line.replaceAll(quoted, (text) => '"'.repeat(text.length));
  const inText = masked.replaceAll(bracesIn, (text) => 'x'.repeat(text.length));
  const starts = new Set<number>();
  return [...masked.matchAll(bracesIn)].flatMap(({ 0: braces, index }): readonly Violation[] => {
    if (braces.includes('"')) return [];
    const start = [...inText.slice(0, index).matchAll(beforeValue)].reduce(
      (_, before) => before.index + before[0].length,
      0,
    );
    if (starts.has(start)) return [];
    starts.add(start);
    const after = index + braces.length;
    const flow = /[[{]/u.test(inText.slice(0, start)) || /[,\]}]\s*$/u.test(inText.slice(after));
    const value = line
      .slice(start, flow ? after + /^[^,\]}"[{]*/u.exec(inText.slice(after))![0].length : undefined)
      .trimEnd();
    const right = JSON.stringify(braces.startsWith('$') ? value : value.replaceAll(/(?<!\$)\{\{/gu, '${{'));
    const message = braces.startsWith('$')
      ? `in flow style (between \`{ }\` or \`[ ]\`) text with a hole must be quoted: write \`${right}\`, or put the value on its own line`
      : `text that begins with \`{{\` must be quoted, and a hole is written with a \`$\`: write \`${right}\``;
    const place = { pointer: '', line: number, column: start + 1 };
    return [{ severity: 'error', rule: 'yaml', ...place, expected: right, actual: value, message }];
  });
}

const colonText = 'text with `: ` in it must be in quotes, or under `|` on its own lines';
const signText = 'text that begins with this sign must be in quotes';

/** In flow style a value with brackets, such as the list of an `in`, has to be quoted as a whole. */
function inFlow(
  line: string,
): { readonly message: string; readonly right: string; readonly column: number } | undefined {
  const masked = line.replaceAll(quoted, (text) => '"'.repeat(text.length));
  const found =
    /(?<before>[{,]\s*)(?<key>[A-Za-z]+):\s+(?<value>[^\s"'[{,][^,[{}\]]*(?:\[[^\]]*\]|\{[^}]*\})[^,}\]]*)/u.exec(
      masked,
    );
  if (!found?.groups) return undefined;
  const at = found.index + found[0].length - found.groups['value']!.length;
  const value = line.slice(at, found.index + found[0].length).trimEnd();
  const right = value.includes("'") ? JSON.stringify(value) : `'${value}'`;
  return {
    message: `in flow style (between \`{ }\`) a value with brackets must be quoted: write \`${found.groups['key']!}: ${right}\`, or put it on its own line`,
    right,
    column: at + 1,
  };
}

/** What an author of a workflow most likely meant, and what to write then. */
const remedies: { readonly [code in YAMLError['code']]?: string } = {
  BLOCK_AS_IMPLICIT_KEY: colonText,
  BLOCK_IN_FLOW: colonText,
  BAD_SCALAR_START: signText,
  TAG_RESOLVE_FAILED: signText,
  BAD_ALIAS: signText,
  NON_STRING_KEY: 'text that begins with `{` or `[` must be in quotes',
  TAB_AS_INDENT: 'indent with spaces',
  BAD_INDENT: 'lines that belong together stand equally far right',
  MULTILINE_IMPLICIT_KEY: 'a key and its `:` stand on one line; text over several lines goes under `|`',
};

function remedyFor({ code, message }: YAMLError, line: string): string | undefined {
  if (code === 'MISSING_CHAR' && message.includes('quote'))
    return 'a text that is opened with a quote ends with the same one';
  if (code === 'MISSING_CHAR' && message.includes('without -'))
    return 'this line must stand as far right as the keys it belongs to';
  if (message.startsWith('Block scalar header')) return 'the text begins on the line below';
  if (code === 'UNEXPECTED_TOKEN' && /^\s*(?:- +)*[^\s"'#:][^"'#:]*:\s+["'*&[{]/u.test(line))
    return 'text that begins with a quote, `*`, `&`, `[` or `{` must be in quotes as a whole';
  return remedies[code];
}
