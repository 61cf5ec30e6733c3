import { plural } from '../../base/plural.js';
import type { ListAnswer, ListedWorkflow } from '../../contract/answer.js';
import { askForAll } from '../shell/ask.js';
import { withRequests } from '../shell/with-requests.js';
import type { Page } from '../print/page.js';
import { printable } from '../print/printable.js';
import type { CliEnvironment } from '../print/cli-environment.js';

export const runList = withRequests('list', async (command) => {
  const { parsed, misused, environment, tell } = command;
  const kind = parsed.text('kind');
  if (kind !== undefined && kind !== 'workflow' && kind !== 'routine')
    return misused(`--kind is workflow or routine, not ${JSON.stringify(kind)}`);
  const tag = parsed.text('tag');
  const query = parsed.words.join(' ');
  const pages = await askForAll(command, 'list_workflows', {
    ...(query !== '' && { query }),
    ...(tag !== undefined && { tag }),
    ...(kind !== undefined && { kind }),
  });
  if (!pages.ok) return pages.error;
  const whole = { ...pages.value.at(-1)!, workflows: pages.value.flatMap(({ workflows }) => workflows) };
  return tell(whole, (page) => printList(page, whole, environment));
});

function printList(
  page: Page,
  { workflows, total, nearest }: ListAnswer,
  { stdoutIsTerminal, out }: CliEnvironment,
): void {
  if (total === 0) {
    page.say('No workflow matches.');
    page.command('Show all: ', ['list']);
    if (nearest !== true) return;
    page.say('Closest matches:');
  }
  const sound = workflows.filter(({ startable }) => startable);
  const broken = workflows.filter(({ startable }) => !startable);
  const width = Math.min(30, Math.max(...sound.map(({ id }) => id.length), 0));
  for (const listed of sound) {
    if (stdoutIsTerminal) printRow(page, listed, width);
    else
      out(
        [listed.id, listed.kind, listed.title, listed.description.trim()].map((field) => printable(field)).join('\t'),
      );
  }
  if (broken.length > 0 && sound.length > 0) page.gap();
  for (const listed of broken) printBroken(page, listed);
  page.gap();
  if (sound.length > 0 && stdoutIsTerminal) {
    page.command('Inspect: ', ['inspect', '<id>']);
    page.command('Start one: ', ['start', '<id>']);
  }
}

/** The id, and beside it the title and when to use it; a long id has a line of its own. */
function printRow(
  page: Page,
  { id, title, kind, description, idStatus, suggestedId }: ListedWorkflow,
  width: number,
): void {
  const { bold } = page.style;
  const name = `${title}${kind === 'routine' ? ' (routine)' : ''}`;
  if (id.length <= width) page.item(`${id.padEnd(width)}  `, name, bold);
  else {
    page.say(id, bold);
    page.item(' '.repeat(width + 2), name);
  }
  if (description !== '') page.item(' '.repeat(width + 2), description);
  if (idStatus === 'legacy' && suggestedId !== undefined)
    page.item(' '.repeat(width + 2), `its id has no namespace; use ${suggestedId}`);
}

function printBroken(page: Page, { id, file, violations, violationsOmitted = 0 }: ListedWorkflow): void {
  const count = plural(violations.length + violationsOmitted, 'violation');
  page.say(`${id} cannot be started: ${file} has ${count}`, page.style.bad);
  page.command('  See them: ', ['validate', id]);
}
