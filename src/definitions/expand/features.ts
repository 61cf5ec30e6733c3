/** Advice that a workflow switches on for all of its steps by naming it under `uses`. */
export interface Feature {
  readonly id: string;
  readonly title: string;
  /** How to go about a step. */
  readonly guidance: readonly string[];
  /** What must not happen in it. */
  readonly constraints: readonly string[];
  /** What to make sure of before it is handed back. */
  readonly verify: readonly string[];
}

const subagentGuidance: Feature = {
  id: 'wr.features.subagent_guidance',
  title: 'Working with sub-agents',
  guidance: [
    'Give a sub-agent work that is bounded and can be judged without you: reading an area, searching, comparing options, attacking a draft. Decisions, edits and the final wording stay with you.',
    'Brief it in full, as it knows nothing of this conversation: the goal, what to read, what is out of scope, and the form its answer should have.',
    'Start independent pieces together, and weigh them only when all are back.',
    'If you have no sub-agents, do the pieces yourself one after another, each with a fresh look, and say so in the notes.',
  ],
  constraints: [
    'What a sub-agent reports is a claim. Check whatever the result hangs on against the source itself.',
    'The tokens of this run stay with you: a sub-agent never completes a step.',
    'No two of them change the same files.',
  ],
  verify: [
    'The notes say what each sub-agent was asked and what came of it, answers that were dropped included.',
    'Where their answers differ, you found out why; you did not count votes.',
  ],
};

const capabilities: Feature = {
  id: 'wr.features.capabilities',
  title: 'Knowing what you can do here',
  guidance: [
    'Before a step leans on something that not every agent has, such as sub-agents or the web, find out whether you have it: look at your tools, then try the smallest use that would be worth something.',
    'If you lack it, take the plain way: do the pieces in turn yourself, or work from the repository, its history and the documents at hand.',
  ],
  constraints: [
    'Never report what was not done: no page that was not opened, no sub-agent that did not run, no command whose output you did not see.',
    'One failed attempt with a temporary cause does not show that a capability is missing; two attempts are enough.',
  ],
  verify: [
    'Every capability the result rests on was really used.',
    'What could not be done is disclosed as a gap: what was missing, what was done instead, and what stays uncertain for it.',
  ],
};

const memoryContext: Feature = {
  id: 'wr.features.memory_context',
  title: 'Using what is already known',
  guidance: [
    'Look first for what is known already: the recap of this run, earlier sessions on the same ticket or branch, the notes and decisions kept in the project.',
    'Write notes for somebody who has none of this conversation: what was decided and why, what was tried in vain, what is open.',
  ],
  constraints: [
    'What is remembered is a lead and not a fact: the code may have moved on since. Check what you build on.',
    'Where two memories disagree, the newer one counts only if it knew of the older; otherwise settle it at the source.',
    'No secret and no personal data goes into notes or artifacts.',
  ],
  verify: [
    'What was taken over from earlier work is named, with where it comes from and how it was checked.',
    'A decision that was made before is followed, or overturned openly with the reason.',
  ],
};

/** Every feature there is, by its id. The set is closed: another id is a violation. */
export const features: ReadonlyMap<string, Feature> = new Map(
  [subagentGuidance, capabilities, memoryContext].map((feature) => [feature.id, feature]),
);
