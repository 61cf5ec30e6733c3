import { authorTools } from './tools/author-tools.js';
import { catalogTools, commandTools } from './tools/catalog-tools.js';
import { runTools } from './tools/run-tools.js';
import { stateTools } from './tools/state-tools.js';
import type { RequestName } from './request-schemas.js';
import { reads, showing, type Tool, writes } from './tools/tool.js';

/** The tools, in the order they are listed. */
export const tools: { readonly [name in RequestName]: Tool } = {
  list_workflows: {
    title: 'List workflows',
    description:
      'Lists the workflows that can be started and when to use each. Call it when a task may have a workflow (a bug, a change to write or review, …), then start_workflow.',
    example: { query: 'bug' },
    aliases: { search: 'query', q: 'query', text: 'query', tags: 'tag' },
    byDefault: true,
    optional: false,
    annotations: reads,
  },
  inspect_workflow: {
    title: 'Inspect a workflow',
    description:
      'Shows one workflow before starting it: its inputs, recommended mode and violations; mode "preview" adds every step and what it asks back. Changes nothing.',
    example: { workflowId: 'wr.bug_investigation', mode: 'preview' },
    aliases: { id: 'workflowId', workflow: 'workflowId', name: 'workflowId' },
    byDefault: true,
    optional: false,
    annotations: reads,
  },
  start_workflow: {
    title: 'Start a workflow',
    ...showing(
      'Starts a run and returns its first step with a stateToken and an ackToken. Do the step, then call continue_workflow with both.',
      { workflowId: 'wr.bug_investigation', context: { symptom: 'Login fails with a 500', ticketId: 'AUTH-1234' } },
    ),
    aliases: {
      id: 'workflowId',
      workflow: 'workflowId',
      name: 'workflowId',
      sessionid: 'session',
      sessionkey: 'session',
      inputs: 'context',
    },
    byDefault: true,
    optional: false,
    annotations: { ...writes, idempotentHint: false },
  },
  continue_workflow: {
    title: 'Continue a workflow',
    ...showing(
      'With ackToken: completes the pending step, records output and context, and returns the next step. Without ackToken: shows the pending step again with a recap, and changes nothing; use it after losing the thread, or to fork from an earlier stateToken. Tokens do not age; calling twice with the same pair is safe.',
      {
        stateToken: 'st.v1.…',
        ackToken: 'ack.v1.…',
        output: { notesMarkdown: 'Found the cause in auth.ts. Next: fix.' },
      },
    ),
    aliases: { state: 'stateToken', ack: 'ackToken', confirm: 'confirmed', outputs: 'output' },
    byDefault: true,
    optional: false,
    annotations: writes,
  },
  checkpoint_workflow: {
    title: 'Record progress',
    ...showing(
      'Records notes or artifacts at a step without completing it, so that work outside the steps survives a lost or rewound chat.',
      { stateToken: 'st.v1.…', output: { notesMarkdown: 'Refactored login; tests pass.' } },
    ),
    aliases: { state: 'stateToken', outputs: 'output' },
    byDefault: true,
    optional: true,
    annotations: writes,
  },
  start_session: {
    title: 'Start a session',
    description:
      'Makes a session for notes alone, without a workflow, and returns a sessionToken for checkpoint_workflow.',
    example: { session: 'AUTH-1234', title: 'Login fails' },
    aliases: { key: 'session', sessionid: 'session', name: 'title' },
    byDefault: false,
    optional: true,
    annotations: { ...writes, idempotentHint: false },
  },
  resume_session: {
    title: 'Find earlier work',
    ...showing(
      'Finds work begun in an earlier chat by words, ticket, branch or commit, and returns where it stands with the tokens to go on. Changes nothing.',
      { query: 'AUTH-1234 login' },
    ),
    aliases: {
      search: 'query',
      q: 'query',
      text: 'query',
      branch: 'gitBranch',
      commit: 'gitHead',
      head: 'gitHead',
      session: 'sessionId',
    },
    byDefault: true,
    optional: true,
    annotations: reads,
  },
  ...authorTools,
  ...commandTools,
  ...runTools,
  ...stateTools,
  ...catalogTools,
};

export interface ToolEntry extends Tool {
  readonly name: RequestName;
}

export const toolCatalogue: readonly ToolEntry[] = (Object.keys(tools) as RequestName[]).map((name) => ({
  name,
  ...tools[name],
}));

/** The names of the first contract, for agents that were taught them. */
export const legacyToolNames: { readonly [legacy: string]: RequestName } = {
  workflow_list: 'list_workflows',
  workflow_inspect: 'inspect_workflow',
  workflow_start: 'start_workflow',
  workflow_advance: 'continue_workflow',
  workflow_checkpoint: 'checkpoint_workflow',
};

/** Tools of other programs of this kind, for agents that were taught those, and what takes their place here. */
export const earlierTools: { readonly [name: string]: RequestName } = {
  workflow_get: 'inspect_workflow',
  workflow_next: 'continue_workflow',
  workflow_resume: 'resume_session',
  workflow_validate: 'inspect_workflow',
};

export function instructionsFor(offered: ReadonlySet<RequestName>): string {
  const has = (name: RequestName, line: string): string => (offered.has(name) ? `\n${line}` : '');
  return `WorkRail walks you through proven workflows one step at a time and keeps what was done in a durable log. Use it when the user names a workflow, asks for a structured piece of work (investigate a bug, review a change, build something), or wants to go on with earlier work.

1. list_workflows, inspect_workflow: choose. 2. start_workflow: returns the first step, a stateToken and an ackToken. 3. Do the step, then continue_workflow with both tokens, output.notesMarkdown (what happened, what is next) and whatever the step asks back. Repeat until isComplete.

- Send tokens back exactly as given. They do not age.
- Lost the thread, or unsure where you are? continue_workflow with the stateToken alone shows the step again and changes nothing.${has('resume_session', '- A new chat? resume_session finds the work by words, ticket or branch.')}
- The chat was rewound? Go on with the tokens you have. A step that was done already keeps what it holds: work sent again with its ackToken is kept beside it, and the answer says how to make it a branch.${has('checkpoint_workflow', '- Doing much work between steps? checkpoint_workflow keeps it.')}
- "blocked" means that only the user can settle something: ask, then send their answer alone with the same tokens ("confirmed": true, or the context key); the rest is kept. An error names what to send instead.
- In the auto modes you play both roles: answer the workflow's questions to the user yourself by looking, make assumptions explicit, and disclose them in output.gaps (category agent_disclosed, with assumption).`;
}
