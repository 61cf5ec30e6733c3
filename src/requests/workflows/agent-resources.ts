import { workflowSchema } from '../../definitions/source/workflow-schema.js';

export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  readonly text: string;
}

/** What agents can read besides their calls. It is the same wherever they work. */
export const agentResources = (): readonly Resource[] => [
  {
    uri: 'workrail://workflow-schema',
    name: 'workflow-schema',
    title: 'Workflow file schema',
    description: 'JSON Schema (2020-12) of WorkRail workflow files, for writing one',
    mimeType: 'application/schema+json',
    text: JSON.stringify(workflowSchema(), undefined, 1),
  },
];
