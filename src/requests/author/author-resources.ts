import { contractPacks } from '../../definitions/contracts/contract-packs.js';
import { commandReference, formatReference } from '../../definitions/source/format-reference.js';
import { authoringGuide } from '../../contract/tools/authoring-guide.js';
import { agentResources, type Resource } from '../workflows/agent-resources.js';
import type { Environment } from '../world/environment.js';
import { listedEntry } from '../workflows/listed-entry.js';
import { fileTold } from './get-workflow.js';

const workflows = 'workrail://workflows';

/** Where a workflow's file is read: for clients that fill in the id. */
export const workflowTemplate = {
  uriTemplate: `${workflows}/{id}`,
  name: 'workflow-file',
  title: 'Workflow file',
  description: 'The text of a workflow file by the id of its workflow',
} as const;

/** What whoever writes workflows reads besides. */
const guides = (): readonly Resource[] => [
  {
    uri: 'workrail://format',
    name: 'format',
    title: 'Workflow format',
    description: 'Every key of a workflow file',
    mimeType: 'text/markdown',
    text: `${formatReference([...contractPacks.keys()])}\n\n${commandReference()}`,
  },
  {
    uri: 'workrail://authoring',
    name: 'authoring',
    title: 'Writing a workflow',
    description: 'How to write a good workflow, on one page',
    mimeType: 'text/markdown',
    text: authoringGuide,
  },
];

/** All that can be read, the list of workflows among it; their files are read by their ids. */
export async function authorResources(env: Environment): Promise<readonly Resource[]> {
  const listed = (await env.library.list()).map((entry) => {
    const { id, title, description, startable } = listedEntry(entry, { description: 600, violations: 5 });
    const { path, format, revision } = fileTold(entry);
    return { id, title, description, path, format, revision, startable };
  });
  return [
    ...agentResources(),
    ...guides(),
    {
      uri: workflows,
      name: 'workflows',
      title: 'Workflows',
      description: 'All workflows: id, title, description, path, format, revision',
      mimeType: 'application/json',
      text: JSON.stringify({ workflows: listed }, undefined, 1),
    },
  ];
}

/** The file of a workflow by its address. */
export async function workflowResource(env: Environment, uri: string): Promise<Resource | undefined> {
  const id = uri.startsWith(`${workflows}/`) ? decoded(uri.slice(workflows.length + 1)) : undefined;
  const found = id === undefined ? undefined : await env.library.find(id);
  if (found === undefined) return undefined;
  const { entry, source } = found;
  return {
    uri,
    name: entry.id,
    title: entry.title,
    description: entry.description,
    mimeType: fileTold(entry).format === 'json' ? 'application/json' : 'application/yaml',
    text: source,
  };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
