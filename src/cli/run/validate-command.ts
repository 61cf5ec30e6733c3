import { plural } from '../../base/plural.js';
import { command } from '../../base/sentence.js';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { FileFixed, FileJudged, FilesJudged } from '../../contract/people-answers.js';
import { withRequests } from '../shell/with-requests.js';
import { exitCodes } from '../shell/exit-codes.js';
import { kindOfPlace } from '../print/kind-of-place.js';
import { githubAnnotation } from '../print/github-annotation.js';
import type { Page } from '../print/page.js';
import { printViolation } from '../print/print-violation.js';

export const runValidate = withRequests(
  'validate',
  async ({ parsed, requests, reject, misused, tell, environment }) => {
    const format = parsed.text('format') ?? 'text';
    if (format !== 'text' && format !== 'github')
      return misused(`--format is text or github, not ${JSON.stringify(format)}`);
    const beyond = parsed.words.find(
      (word) => kindOfPlace(path.resolve(environment.workingFolder, word)) === 'unreachable',
    );
    if (beyond !== undefined)
      return reject({
        code: 'NOT_FOUND',
        message: `no such file: ${beyond}`,
        action: ['name a file, a folder or the id of a workflow. To list the ids: ', command('list')],
      });
    const asked = parsed.words.map((word) => filesNamed(word, environment.workingFolder));
    const ids = parsed.words.filter((_, index) => asked[index] === undefined);
    const files = asked.flatMap((named) => named ?? []);
    if (parsed.words.length > 0 && files.length + ids.length === 0)
      return reject({
        code: 'NOT_FOUND',
        message: `no workflow files in ${parsed.words.join(', ')}`,
        action: ['name a file, a folder with .yaml or .json files, or an id: ', command('list')],
      });
    const judged = await requests.people.validateFiles({ files, ids, fix: parsed.has('fix') });
    if (!judged.ok) return reject(judged.error);
    return tell(
      judged.value,
      format === 'github' ? printForGithub : printJudged,
      judged.value.sound ? exitCodes.done : exitCodes.rejected,
    );
  },
);

const isWorkflowFile = (name: string): boolean => /\.(?:ya?ml|json)$/iu.test(name);

/** The files that a word names, those of a folder among them; undefined where it names an id. */
function filesNamed(
  word: string,
  workingFolder: string,
): readonly { readonly path: string; readonly label: string }[] | undefined {
  const place = path.resolve(workingFolder, word);
  const kind = kindOfPlace(place);
  if (kind === 'nothing' && !isWorkflowFile(word) && !/[/\\]/u.test(word)) return undefined;
  if (kind !== 'folder') return [{ path: place, label: word }];
  const names = readdirSync(place, { recursive: true, encoding: 'utf8' }).filter(
    (name) => isWorkflowFile(name) && !/(?:^|[/\\])(?:\.|node_modules)/u.test(name),
  );
  return names.toSorted().map((name) => ({ path: path.join(place, name), label: path.join(word, name) }));
}

function printJudged(page: Page, { files, sound, fixed }: FilesJudged): void {
  for (const one of fixed ?? []) printFixed(page, one);
  if (fixed?.length === 0) page.say('Nothing to fix.');
  page.gap();
  if (files.length === 0) page.say('No workflows of your own; the built-in ones are valid.');
  for (const file of files) printFile(page, file);
  const count = (what: 'violations' | 'warnings'): number => files.reduce((sum, file) => sum + file[what].length, 0);
  page.gap();
  if (files.length > 1 || !sound)
    page.say(
      `${plural(files.length, 'file')}: ${plural(count('violations'), 'violation')}, ${plural(count('warnings'), 'warning')}.`,
    );
  if (!sound) page.say('A workflow with violations cannot be started. The format: docs/format.md.');
}

function printFixed(page: Page, { file, fixed, left }: FileFixed): void {
  if (fixed.length > 0) page.say(`Fixed ${file}: ${plural(fixed.length, 'change')}`, page.style.good);
  for (const { line, rule, message } of fixed) page.item('  ', `line ${line}: ${rule}: ${message}`);
  if (left !== undefined) page.say(`Did not change ${file}: ${left}`, page.style.bad);
}

/** Annotations of GitHub Actions, one a line: it shows them at the lines of a pull request. */
function printForGithub(page: Page, { files }: FilesJudged): void {
  for (const { file, violations, warnings } of files)
    for (const violation of [...violations, ...warnings]) page.shell('', githubAnnotation(file, violation));
}

function printFile(page: Page, { file, id, kind, violations, warnings }: FileJudged): void {
  for (const violation of [...violations, ...warnings]) printViolation(page, file, violation);
  if (violations.length > 0) return;
  page.say(
    `${file}: ${kind ?? 'workflow'} ${id ?? ''} can be started${warnings.length > 0 ? `, with ${plural(warnings.length, 'warning')}` : ''}`,
    page.style.good,
  );
}
