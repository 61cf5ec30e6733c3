// node recorder.mjs FILE COMMAND… : starts an MCP server for a client and writes down every line that passes, and its process.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [file, command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const note = (row) => appendFileSync(file, `${JSON.stringify(row)}\n`);
note({ pid: child.pid });
createInterface({ input: process.stdin })
  .on('line', (line) => {
    note({ from: 'client', line });
    child.stdin.write(`${line}\n`);
  })
  .on('close', () => child.stdin.end());
createInterface({ input: child.stdout }).on('line', (line) => {
  note({ from: 'server', line });
  process.stdout.write(`${line}\n`);
});
child.stdin.on('error', () => undefined);
child.on('exit', (code) => process.exit(code ?? 1));
