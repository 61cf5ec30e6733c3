import { plural } from '../../base/plural.js';
import { command } from '../../base/sentence.js';
import { err, ok, type Result } from '../../base/result.js';
import type { Rejection } from '../../base/rejection.js';
import type {
  QuestionAnswered,
  QuestionsTold,
  QuestionTold,
  WaitingHere,
  WaitingTold,
} from '../../contract/question-told.js';
import { type ExitCode, exitCodes } from '../shell/exit-codes.js';
import { givenValues } from '../shell/given-values.js';
import { linesOf } from '../shell/lines-of.js';
import { type RequestsContext, withRequests } from '../shell/with-requests.js';
import { atTerminal, recordAnswer, type Said, sayTo } from './say-answer.js';
import { printChoices, printWaiting, printWork, sentenceOf } from '../print/print-waiting.js';
import type { Page } from '../print/page.js';

export const runAnswer = withRequests('answer', async (asked) => {
  const { parsed, misused, reject, json, environment } = asked;
  const said = await saidIn(asked);
  if (!said.ok) return misused(said.error);
  const read = await readWaits(asked);
  if (!read.ok) return reject(read.error);
  const { told, waits } = read.value;
  const isAtTerminal = atTerminal(environment);
  if (said.value === undefined) {
    if (json || !isAtTerminal || waits.works.length === 0)
      return asked.tell(told, (page) => printQuestions(page, waits));
    return askEach(asked, waits);
  }
  if (!isAtTerminal && !parsed.has('no-terminal'))
    return misused(
      'answers come from the user, so they need a terminal; in a script of your own, pass --no-terminal, which the log records',
    );
  const meant = questionMeant(waits, parsed.text('question'), said.value);
  if (!meant.ok)
    return reject({
      code: 'PRECONDITION_FAILED',
      message: meant.error,
      action: ['list the open questions: ', command('answer', ...waits.named)],
      ...(waits.named.length > 0 && { context: { sessionId: waits.where } }),
    });
  const answered = await recordAnswer(asked, meant.value.sessionId, meant.value.question, said.value);
  return answered.ok ? asked.tell(answered.value, printAnswered) : reject(answered.error);
});

/** What waits in the session that is named, or in all. */
interface Waits {
  readonly where: string;
  /** The words that name it to a command. */
  readonly named: readonly string[];
  readonly works: readonly (WaitingTold & { readonly sessionId: string })[];
  /** What could not be told. */
  readonly left: readonly string[];
}

async function readWaits({
  parsed,
  requests,
}: RequestsContext): Promise<Result<{ readonly told: QuestionsTold | WaitingHere; readonly waits: Waits }, Rejection>> {
  const [session] = parsed.words;
  if (session === undefined) {
    const here = await requests.people.readWaiting({});
    if (!here.ok) return here;
    const { rows, more = 0, unreadable } = here.value;
    const left = [
      ...unreadable.map(
        ({ sessionId, message }) => `${sessionId} is waiting for you, but its question could not be read: ${message}`,
      ),
      ...(more > 0 ? [`${more} more ${more === 1 ? 'session is' : 'sessions are'} waiting for you.`] : []),
    ];
    return ok({ told: here.value, waits: { where: 'any session', named: [], works: rows, left } });
  }
  const told = await requests.people.readQuestions({ session });
  if (!told.ok) return told;
  const { sessionId, waiting } = told.value;
  const works = waiting.map((work) => ({ sessionId, ...work }));
  return ok({ told: told.value, waits: { where: sessionId, named: [sessionId], works, left: [] } });
}

const ways = ['agree', 'refuse', 'given', 'value', 'file'] as const;

/** What the options say; undefined where they say nothing, and what waits is to be shown. */
async function saidIn({ parsed, environment }: RequestsContext): Promise<Result<Said | undefined, string>> {
  const chosen = ways.filter((way) => parsed.has(way));
  const [way] = chosen;
  if (chosen.length > 1) return err(`--${chosen.join(' and --')} cannot be combined; pass one`);
  const reason = parsed.text('reason');
  if (way === undefined) return reason === undefined ? ok(undefined) : err('--reason needs --refuse or --agree');
  switch (way) {
    case 'agree':
      return ok({ answer: 'agreed', reason });
    case 'refuse':
      return ok({ answer: 'refused', reason });
    case 'given':
      return ok({ answer: 'value' });
    case 'file':
      return ok({ answer: 'file', value: parsed.text('file') ?? '', reason });
    case 'value': {
      const text = await givenValues(environment).text('--value', parsed.text('value') ?? '');
      return text.ok ? ok({ answer: 'value', value: text.value, reason }) : text;
    }
  }
}

const fits = ({ asks, key }: QuestionTold, { answer, value }: Said): boolean =>
  answer === 'refused' ||
  (answer === 'agreed'
    ? asks === 'agreement' || asks === 'action'
    : asks === (value === undefined ? 'secret' : 'value') || (asks === 'action' && key !== undefined));

interface Meant {
  readonly sessionId: string;
  readonly question: QuestionTold;
}

const sessionsNamed = 5;

/** The question that is named, or the only one that such an answer is to. */
function questionMeant({ where, works }: Waits, named: string | undefined, said: Said): Result<Meant, string> {
  const all = works.flatMap(({ sessionId, questions }) => questions.map((question) => ({ sessionId, question })));
  if (all.length === 0) return err(`nothing in ${where} is waiting for you`);
  const open =
    named === undefined ? all : all.filter(({ question: { question, key } }) => question === named || key === named);
  const names = (questions: readonly Meant[]): string => questions.map(({ question }) => question.question).join(', ');
  if (open.length === 0) return err(`no open question ${JSON.stringify(named)}; the open ones are ${names(all)}`);
  const fitting = open.filter(({ question }) => fits(question, said));
  const meant = fitting.length > 0 ? fitting : open;
  if (meant.length === 1) return ok(meant[0]!);
  const sessions = [...new Set(meant.map(({ sessionId }) => sessionId))];
  if (sessions.length > 1)
    return err(
      `${sessions.length} sessions are waiting for you; name one: ${sessions.slice(0, sessionsNamed).join(', ')}`,
    );
  return err(
    new Set(meant.map(({ question: { block } }) => block)).size > 1
      ? `${plural(works.length, 'step')} of ${where} are waiting; answer them one by one at a terminal`
      : `this could answer ${names(meant)}; choose one with --question`,
  );
}

/** One question after the other. An empty line leaves one open. */
async function askEach(asked: RequestsContext, { works, left }: Waits): Promise<ExitCode> {
  const { environment, page, reject } = asked;
  const lines = linesOf(environment);
  let code: ExitCode = exitCodes.done;
  try {
    for (const waiting of works) {
      printWork(page, waiting);
      for (const question of waiting.questions) {
        page.say(sentenceOf(question), page.style.bad);
        printChoices(page, question);
        const said = await sayTo(question, (words) => lines.ask(words));
        if (said === undefined) continue;
        const answered = await recordAnswer(asked, waiting.sessionId, question, said);
        if (answered.ok) printAnswered(page, answered.value);
        else code = reject(answered.error);
      }
    }
  } finally {
    lines.close();
  }
  for (const line of left) page.say(line);
  return code;
}

function printQuestions(page: Page, { where, works, left }: Waits): void {
  if (works.length === 0 && left.length === 0) {
    page.say(`Nothing in ${where} is waiting for you.`, page.style.good);
    return;
  }
  for (const work of works) printWaiting(page, work);
  page.gap();
  for (const line of left) page.say(line);
  const [first] = works;
  const [question] = first?.questions ?? [];
  if (first !== undefined && question !== undefined)
    page.command('Answer at a terminal: ', ['answer', first.sessionId, ...exampleOf(question)]);
}

const exampleOf = ({ asks, question }: QuestionTold): readonly string[] =>
  asks === 'value' ? ['--question', question, '--value', '…'] : asks === 'secret' ? ['--given'] : ['--agree'];

function printAnswered(
  page: Page,
  { answer, says, next, step, added, open, warnings, sessionId, came }: QuestionAnswered,
): void {
  page.say(
    added ? `Recorded for “${step.title}”: ${says}.` : `Already recorded for “${step.title}”: ${says}.`,
    page.style.good,
  );
  for (const { message } of warnings) page.say(`Warning: ${message}.`, page.style.bad);
  if (answer === 'refused' || open.length === 0) {
    page.say(came?.says ?? next, came?.status === 'failed' ? page.style.bad : undefined);
    return;
  }
  page.say(`Still open: ${open.map(({ text }) => text).join(' ')}`);
  page.command('Answer: ', ['answer', sessionId]);
}
