import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isJsonObject, type JsonObject } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import type { ToolAnswer } from '../../mcp/stdio-client.js';
import type { Claims } from './demo-claims.js';
import type { Person } from './demo-colleague.js';
import { countLog } from './demo-log.js';
import { label } from './demo-others.js';
import { executionOf, type Player, playerOn, same } from './demo-player.js';
import { githubDocument } from './github-document.js';
import { refundBug } from './refund-bug.js';
import { type SmallGitHub, startSmallGitHub } from './small-github.js';

/** Plays the workflows of docs/examples, with steps that WorkRail does itself, against a server on this machine. */
export async function callAnApi(me: Person, examples: string, claims: Claims): Promise<void> {
  const github = await startSmallGitHub();
  try {
    const server = await me.startServer('--toolsets', 'author,commands,catalogs');
    try {
      const player = playerOn(server);
      await makeCommands(player, me, github, claims);
      await saveExamples(player, examples, claims);
      await protectABranch(player, github, claims);
      await fileABug(player, github, claims);
      await awaitARelease(player, github, claims);
    } finally {
      await server.close();
    }
    for (const named of refundBug.labels) label(me, named);
    countRequests(me, github, claims);
  } finally {
    await github.close();
  }
}

async function makeCommands(player: Player, me: Person, github: SmallGitHub, { scene, need }: Claims): Promise<void> {
  scene('An API becomes commands');
  writeFileSync(path.join(me.place.workspace, 'github.json'), JSON.stringify(githubDocument(github.origin)));
  const imported = await player.call('import_openapi', { source: 'github.json', catalogId: 'github' });
  need(
    'import_openapi makes a catalog of its OpenAPI document, and sends nothing',
    !imported.isError && github.asked.length === 0,
    imported.text,
  );
  const address = new URL(github.origin).host;
  const allowed = me.run(['catalogs', 'configure', 'github', '--allow', address, '--auth', 'bearer:GITHUB_TOKEN']);
  const kept = me.run(['catalogs', 'secret', 'github', 'GITHUB_TOKEN'], github.token);
  need(
    'the user allows its address and sets the token, which no agent sees',
    allowed.code === 0 && kept.code === 0,
    allowed.text + kept.text,
  );
}

/** Those whose steps call an API. */
const apiExamples = ['await-release.yaml', 'file-bug.yaml', 'protect-branch.yaml'];

async function saveExamples(player: Player, examples: string, { claim }: Claims): Promise<void> {
  for (const file of apiExamples) {
    // As they are, but that a second is enough between two looks.
    const content = readFileSync(path.join(examples, file), 'utf8').replace('every: 15s', 'every: 1s');
    const saved = await player.call('save_workflow', { content });
    claim(`save_workflow takes ${file}, which it has checked with these commands`, !saved.isError, saved.text);
  }
}

async function protectABranch(player: Player, github: SmallGitHub, { scene, claim, need }: Claims): Promise<void> {
  scene('A branch is protected, once the user agrees');
  const workflowId = 'team.protect_branch';
  const choices = await player.call('resolve_inputs', { workflowId, inputs: { org: 'shop' } });
  claim('resolve_inputs names the repositories to choose from', choices.text.includes('website'), choices.text);
  const inputs = { org: 'shop', repo: 'till' };
  const run = { workflowId, inputs, session: refundBug.protect.session, detached: true };
  const refused = await player.call('run_workflow', run);
  claim(
    'run_workflow asks for the user’s agreement, and sends nothing that changes something',
    refused.text.startsWith('CONFIRMATION_REQUIRED') && github.writes().length === 0,
    refused.text,
  );
  const planned = await player.call('plan_steps', { workflowId, inputs });
  const { plan } = planned.answer;
  need(
    'plan_steps shows what would be sent',
    typeof plan === 'string' && planned.text.includes('update-branch-protection'),
    planned.text,
  );
  const confirm = typeof plan === 'string' ? plan : '';
  const ended = await follow(player, await player.call('run_workflow', { ...run, confirm }));
  claim('with its hash, the branch is read and protected', gives(ended, { wasProtected: false }), ended.text);
  const again = await follow(player, await player.call('run_workflow', { ...run, confirm, fresh: true }));
  claim(
    'once more, it is read and left as it is',
    gives(again, { wasProtected: true }) && github.writes().length === 1,
    again.text,
  );
}

async function fileABug(player: Player, github: SmallGitHub, { scene, claim, need }: Claims): Promise<void> {
  scene('A bug is filed, and none twice');
  const { known, fresh, sameAs, differs, report } = refundBug;
  const first = executionOf(await player.call('start_workflow', known.start));
  const found = await player.play(first, sameAs);
  claim(
    'WorkRail searches, the agent finds the same bug, and nothing is filed',
    gives(found.said, { issue: 31, filed: false }) && github.issues.length === 1,
    found.said.text,
  );
  const second = executionOf(await player.call('start_workflow', fresh.start));
  const { answer: at } = await player.play(second, differs);
  const { stateToken, ackToken = '' } = at;
  const asked = await player.call('continue_workflow', { stateToken, ackToken, ...report });
  need(
    'another bug is written down; the whole request is shown to the user before it is sent',
    asked.answer['kind'] === 'blocked' && asked.text.includes('Two receipts come out') && github.issues.length === 1,
    asked.text,
  );
  const waiting = executionOf(asked);
  const agree = { stateToken: waiting.stateToken, ackToken: waiting.ackToken ?? '', confirmed: true };
  const filed = await player.call('continue_workflow', agree);
  claim('the user agrees, and it is filed as issue 32', gives(filed, { issue: 32, filed: true }), filed.text);
  const lost = await player.call('continue_workflow', agree);
  claim(
    'the same call again gets the same answer, byte for byte, and files nothing',
    same(filed, lost) && github.issues.length === 2,
    lost.text,
  );
}

async function awaitARelease(player: Player, github: SmallGitHub, { scene, claim }: Claims): Promise<void> {
  scene('A release is waited for');
  const begun = await player.call('run_workflow', { ...refundBug.release.run, detached: true });
  claim('run_workflow answers at once, and goes on in the background', begun.answer['state'] === 'running', begun.text);
  const ended = await follow(player, begun);
  const looks = github.asked.filter((line) => line.endsWith('/actions/runs/7002')).length;
  claim(
    `it is found on the second page, looked at ${looks} times, once while the server was busy, and has ended`,
    looks === 3 && ended.answer['state'] === 'succeeded',
    ended.text,
  );
}

function countRequests({ place: { dataDir } }: Person, github: SmallGitHub, { claim }: Claims): void {
  const sessions = refundBug.labels.map(({ session }) => countLog(dataDir, session));
  const count = (kind: string): number => sessions.reduce((sum, { kinds }) => sum + (kinds.get(kind) ?? 0), 0);
  const writes = github.writes().length;
  claim(
    `${writes} requests changed something at the server, and ${count('command_sent')} are in the log`,
    writes === 2 && count('command_sent') === writes,
    github.asked,
  );
  const files = readdirSync(path.join(dataDir, 'sessions'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'));
  claim(`the token is in none of ${files.length} files`, !files.some((text) => text.includes(github.token)));
}

/** Looks until the run has ended, as an agent does. */
async function follow(player: Player, begun: ToolAnswer): Promise<ToolAnswer> {
  let at = begun;
  for (let looks = 0; looks < 20 && isUnderWay(at.answer); looks += 1)
    at = await player.call('get_run', { runId: at.answer['run_id'] ?? '', waitMs: 5000 });
  return at;
}

const isUnderWay = ({ state }: JsonObject): boolean => state === 'running' || state === 'pending';

const gives = ({ answer: { returned } }: ToolAnswer, wanted: JsonObject): boolean =>
  isJsonObject(returned) && Object.entries(wanted).every(([name, value]) => own(returned, name) === value);
