/** A rule of work that authors refer to by name instead of writing it again. */
export interface Snippet {
  readonly id: string;
  readonly title: string;
  /** One paragraph: it is put in the middle of an author's sentence or list. */
  readonly text: string;
}

const all: readonly Snippet[] = [
  {
    id: 'wr.refs.notes_first_durability',
    title: 'Notes come first',
    text: 'Put what must survive into the notes and artifacts you hand back: the conversation can be rewound or lost at any moment, and they cannot. In ten lines or fewer: what was found or decided, on what evidence, what is open, what is next. A file in the project is written where the task asks for one, never as memory.',
  },
  {
    id: 'wr.refs.parallelize_cognition_serialize_synthesis',
    title: 'Think side by side, conclude in one place',
    text: 'Let independent questions be worked on side by side, by sub-agents or by yourself from separate fresh looks, and let none of them see the answers of the others. Bring them together in one place, alone and only when all are in: one mind owns the conclusion, and nothing is changed in the project before it stands.',
  },
  {
    id: 'wr.refs.synthesis_under_disagreement',
    title: 'When findings disagree',
    text: 'Where findings disagree, do not average or vote. State in a sentence what each side claims, find the observation that would tell them apart, and make it. If it cannot be made here, go with the better evidence, lower your confidence, and record what was overruled together with what would reopen it. One well-founded objection outweighs any number of agreeing opinions that never looked at it.',
  },
  {
    id: 'wr.refs.adversarial_challenge_rules',
    title: 'How to challenge a result',
    text: 'Argue against the result as somebody who gains by its failure. Begin with the assumption that carries the most and was checked the least. An objection counts when it names an input, a sequence or a fact under which the result is wrong, and survives a look at the source; a matter of taste does not count. Answer each with a change or a reason. If none is found, say what was tried, and stop: an invented weakness costs as much as a missed one.',
  },
  {
    id: 'wr.refs.evidence_over_opinion',
    title: 'Evidence over opinion',
    text: 'Every claim the result rests on has something behind it that another person could look at: a file and line, a command with its output, a source with its date. Mark what you infer as inferred. What you could not check is an open question, however likely it seems.',
  },
  {
    id: 'wr.refs.explicit_assumptions',
    title: 'Assumptions are said',
    text: 'Write down what you take for granted where nobody told you, and what would change if it were wrong. If being wrong would be costly or hard to undo, ask before going on where you can; where you cannot, take the choice that is easiest to reverse and disclose it as a gap.',
  },
  {
    id: 'wr.refs.stop_conditions',
    title: 'Knowing when to stop',
    text: 'Say before you start what will count as done. Stop when it is reached, when two rounds in a row bring nothing new, or when the next step would need something you do not have; then hand back what there is and name what is missing. Do not widen the task to find more to do.',
  },
];

/** Every snippet there is, by its id. The set is closed: another id is a violation. */
export const snippets: ReadonlyMap<string, Snippet> = new Map(all.map((snippet) => [snippet.id, snippet]));
