import { answeredWords } from '../blocker-text.js';
import { plural } from '../../base/plural.js';
import type { NextCall } from '../../base/rejection.js';
import type { ExecutionAnswer } from '../../contract/answer.js';
import type { PersonAnswerTold } from '../../contract/draft-told.js';
import { listed, quote, type Reader, said, type Told } from '../telling.js';
import { visibleTitle } from '../visible-text.js';

/** What was handed in and waits: its beginning for who has just sent it, all of it for who looks. */
export function tellDraft({ draft, happened }: ExecutionAnswer, reader: Reader): readonly Told[] {
  if (draft === undefined) return [];
  const { notes, artifacts = [], gaps = [], context, cut, replaces, refused, settled, themselves, confirm } = draft;
  const answers = answerLines(draft.answers);
  const changed =
    replaces === undefined
      ? []
      : [said(`It takes the place of what was handed in before, and differs from it in ${replaces.join(', ')}.`)];
  if (happened === 'blocked') {
    const handed = handedText({ notes, artifacts: artifacts.length, context }, reader);
    return [
      ...answers,
      said(
        `Kept${refused === undefined ? ' until then' : ''}: ${handed}${gaps.length === 0 ? '' : `, ${plural(gaps.length, 'gap')}`}.`,
      ),
      ...changed,
    ];
  }
  const more = cut === undefined ? '' : ` (${cut.after} more bytes of notes stand at the end of the record)`;
  const rest = reader === 'agent' ? ' completes the step with it.' : '';
  return [
    {
      kind: 'heading',
      text: `Handed in, and ${settled === true ? 'answered by the user' : refused === undefined ? 'waiting' : 'refused by the user'}${more}`,
    },
    ...answers,
    ...(notes === undefined ? [said('No notes.')] : [quote(notes)]),
    ...listed('Artifacts', artifacts.map(visibleTitle)),
    ...listed('Context', context.map(visibleTitle)),
    ...listed('Gaps', gaps.map(visibleTitle)),
    ...changed,
    ...(confirm === undefined
      ? []
      : [
          {
            kind: 'call',
            lead:
              settled === true
                ? 'To continue with it: '
                : themselves === true
                  ? 'Once the user has answered it themselves: '
                  : settlingLead(confirm, reader),
            call: confirm,
            rest,
          } as const,
        ]),
  ];
}

/** What the user answered at their own door: it came from them, and not by way of the agent. */
export function answerLines(answers: readonly PersonAnswerTold[] = []): readonly Told[] {
  return answers.map((answer) => said(answeredWords(answer, answer.at), answer.passedOver === true ? 'bad' : 'good'));
}

/** Before the call that completes a step with its draft. */
export function settlingLead({ arguments: { context, confirmed } }: NextCall, reader: Reader): string {
  if (reader === 'agent') return context === undefined ? 'Once the user agrees: ' : 'With what the user answers: ';
  const agreed = confirmed === undefined ? '' : ', with --confirmed added';
  return context === undefined ? `Once you agree to it${agreed}: ` : `With what is asked for filled in${agreed}: `;
}

/** What came with a call, in a line. An agent knows the words of its own notes. */
export function handedText(
  {
    notes,
    artifacts,
    context,
  }: Pick<NonNullable<ExecutionAnswer['recorded']>, 'artifacts' | 'context'> & {
    readonly notes?: string | undefined;
  },
  reader: Reader,
): string {
  const quoted = notes === undefined ? 'no notes' : reader === 'agent' ? 'notes' : `notes “${visibleTitle(notes)}”`;
  return [
    quoted,
    ...(artifacts > 0 ? [plural(artifacts, 'artifact')] : []),
    ...(context.length > 0 ? [`context ${context.join(', ')}`] : []),
  ].join(', ');
}
