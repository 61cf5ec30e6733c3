import type { JsonObject } from '../../base/json-value.js';
import type { CommandLookup } from '../compiled/command-lookup.js';
import { isRepeatable } from '../compiled/operation-shape.js';
import type { JudgingWork } from '../contracts/judging-work.js';
import type { CalledRoutines } from '../expand/called-routines.js';
import { type Finding, warning } from '../source/finding.js';
import type { StepOutline } from '../source/source-outline.js';
import { checkAnswerReads } from './check-answer-reads.js';
import { checkCommand } from './check-command.js';
import { checkDepends } from './check-depends.js';
import { checkLists } from './check-lists.js';
import { checkProviders } from './check-providers.js';
import { checkRepeating, checkRun } from './check-run.js';
import { checkSecrets } from './check-secrets.js';
import type { CommandAnswers } from './command-answers.js';
import { commandSites, lookedUp, operationOf } from './command-sites.js';
import type { ExpressionUse } from './source-uses.js';

export interface CommandsOfFile {
  readonly inputs: JsonObject;
  readonly all: readonly StepOutline[];
  readonly uses: readonly ExpressionUse[];
  readonly called: CalledRoutines;
  readonly commands: CommandLookup | undefined;
  readonly answers: CommandAnswers;
  readonly work: JudgingWork;
}

/** What WorkRail is to do itself: steps with `run` and `fail`, and providers of inputs. */
export function checkCommands({
  inputs,
  all,
  uses,
  called,
  commands,
  answers,
  work,
}: CommandsOfFile): readonly Finding[] {
  const sites = lookedUp(commandSites(inputs, all), commands);
  const [first] = sites;
  const unread: readonly Finding[] =
    first === undefined || commands !== undefined
      ? []
      : [
          warning(
            [...first.path, 'run'],
            'catalogs_not_read',
            'no catalogs were looked at: whether there are these commands, and whether they take what is given, is not known',
          ),
        ];
  return [
    ...unread,
    ...all.flatMap(checkRun),
    ...sites.flatMap((site) => checkCommand(site, inputs, work)),
    ...sites.flatMap((site) =>
      site.step === undefined ? [] : checkRepeating(site.step, isRepeatable(site.command, operationOf(site))),
    ),
    ...sites.flatMap(checkSecrets),
    ...checkDepends(all),
    ...checkLists(sites, answers),
    ...checkProviders(inputs, sites, answers),
    ...checkAnswerReads(all, uses, called),
    ...all.flatMap(alwaysFails),
  ];
}

/** A step of the workflow itself, not of a part that is only done sometimes. */
function alwaysFails({ source, path }: StepOutline): readonly Finding[] {
  if (source['fail'] === undefined || source['if'] !== undefined || path.length > 2) return [];
  const message = 'each run that comes here fails; say with `if` when it is to';
  return [warning([...path, 'fail'], 'always_fails', message, { of: 'key' })];
}
