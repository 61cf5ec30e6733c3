import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ConfigPlace, readEntry, withEntry, withoutEntry } from './edit-client-config.js';

const json: ConfigPlace = { format: 'json', at: 'mcpServers', name: 'workrail' };
const toml: ConfigPlace = { format: 'toml', at: 'mcp_servers', name: 'workrail' };
const entry = { command: 'npx', args: ['-y', 'workrail', 'mcp'] };

const valueOf = (result: ReturnType<typeof withEntry>): string => (result.ok ? result.value : `error: ${result.error}`);

const without = <V>(object: Readonly<Record<string, V>>, key: string): Record<string, V> =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));

describe('a JSON configuration', () => {
  it('is made where there is none, and is empty again after undo', () => {
    const made = valueOf(withEntry('', json, entry));
    expect(JSON.parse(made)).toEqual({ mcpServers: { workrail: entry } });
    expect(JSON.parse(valueOf(withoutEntry(made, json)))).toEqual({});
  });

  it('keeps comments, trailing commas, order and indentation', () => {
    const before =
      '// mine\n{\n\t"theme": "dark", // nice\n\t"mcpServers": {\n\t\t"other": { "command": "x" },\n\t},\n}\n';
    const after = valueOf(withEntry(before, json, entry));
    for (const kept of [/^\/\/ mine\n/u, /"theme": "dark", \/\/ nice\n/u, /"other": \{\s*"command": "x"\s*\}/u])
      expect(after).toMatch(kept);
    expect(after).toContain('\n\t\t"workrail": {');
    expect(readEntry(after, json)).toEqual({ ok: true, value: entry });
    expect(valueOf(withoutEntry(after, json))).toMatch(/"other": \{\s*"command": "x"\s*\}/u);
    expect(readEntry(valueOf(withoutEntry(after, json)), json)).toEqual({ ok: true, value: undefined });
  });

  it.each([
    ['{ "a": ', 'not valid JSON'],
    ['[1]', 'not a JSON object'],
    ['{"mcpServers": 3}', 'not a table of servers'],
  ])('that is not one is left alone: %s', (text, said) => {
    expect(withEntry(text, json, entry)).toMatchObject({ ok: false, error: expect.stringContaining(said) as unknown });
  });

  it('gets the entry and loses it again, whatever else stands in it', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.option(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 })),
        fc.constantFrom(0, 1, 2, 4, '\t'),
        (others, servers, indent) => {
          const rest = without(others, 'mcpServers');
          const kept = without(servers ?? {}, 'workrail');
          const value = { ...rest, ...(Object.keys(kept).length > 0 && { mcpServers: kept }) };
          const text = JSON.stringify(value, undefined, indent);
          const after = valueOf(withEntry(text, json, entry));
          expect(JSON.parse(after)).toEqual({
            ...JSON.parse(text),
            mcpServers: { ...(JSON.parse(text) as typeof value).mcpServers, workrail: entry },
          });
          expect(valueOf(withEntry(after, json, entry))).toBe(after);
          expect(JSON.parse(valueOf(withoutEntry(after, json)))).toEqual(JSON.parse(text));
        },
      ),
      { examples: [[{}, { '': { ['__proto__']: {} } }, 0]] },
    );
  });
});

describe('a TOML configuration', () => {
  const before = '# mine\nmodel = "x"\n\n[mcp_servers.other]\ncommand = "y"\n\n[tui]\ntheme = "dark"\n';

  it('gets a table at its end and loses it again, byte for byte', () => {
    const after = valueOf(withEntry(before, toml, entry));
    expect(after).toBe(`${before}\n[mcp_servers.workrail]\ncommand = "npx"\nargs = [ "-y", "workrail", "mcp" ]\n`);
    expect(valueOf(withoutEntry(after, toml))).toBe(before);
  });

  it('loses sub-tables of the entry, and nothing of others', () => {
    const text =
      '[mcp_servers.workrail]\ncommand = "old"\n[mcp_servers.workrail.env]\nA = "1"\n[mcp_servers.workrails]\ncommand = "z"\n';
    expect(valueOf(withoutEntry(text, toml))).toBe('[mcp_servers.workrails]\ncommand = "z"\n');
    expect(readEntry(valueOf(withEntry(text, toml, entry)), toml)).toEqual({ ok: true, value: entry });
  });

  it('whose servers are written inline is left alone', () => {
    expect(withEntry('mcp_servers = { other = { command = "y" } }\n', toml, entry)).toMatchObject({ ok: false });
    expect(withoutEntry('mcp_servers.workrail = { command = "y" }\n', toml)).toMatchObject({ ok: false });
  });

  it('that is not one is left alone', () => {
    expect(withEntry('[broken', toml, entry)).toMatchObject({
      ok: false,
      error: expect.stringContaining('not valid TOML') as unknown,
    });
  });
});
