import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import { runSchemas } from '../../../src/contract/tools/run-schemas.js';
import { catalogSchemas, commandSchemas } from '../../../src/contract/tools/catalog-schemas.js';
import { startBuilt } from '../../worlds/built-server.js';
import { openBuiltRequests } from '../../worlds/built-requests.js';
import { petDocument } from '../../worlds/pet-document.js';
import { call, makeRequestsWorld, textOf } from '../../worlds/requests-world.js';

const folder = mkdtempSync(join(tmpdir(), 'catalog-tools-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Offered {
  readonly name: string;
  readonly _meta?: JsonObject;
}

async function offered(...args: readonly string[]): Promise<readonly Offered[]> {
  mkdirSync(join(folder, 'home'), { recursive: true });
  const server = startBuilt('legacy', ['mcp', ...args], { folder });
  await server.initialize();
  const { result } = await server.ask('tools/list');
  server.child.stdin.end();
  await server.ended;
  return result?.['tools'] as readonly Offered[];
}

const sets = ['--toolsets', 'commands,catalogs'];
const ours = [...Object.keys(commandSchemas), ...Object.keys(runSchemas), ...Object.keys(catalogSchemas)];
const writers = [
  'configure_catalog',
  'import_openapi',
  'remove_catalog',
  'set_catalog_enabled',
  'run_workflow',
  'cancel_run',
  'settle_command',
  'purge_history',
];

describe('the tools of catalogs and commands', () => {
  it('are offered where they are asked for, each in 4,000 bytes', async () => {
    const [all, none] = await Promise.all([offered(...sets), offered()]);
    expect(none.filter(({ name }) => ours.includes(name))).toEqual([]);
    const added = all.filter(({ name }) => none.every((one) => one.name !== name));
    expect(added.map(({ name }) => name).toSorted()).toEqual(ours.toSorted());
    for (const tool of added) expect(Buffer.byteLength(JSON.stringify(tool)), tool.name).toBeLessThanOrEqual(4000);
  });

  it('are none that writes in a server that only reads', async () => {
    const names = (await offered(...sets, '--read-only')).map(({ name }) => name);
    expect(names.filter((name) => writers.includes(name))).toEqual([]);
    for (const name of ours.filter((one) => !writers.includes(one))) expect(names).toContain(name);
  });
});

/** What the seed names, in its words; ours are the same in ours. */
const seed: Readonly<Record<string, { readonly takes: string; readonly gives: string }>> = {
  validate_openapi: {
    takes: 'source source_type',
    gives: 'valid document_kind operation_count warnings violations',
  },
  preview_openapi: {
    takes: 'source source_type title vendor base_url include_command_preview',
    gives: 'catalog projected_command_count projected_group_prefixes provider_contract_count warnings command_preview',
  },
  import_openapi: {
    takes: 'source source_type title vendor base_url overwrite enabled',
    gives: 'catalog_id catalog_path manifest_path command_count provider_contract_count warnings',
  },
  set_catalog_enabled: { takes: 'catalog_id enabled', gives: 'catalog_id enabled command_count_after_toggle' },
  remove_catalog: {
    takes: 'catalog_id remove_manifest',
    gives: 'removed_catalog_id manifest_removed remaining_catalog_count',
  },
};
const camel = (name: string): string => name.replaceAll(/_([a-z])/gu, (_, letter: string) => letter.toUpperCase());
const split = (names: string): readonly string[] => names.split(' ').map(camel);

describe('every field that the seed names', () => {
  it.each(Object.entries(seed))('is taken by %s', (name, { takes }) => {
    expect(Object.keys(catalogSchemas[name as keyof typeof catalogSchemas].shape)).toEqual(
      expect.arrayContaining([...split(takes)]),
    );
  });

  it('is in the answers', async () => {
    const world = makeRequestsWorld({ seed: 3, openRequests: openBuiltRequests });
    try {
      const requests = world.open();
      writeFileSync(join(world.folder, 'workspace', 'pets.json'), JSON.stringify(petDocument));
      const source = { source: 'pets.json' };
      const imported = await call(requests, 'import_openapi', { ...source, catalogId: 'pets' });
      const disabled = await call(requests, 'set_catalog_enabled', { catalogId: 'pets', enabled: false });
      const confirm = textOf(disabled.answer['revision']);
      const answers = {
        validate_openapi: await call(requests, 'validate_openapi', source),
        preview_openapi: await call(requests, 'preview_openapi', { ...source, includeCommandPreview: true }),
        import_openapi: imported,
        set_catalog_enabled: disabled,
        remove_catalog: await call(requests, 'remove_catalog', { catalogId: 'pets', confirm }),
      };
      for (const [name, { answer }] of Object.entries(answers))
        for (const field of split(seed[name]!.gives)) expect(answer[field], `${name} ${field}`).toBeDefined();
    } finally {
      await world.close();
    }
  });
});
