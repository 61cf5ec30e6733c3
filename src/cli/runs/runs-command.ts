import { ok, type Result } from '../../base/result.js';
import type { RunsAnswer } from '../../contract/run-answers.js';
import type { CliEnvironment } from '../print/cli-environment.js';
import { jsonLine } from '../print/json-line.js';
import type { Page } from '../print/page.js';
import { printable } from '../print/printable.js';
import { ago } from '../print/time-words.js';
import { ask } from '../shell/ask.js';
import type { ExitCode } from '../shell/exit-codes.js';
import { sentence, stateWords } from './print-run.js';
import { type RequestsContext, withRequests } from '../shell/with-requests.js';

type RunListed = RunsAnswer['runs'][number];

const shownUsually = 20;

export const runRuns = withRequests('runs', async (command) => {
  const listed = await readRuns(command);
  if (!listed.ok) return listed.error;
  return command.tell(listed.value, (page, told) => printRuns(page, told, command.environment), undefined, jsonLine);
});

interface Listed {
  readonly runs: readonly RunListed[];
  readonly unread?: NonNullable<RunsAnswer['unread']>;
  readonly more: boolean;
}

async function readRuns(command: RequestsContext): Promise<Result<Listed, ExitCode>> {
  const { parsed } = command;
  const [state, workflowId] = [parsed.text('state'), parsed.text('workflow')];
  const most = parsed.has('all') ? Number.POSITIVE_INFINITY : shownUsually;
  const runs: RunListed[] = [];
  const unread: NonNullable<RunsAnswer['unread']>[number][] = [];
  let cursor: string | undefined;
  do {
    const page = await ask(command, 'list_runs', {
      ...(state !== undefined && { state }),
      ...(workflowId !== undefined && { workflowId }),
      ...(cursor !== undefined && { cursor }),
    });
    if (!page.ok) return page;
    runs.push(...page.value.runs);
    unread.push(...(page.value.unread ?? []));
    cursor = page.value.nextCursor;
  } while (cursor !== undefined && runs.length < most);
  const unreadable = unread.length > 0 ? { unread } : {};
  return ok({ runs: runs.slice(0, most), ...unreadable, more: cursor !== undefined || runs.length > most });
}

/** New columns come last: scripts count them. */
const columns: readonly (readonly [string, (run: RunListed) => string])[] = [
  ['run', ({ run_id: run }) => run],
  ['last', ({ lastAt }) => lastAt],
  ['state', ({ state }) => state],
  ['waitingFor', ({ waitingFor }) => waitingFor ?? ''],
  ['workflow', ({ workflow_id: workflow }) => workflow],
  ['session', ({ session_id: session }) => session],
  ['message', ({ message }) => message],
  ['criticalGaps', ({ criticalGaps }) => String(criticalGaps ?? 0)],
];

function printRuns(page: Page, told: Listed, environment: CliEnvironment): void {
  const { stdoutIsTerminal, err } = environment;
  printListed(page, told, environment);
  // Beside the lines that scripts read.
  for (const { run_id: run, workflow_id: workflow, reason } of told.unread ?? []) {
    const line = `${run}  ${workflow}  cannot be read: ${reason}`;
    if (stdoutIsTerminal) page.say(line, page.style.bad);
    else err(printable(line));
  }
}

function printListed(page: Page, { runs, more }: Listed, { stdoutIsTerminal, out, now }: CliEnvironment): void {
  if (!stdoutIsTerminal) {
    if (runs.length > 0) out(columns.map(([name]) => name).join('\t'));
    for (const run of runs) out(columns.map(([, value]) => printable(value(run))).join('\t'));
    return;
  }
  if (runs.length === 0) {
    page.say('No such runs.');
    return page.command('Start one: ', ['run', '<workflow>']);
  }
  const paints: { readonly [state: string]: (text: string) => string } = {
    succeeded: page.style.good,
    failed: page.style.bad,
  };
  for (const listed of runs) {
    page.item(
      `${listed.run_id}  `,
      `${listed.workflow_id}  ·  ${stateWords(listed)}  ·  ${ago(listed.lastAt, now())}`,
      page.style.bold,
    );
    page.say(
      `  ${sentence(listed.message)}`,
      listed.criticalGaps === undefined ? paints[listed.state] : page.style.bad,
    );
  }
  page.gap();
  page.command('Show one: ', ['runs', 'show', runs[0]!.run_id]);
  if (more) page.command('All of them: ', ['runs', '--all']);
}
