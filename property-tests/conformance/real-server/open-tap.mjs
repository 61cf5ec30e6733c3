import { createServer, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

/**
 * Stands before a server, passes on what comes as it is, and keeps account of it. `meet` is asked before a request goes on
 * and before its answer goes back; where it says `lose`, the connection ends there.
 */
export async function openTap(target) {
  const seen = [];
  let meet = () => Promise.resolve('pass');
  const answer = async (incoming, outgoing) => {
    const { method, url: path, rawHeaders } = incoming;
    const sent = await buffer(incoming);
    const entry = { method, path, body: sent.toString() };
    seen.push(entry);
    if ((await meet({ ...entry, is: 'asked' })) === 'lose') return incoming.destroy();
    const { status, headers, bytes } = await pass(target, { method, path, headers: rawHeaders, sent });
    entry.status = status;
    if ((await meet({ ...entry, is: 'answered' })) === 'lose') return incoming.destroy();
    outgoing.writeHead(status, headers);
    return outgoing.end(bytes);
  };
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => incoming.destroy());
  });
  const listen = (port) => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address();
  const down = () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    return closed;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    meets(what) {
      meet = what;
    },
    /** Refuses connections, as a server that is gone. */
    down,
    up: () => listen(port),
    close: down,
  };
}

function pass(target, { method, path, headers, sent }) {
  return new Promise((resolve, reject) => {
    const asked = request(new URL(path, target), { method, headers, agent: false }, (answer) => {
      const chunks = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({ status: answer.statusCode, headers: answer.rawHeaders, bytes: Buffer.concat(chunks) }),
      );
    });
    asked.on('error', reject);
    asked.end(sent);
  });
}
