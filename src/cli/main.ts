#!/usr/bin/env node
import { statSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';

// A server lives beside an editor, a browser and an agent: garbage is collected before it is a hundred megabytes. Other
// commands are soon over. `--optimize-for-size` gives memory back at each collection, and a third of a step goes into that.
if (process.argv[2] === 'mcp' || process.argv[2] === 'serve')
  for (const flag of ['--semi-space-growth-factor=1', '--heap-growing-percent=20']) setFlagsFromString(flag);

const inOnePiece = new URL('../bundle/program.js', import.meta.url);
const changedAt = (file: URL): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? -1;

// A thousand small modules take a tenth of a second to find. The build joins them; where it is older than they are, they count.
await (changedAt(inOnePiece) >= changedAt(new URL(import.meta.url)) ? import(inOnePiece.href) : import('./program.js'));
