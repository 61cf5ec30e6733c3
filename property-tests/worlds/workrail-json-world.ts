import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../../src/base/json-value.js';
import type { Compilation } from '../../src/definitions/expand/compilation.js';
import type { CompiledWorkflow, PromptStep } from '../../src/definitions/compiled/compiled-workflow.js';
import { promptsIn } from '../../src/definitions/compiled/visit-steps.js';
import { parseSource, type SourceDocument } from '../../src/definitions/source/source-document.js';
import { compileWorkrailJson } from '../../src/definitions/workrail-json/workrail-json.js';
import type { FindRoutine } from '../../src/definitions/workrail-json/workrail-surroundings.js';

const folder = fileURLToPath(new URL('../../fixtures/workrail-json/', import.meta.url));
export const files = readdirSync(folder).filter((name) => name.endsWith('.json'));

export function parsed(text: string, file = 'x.json'): SourceDocument {
  const document = parseSource(text, file);
  if (!document.ok) throw new Error(JSON.stringify(document.error));
  return document.value;
}
export const documents = new Map(files.map((file) => [file, parsed(readFileSync(folder + file, 'utf8'), file)]));
export const objectOf = (document: SourceDocument): JsonObject => document.value as JsonObject;
export const routines: FindRoutine = (id) => {
  const document = [...documents.values()].find((one) => objectOf(one)['id'] === id);
  return document && { source: () => document.value };
};

export function compiled(source: string | JsonObject, find = routines): Compilation {
  const text = typeof source === 'string' ? JSON.stringify(documents.get(source)!.value) : JSON.stringify(source);
  return compileWorkrailJson(parsed(text), typeof source === 'string' ? source : 'x.json', find);
}
export function workflowOf(source: string | JsonObject, find = routines): CompiledWorkflow {
  const compilation = compiled(source, find);
  if (!compilation.ok) throw new Error(JSON.stringify(compilation.violations, null, 1));
  return compilation.workflow;
}
export const promptsOf = (source: string | JsonObject): ReadonlyMap<string, PromptStep> =>
  new Map(promptsIn(workflowOf(source).steps).map((step) => [step.id, step]));
export const around = (step: JsonObject, more: JsonObject = {}): JsonObject => ({
  id: 'wr.x',
  name: 'X',
  description: 'Use this.',
  version: '1.0.0',
  steps: [{ id: 'one', title: 'One', prompt: 'Go.', ...step }],
  ...more,
});
export const first = (step: JsonObject, more: JsonObject = {}, find = routines): PromptStep =>
  promptsIn(workflowOf(around(step, more), find).steps)[0]!;
