import { spawn } from 'node:child_process';

const clientInfo = { name: 'bench', version: '1' };
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** As `startClient`, in either era and with as little as a client can do: a line written, a line read. */
export async function startLineClient(command, args, env, cwd, era) {
  const child = spawn(command, args, { env, cwd, stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  let rest = '';
  let last = 0;
  let hear;
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) hear(line);
  });
  const ask = async (method, params) => {
    last += 1;
    const heard = new Promise((resolve) => (hear = resolve));
    const sent = era === 'modern' ? { ...params, _meta: envelope } : params;
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: last, method, params: sent })}\n`);
    const line = await Promise.race([heard, ended]);
    const { result, error } = typeof line === 'string' ? JSON.parse(line) : {};
    if (result === undefined || result.isError === true)
      throw new Error(`${method}: ${error?.message ?? result?.content?.[0]?.text ?? 'the server ended'}`);
    return result;
  };
  if (era === 'modern') await ask('server/discover');
  else {
    await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  }
  return {
    pid: child.pid,
    call: (name, given) => ask('tools/call', { name, arguments: given }),
    close: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
