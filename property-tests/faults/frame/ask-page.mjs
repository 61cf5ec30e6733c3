// What the page asks of its server, in a process of its own: node ask-page.mjs <build folder> <data folder> <workspace> <session>
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [build, dataDir, workspace, session] = process.argv.slice(2);
const { openRequests } = await import(pathToFileURL(join(build, 'dist', 'requests', 'requests.js')).href);
const answers = [];
let failed = false;
try {
  const requests = openRequests({
    workspace,
    dataDir,
    env: process.env,
    home: process.env.HOME,
    bundledWorkflows: join(build, 'workflows'),
    version: '0.0.0-faults',
    now: () => new Date(),
    randomBytes: (count) => randomBytes(count),
    log: () => undefined,
  });
  const { people } = requests;
  for (const [name, asked] of [
    ['browseSessions', {}],
    ['readSessionHead', { session }],
    ['readTimeline', { session }],
    ['browseWorkflows', {}],
    ['readWorkflow', { id: 'user.chain' }],
  ]) {
    const answer = await people[name](asked);
    failed ||= !answer.ok;
    answers.push({ name, answer });
  }
  await requests.close();
} catch (cause) {
  failed = true;
  answers.push({ thrown: cause.message, code: cause.code });
}
process.stdout.write(`${JSON.stringify(answers)}\n`);
process.exitCode = failed ? 3 : 0;
