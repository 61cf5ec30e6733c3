import type { RequestName } from './request-schemas.js';

/** Spellings that agents use for a field, besides other case and separators, which are folded anyway. */
export const fieldAliases: { readonly [name in RequestName]: { readonly [alias: string]: string } } = {
  list_workflows: { search: 'query', q: 'query', text: 'query', tags: 'tag' },
  inspect_workflow: { id: 'workflowId', workflow: 'workflowId', name: 'workflowId' },
  start_workflow: {
    id: 'workflowId',
    workflow: 'workflowId',
    name: 'workflowId',
    sessionid: 'session',
    sessionkey: 'session',
    inputs: 'context',
  },
  continue_workflow: { state: 'stateToken', ack: 'ackToken', confirm: 'confirmed', outputs: 'output' },
  checkpoint_workflow: { state: 'stateToken', outputs: 'output' },
  start_session: { key: 'session', sessionid: 'session', name: 'title' },
  resume_session: {
    search: 'query',
    q: 'query',
    text: 'query',
    branch: 'gitBranch',
    commit: 'gitHead',
    head: 'gitHead',
    session: 'sessionId',
  },
};

export const outputAliases: { readonly [alias: string]: string } = {
  notes: 'notesMarkdown',
  note: 'notesMarkdown',
  summary: 'notesMarkdown',
  markdown: 'notesMarkdown',
  artifact: 'artifacts',
  artefact: 'artifacts',
  artefacts: 'artifacts',
  gap: 'gaps',
};

export const foldName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/gu, '');
