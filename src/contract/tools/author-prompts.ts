import { own } from '../../base/own.js';

interface Argument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

interface Prompt {
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly Argument[];
  readonly text: (given: (name: string) => string) => string;
}

const argument = (name: string, description: string, required = true): Argument => ({ name, description, required });

const wayToSave =
  'Check the text with validate_workflow and mend what it lists, until it says valid. Look at it with preview_rendered. Then save it with save_workflow, and tell me its id and where it lies. Do not start it, and delete nothing.';

/** What a person picks in their client: each is a task for the agent. */
const prompts: { readonly [name: string]: Prompt } = {
  author_workflow: {
    title: 'Write a workflow',
    description: 'Writes a new workflow for a goal, checks it and saves it',
    arguments: [
      argument('goal', 'what the workflow is for'),
      argument('system', 'what it works with: a repository, a service, a team', false),
      argument('constraints', 'what it must and must not do', false),
    ],
    text: (given) =>
      [
        `Write a WorkRail workflow, in YAML, for this goal: ${given('goal')}`,
        given('system') === '' ? '' : `It works with: ${given('system')}`,
        given('constraints') === '' ? '' : `It has to keep to this: ${given('constraints')}`,
        'Read the resources workrail://authoring and workrail://format first, or inspect_workflow with the cursor "format". See with list_workflows whether one is there already that fits, or that can be called as a routine.',
        'Keep it short: a step for each thing that must not be skipped, a prompt that says what to do and what to hand back, sets for each fact that a later condition reads, confirm before what cannot be undone.',
        wayToSave,
      ]
        .filter((line) => line !== '')
        .join('\n\n'),
  },
  extend_workflow: {
    title: 'Change a workflow',
    description: 'Changes a workflow, and keeps its order, comments and layout',
    arguments: [argument('workflowId', 'which workflow'), argument('change', 'what should be different')],
    text: (given) =>
      [
        `Change the workflow ${given('workflowId')}: ${given('change')}`,
        'Get it with get_workflow. Change no more than that: send save_workflow a patch with the revision as expectedRevision, so that the order of its steps, its comments and its layout stay.',
        wayToSave,
      ].join('\n\n'),
  },
  fix_workflow: {
    title: 'Fix a workflow',
    description: 'Mends the violations of a workflow, and changes nothing else',
    arguments: [
      argument('workflowId', 'which workflow'),
      argument('violations', 'what was said of it, if you have it', false),
    ],
    text: (given) =>
      [
        `The workflow ${given('workflowId')} has violations. Mend them, and change nothing else.`,
        given('violations') === '' ? '' : `What was said of it:\n${given('violations')}`,
        'validate_workflow lists them with line, column and what was expected; some come with the patch that mends them.',
        wayToSave,
      ]
        .filter((line) => line !== '')
        .join('\n\n'),
  },
  start_with_inputs: {
    title: 'Start a workflow with its inputs',
    description: 'Settles the inputs of a workflow with you, then starts it',
    arguments: [
      argument('workflowId', 'which workflow'),
      argument('inputs', 'what you know already, as name=value or in words', false),
    ],
    text: (given) =>
      [
        `Start the workflow ${given('workflowId')}.`,
        given('inputs') === '' ? '' : `I know this of its inputs: ${given('inputs')}`,
        'Hand what you know to resolve_inputs. Ask me for each input that it says to ask for, one question for all of them; guess none. Once it says ready, start_workflow with what it resolved.',
      ]
        .filter((line) => line !== '')
        .join('\n\n'),
  },
};

/** As clients list them. */
export const authorPrompts = Object.entries(prompts).map(([name, { title, description, arguments: args }]) => ({
  name,
  title,
  description,
  arguments: args,
}));

/** The message of a prompt; why it cannot be had, where it cannot. */
export function authorPrompt(
  name: string,
  given: Readonly<Record<string, unknown>>,
): { readonly description: string; readonly text: string } | string {
  const prompt = own(prompts, name);
  if (prompt === undefined)
    return `no prompt named ${JSON.stringify(name.slice(0, 80))}; there is ${Object.keys(prompts).join(', ')}`;
  const value = (argumentName: string): string => {
    const said = own(given, argumentName);
    return typeof said === 'string' ? said.trim() : '';
  };
  const missing = prompt.arguments.filter(({ name: one, required }) => required && value(one) === '');
  if (missing.length > 0)
    return `${name} needs ${missing.map(({ name: one, description }) => `${one} (${description})`).join(', ')}`;
  return { description: prompt.description, text: prompt.text(value) };
}
