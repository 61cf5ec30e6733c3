import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export const filesUnder = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : [];

/** A text, and as it looks in the ways that bytes are written in text. */
const spellings = (text) => [
  text,
  Buffer.from(text).toString('base64').replace(/=+$/u, ''),
  Buffer.from(text).toString('base64url'),
  Buffer.from(text).toString('hex'),
  encodeURIComponent(text),
  [...text].toReversed().join(''),
];

/** In what these all said, and in what lies there, none of the secrets stands in any spelling. */
export function leaks(secrets, told, ways = spellings) {
  const violations = [];
  for (const { where, bytes } of told) {
    const text = bytes.toString('latin1');
    for (const { what, text: secret } of secrets)
      if (ways(secret).some((spelling) => text.includes(spelling))) violations.push(`${what} stands in ${where}`);
  }
  return violations;
}

/** Asks the web server for what it shows of a session, and resolves with all that it said. */
export async function overHttp(build, world, { env = {}, headers = () => ({}), session, more = [] }) {
  const child = spawn(
    process.execPath,
    [build.program, 'serve', '--port', '0', '--data-dir', world.dataDir, '--workspace', world.workspace],
    {
      cwd: world.workspace,
      env: { PATH: process.env.PATH ?? '', ...world.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  const ended = new Promise((resolve) => child.once('close', resolve));
  const since = performance.now();
  let address;
  while (address === undefined && performance.now() - since < 20_000) {
    await pause(10);
    address = /http:\/\/[\w.[\]:]+/u.exec(said)?.[0];
  }
  const answers = [];
  const paths = [
    '/api/about',
    '/api/sessions',
    '/api/workflows',
    `/api/sessions/${session}`,
    '/api/nothing',
    '/',
    ...more,
  ];
  for (const path of address === undefined ? [] : paths) {
    const answer = await fetch(`${address}${path}`, { headers: headers(address) });
    answers.push(await answer.text());
  }
  child.kill('SIGTERM');
  await ended;
  return { answers: [...answers, said], hit: answers.length === paths.length && answers[1].includes(session) };
}
