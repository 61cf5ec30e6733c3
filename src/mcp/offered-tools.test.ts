import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { byteLength } from '../base/byte-budget.js';
import { toolCatalogue } from '../contract/tool-catalogue.js';
import { chooseTools } from './choose-tools.js';
import { offeredTools } from './offered-tools.js';

const fixtures = fileURLToPath(new URL('../../fixtures/tool-schemas/', import.meta.url));
/** WORKRAIL_UPDATE_FIXTURES=1 writes the snapshots anew; look at the difference before it is committed. */
const update = process.env['WORKRAIL_UPDATE_FIXTURES'] === '1';
const all = new Set(toolCatalogue.map(({ name }) => name));

function chosen(enable: readonly string[] = []) {
  const choice = chooseTools([{ enableName: '--enable', disableName: '--disable', enable, disable: [] }]);
  if (!choice.ok) throw new Error(choice.error);
  return choice.value;
}

/** What is published by default; what is published only with a flag, as it is then. */
const byDefault = offeredTools(chosen(), false);
const published = [
  ...byDefault,
  ...offeredTools(all, false).filter(({ name }) => !byDefault.some((tool) => tool.name === name)),
].map((tool) => tool.published);

describe('the published tools', () => {
  it.each(published)('$name is what its snapshot says', (tool) => {
    const file = `${fixtures}${tool.name}.json`;
    const text = `${JSON.stringify(tool, null, 2)}\n`;
    if (update) writeFileSync(file, text);
    expect(existsSync(file), `${file} is missing; WORKRAIL_UPDATE_FIXTURES=1 writes it`).toBe(true);
    expect(text).toBe(readFileSync(file, 'utf8'));
  });

  it('have a snapshot each, and there is none besides', () => {
    expect(readdirSync(fixtures).sort()).toEqual(toolCatalogue.map(({ name }) => `${name}.json`).sort());
  });

  it('stay small: the default set in 12 KB, a schema in 4,000 bytes, a description in 1,200 characters', () => {
    expect(byteLength(JSON.stringify({ tools: byDefault.map((tool) => tool.published) }))).toBeLessThanOrEqual(
      12 * 1024,
    );
    for (const { name, inputSchema, description } of offeredTools(all, true).map((tool) => tool.published)) {
      expect(byteLength(JSON.stringify(inputSchema)), name).toBeLessThanOrEqual(4000);
      expect(description.length, name).toBeLessThanOrEqual(1200);
    }
  });

  it('are schemas that every client reads: an object at the root, strict, no $schema, no $ref, unions only inside', () => {
    for (const { name, inputSchema } of offeredTools(all, true).map((tool) => tool.published)) {
      expect(inputSchema.type, name).toBe('object');
      expect(inputSchema['additionalProperties'], name).toBe(false);
      expect(Object.keys(inputSchema), name).not.toEqual(expect.arrayContaining(['anyOf']));
      expect(JSON.stringify(inputSchema), name).not.toMatch(/\$(schema|ref|defs)|"(oneOf|allOf)"/u);
    }
  });

  it('carry a title and all four annotations', () => {
    for (const { name, title, annotations } of published) {
      expect(title, name).not.toBe('');
      expect(Object.keys(annotations).sort(), name).toEqual([
        'destructiveHint',
        'idempotentHint',
        'openWorldHint',
        'readOnlyHint',
      ]);
    }
  });

  it('have names that every client takes', () => {
    for (const { name } of offeredTools(all, true)) expect(name).toMatch(/^[a-z][a-z0-9_]{2,39}$/u);
  });
});

describe('a checkpoint', () => {
  const schemaOf = (names: ReturnType<typeof chosen>) =>
    offeredTools(names, false).find(({ name }) => name === 'checkpoint_workflow')?.published.inputSchema;

  it('takes a stateToken alone while sessions without a workflow are not offered', () => {
    expect(schemaOf(chosen())).toMatchObject({ required: ['stateToken', 'output'] });
    expect(schemaOf(chosen())?.['properties']).not.toHaveProperty('sessionToken');
  });

  it('takes either token once they are', () => {
    expect(schemaOf(chosen(['start_session']))).toMatchObject({ required: ['output'] });
    expect(schemaOf(chosen(['start_session']))?.['properties']).toHaveProperty('sessionToken');
  });
});

describe('the names of the first contract', () => {
  it('follow the others, ask for the same requests, and take notes at the top level', () => {
    const legacy = offeredTools(chosen(), true).filter((tool) => tool.legacy);
    expect(legacy.map(({ name, request }) => `${name} ${request}`)).toEqual([
      'workflow_list list_workflows',
      'workflow_inspect inspect_workflow',
      'workflow_start start_workflow',
      'workflow_advance continue_workflow',
      'workflow_checkpoint checkpoint_workflow',
    ]);
    expect(legacy[4]?.published.inputSchema).toMatchObject({
      required: ['stateToken'],
      properties: { notesMarkdown: { type: 'string' } },
    });
    expect(legacy[3]?.published.inputSchema['properties']).toHaveProperty('notesMarkdown');
    expect(legacy[2]?.published.inputSchema['properties']).not.toHaveProperty('notesMarkdown');
  });

  it('go with the tool they stand for', () => {
    const without = chooseTools([
      { enableName: '--enable', disableName: '--disable', enable: [], disable: ['checkpoint_workflow'] },
    ]);
    if (!without.ok) throw new Error(without.error);
    expect(offeredTools(without.value, true).map(({ name }) => name)).not.toContain('workflow_checkpoint');
  });
});
