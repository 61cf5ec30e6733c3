#!/usr/bin/env node
import { statSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';

// The server of an agent lives beside an editor and a browser: garbage is collected before it is a hundred megabytes. Other
// commands are soon over, and the server of the page may hold ten thousand sessions: with a heap that grows in small steps,
// collecting took longer than a letter of a search may. `--optimize-for-size` gives memory back at each collection, and a
// third of a step goes into that.
if (process.argv[2] === 'mcp')
  for (const flag of ['--semi-space-growth-factor=1', '--heap-growing-percent=20']) setFlagsFromString(flag);

const inOnePiece = new URL('../bundle/program.js', import.meta.url);
const changedAt = (file: URL): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? -1;

// A thousand small modules take a tenth of a second to find. The build joins them; where it is older than they are, they count.
await (changedAt(inOnePiece) >= changedAt(new URL(import.meta.url)) ? import(inOnePiece.href) : import('./program.js'));
