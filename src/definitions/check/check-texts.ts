import { byteLength } from '../../base/byte-budget.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { renderBlocks } from '../expand/prompt-blocks.js';
import type { SourcePath } from '../source/source-path.js';
import type { StepOutline } from '../source/source-outline.js';
import { type Finding, finding, replacing, warning } from '../source/finding.js';
import { listOf, type PlacedText } from './source-uses.js';
import { templateExpressions, unclosedHole } from '../expression/template.js';
import { blockFields, type PromptBlocks } from '../source/workflow-format.js';

/** `meant` tells the expression that a bare name was meant for, where that is certain. */
export function checkTexts(
  step: StepOutline,
  texts: readonly PlacedText[],
  meant: (name: string) => string | undefined,
): readonly Finding[] {
  return [...texts.flatMap(({ path, text }) => checkHoles(path, text, meant)), ...checkPromptSize(step)];
}

const mustache = /(?<!\$)\{\{\s*([A-Za-z_][\w.[\]'"]*)\s*\}\}/gu;

function checkHoles(path: SourcePath, text: string, meant: (name: string) => string | undefined): readonly Finding[] {
  const found: Finding[] = [];
  if (!text.includes('{{')) return found;
  const open = unclosedHole(text);
  if (open !== undefined) {
    const message = 'this `${{` is never closed with `}}`';
    found.push(finding(path, 'template', message, { of: { text: text.slice(open, open + 20).split('\n')[0]! } }));
  }
  // A hole may print braces itself: ${{ "{{ name }}" }}
  const holes = templateExpressions(text);
  const wrong = [...text.matchAll(mustache)].filter(([whole]) => !holes.some(({ source }) => source.includes(whole)));
  wrong.forEach(([whole, inside], at) => {
    const expected = `\${{ ${meant(inside!) ?? inside!} }}`;
    // One patch mends the whole text, so that two of them do not undo each other.
    const mended =
      at === 0 && wrong.every(([, name]) => meant(name!) !== undefined)
        ? text.replaceAll(mustache, (same, name: string) =>
            wrong.some(([one]) => one === same) ? `\${{ ${meant(name)!} }}` : same,
          )
        : undefined;
    found.push(
      finding(path, 'template', `\`${whole}\` is printed as it stands; a hole is written \`${expected}\``, {
        of: { text: whole },
        expected,
        actual: whole,
        patch: replacing(path, mended),
      }),
    );
  });
  return found;
}

function checkPromptSize({ source, path }: StepOutline): readonly Finding[] {
  const prompt = source['prompt'];
  const text = typeof prompt === 'string' ? prompt : isJsonObject(prompt) ? renderBlocks(wellFormed(prompt)) : '';
  const at = [...path, 'prompt'];
  const bytes = byteLength(text);
  if (bytes > limits.prompt)
    return [finding(at, 'limit', `the prompt has ${bytes} bytes; at most ${limits.prompt} are allowed`)];
  if (bytes > limits.promptWarning) {
    const message = `the prompt has ${bytes} bytes; an agent follows one under ${limits.promptWarning} better: split the step, or name what it should read under \`references\``;
    return [warning(at, 'long_prompt', message)];
  }
  return [];
}

function wellFormed(prompt: JsonObject): PromptBlocks {
  const blocks: { -readonly [field in keyof PromptBlocks]: PromptBlocks[field] } = {};
  for (const field of blockFields) {
    const block = prompt[field];
    const lines = listOf(block).filter((line) => typeof line === 'string');
    if (typeof block === 'string') blocks[field] = block;
    else if (lines.length > 0) blocks[field] = lines;
  }
  return blocks;
}

/** Texts that are shown as they stand: a hole in one was meant to be filled. */
export function checkPlainTexts(source: JsonObject, ofSteps: readonly PlacedText[]): readonly Finding[] {
  const fields = ['description', 'preconditions', 'clarify', ...(source['kind'] === 'routine' ? [] : ['guidance'])];
  const texts = [...fields.flatMap((field) => textsAt(source[field], [field])), ...ofSteps];
  return texts.flatMap(({ path, text }): readonly Finding[] => {
    if (!text.includes('{{')) return [];
    const [braces] = [
      ...templateExpressions(text).map(({ source: hole }) => `\${{ ${hole} }}`),
      ...[...text.matchAll(mustache)].map(([whole]) => whole),
    ];
    if (braces === undefined) return [];
    const field = path.findLast((step) => typeof step === 'string') ?? '';
    const message = `\`${String(field)}\` is shown unchanged, including \`${braces}\`; holes are filled only in titles, roles, prompts and guidance of steps`;
    return [warning(path, 'template', message, { of: { text: braces }, actual: braces })];
  });
}

function textsAt(value: JsonValue | undefined, path: SourcePath): readonly PlacedText[] {
  if (typeof value === 'string') return value.length <= limits.prompt ? [{ path, text: value }] : [];
  return listOf(value).flatMap((line, at) => (typeof line === 'string' ? [{ path: [...path, at], text: line }] : []));
}
