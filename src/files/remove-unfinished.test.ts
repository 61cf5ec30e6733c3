import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { removeUnfinished } from './remove-unfinished.js';

/** No process has it: the kernel gives out fewer. */
const gone = 2 ** 22 + 1;

it('removes what processes that are gone left, and nothing of the user', () => {
  const folder = mkdtempSync(join(tmpdir(), 'unfinished-'));
  try {
    const left = [`.mcp.json.${gone}.tmp`, `.other.json.${gone}.tmp`, `.draft.${gone}.3.draft`];
    const theirs = [`.mcp.json.${gone}`, '.mcp.json.1.bak', 'mcp.json', `.mcp.json.${process.pid}.tmp`, '.env'];
    for (const name of [...left, ...theirs]) writeFileSync(join(folder, name), '');
    removeUnfinished(folder, (name) => name === 'mcp.json');
    expect(readdirSync(folder).toSorted()).toEqual([...theirs, ...left.slice(1)].toSorted());
    removeUnfinished(folder);
    expect(readdirSync(folder).toSorted()).toEqual(theirs.toSorted());
    removeUnfinished(folder, (name) => name === 'mcp.json', 'anyhow');
    expect(readdirSync(folder)).not.toContain(`.mcp.json.${gone}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
