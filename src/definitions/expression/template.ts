import { asJson, asText } from './expression-values.js';
import { evaluate, type Scope } from './expression.js';
import { printHole } from './print-read.js';
import { valueLines } from './value-lines.js';

export interface TemplateExpression {
  readonly source: string;
  /** Where its hole opens in the text, and where it has ended. */
  readonly offset: number;
  readonly end: number;
}

/** Where a `${{` stands that nothing closes. */
export function unclosedHole(text: string): number | undefined {
  const after = templateExpressions(text).at(-1)?.end ?? 0;
  const open = text.indexOf(opening, after);
  return open < 0 ? undefined : open;
}

/** The text as its author's words and the expressions between them, in order; no word is empty. */
export function templateParts(text: string): readonly ({ readonly text: string } | { readonly source: string })[] {
  const parts: ({ readonly text: string } | { readonly source: string })[] = [];
  let done = 0;
  for (const { source, offset, end } of templateExpressions(text)) {
    if (offset > done) parts.push({ text: text.slice(done, offset) });
    parts.push({ source });
    done = end;
  }
  if (done < text.length) parts.push({ text: text.slice(done) });
  return parts;
}

/** A text that is printed as it stands, whatever is in it. */
export function asTemplate(text: string): string {
  return text.replaceAll(opening, `${opening} "${opening}" }}`);
}

export interface RenderedTemplate {
  readonly text: string;
  readonly problems: readonly { readonly expression: string; readonly message: string }[];
}

/** What stands in the place of a value, where anything does. */
export type Instead = (source: string, text: string) => string | undefined;

/**
 * Fills the holes with plain text. A hole without a value says so in its place, and is reported. In a text of several
 * lines a list may take lines of its own.
 */
export function renderTemplate(
  text: string,
  scope: Scope,
  kind: 'line' | 'lines' = 'line',
  instead: Instead = () => undefined,
): RenderedTemplate {
  const problems: { expression: string; message: string }[] = [];
  let rendered = '';
  let done = 0;
  for (const hole of templateExpressions(text)) {
    const result = evaluate(hole.source, scope);
    rendered += text.slice(done, hole.offset);
    const other = result.ok ? instead(hole.source, asText(result.value)) : undefined;
    const lines =
      kind === 'lines' && result.ok
        ? valueLines(asJson(result.value), text.slice(0, hole.offset), text.slice(hole.end))
        : undefined;
    if (other !== undefined) rendered += other;
    else if (lines !== undefined) rendered = lines.startsWith('\n') ? rendered.trimEnd() + lines : rendered + lines;
    else if (result.ok) rendered += asText(result.value);
    else {
      const expression = printHole(hole.source);
      problems.push({ expression, message: result.message });
      rendered +=
        result.missing === undefined
          ? `(${expression} has no value: ${result.message})`
          : `(${result.missing} is not set)`;
    }
    done = hole.end;
  }
  return { text: rendered + text.slice(done), problems };
}

const opening = '${{';

/** The `${{ … }}` holes of a text. A hole that is never closed is plain text; `unclosedHole` finds it. */
export function templateExpressions(text: string): readonly TemplateExpression[] {
  const holes: TemplateExpression[] = [];
  for (let open = text.indexOf(opening); open >= 0;) {
    const close = closingOf(text, open + opening.length);
    // What follows an unclosed hole cannot be told from its expression.
    if (close === undefined) break;
    holes.push({ source: text.slice(open + opening.length, close).trim(), offset: open, end: close + 2 });
    open = text.indexOf(opening, close + 2);
  }
  return holes;
}

/** The place of the `}}` that ends an expression: not one inside a text literal or one that closes object literals. */
function closingOf(text: string, from: number): number | undefined {
  let braces = 0;
  for (let at = from; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === '"' || letter === "'") {
      const end = endOfLiteral(text, at);
      if (end === undefined) return undefined;
      at = end - 1;
    } else if (letter === '{') braces += 1;
    else if (letter === '}' && braces > 0) braces -= 1;
    else if (letter === '}' && text[at + 1] === '}') return at;
  }
  return undefined;
}

function endOfLiteral(text: string, at: number): number | undefined {
  const quote = text[at]!;
  const delimiter = text.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
  for (let next = at + delimiter.length; next < text.length; next += 1) {
    if (text[next] === '\\') next += 1;
    else if (text[next] === '\n' && delimiter.length === 1) return undefined;
    else if (text.startsWith(delimiter, next)) return next + delimiter.length;
  }
  return undefined;
}
