import { z } from 'zod';
import { gapCategories, gapSeverities } from '../base/closed-sets.js';
import { type GapId, idPatterns } from '../base/ids.js';
import { isJsonObject, type JsonObject } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { modeNames } from '../base/preferences.js';
import {
  assumptionPolicySchema,
  autonomySchema,
  gateHandlingSchema,
  riskPolicySchema,
} from '../base/preferences-schema.js';
import { authorSchemas } from './tools/author-schemas.js';
import { runSchemas } from './tools/run-schemas.js';
import { stateSchemas } from './tools/state-schemas.js';
import { catalogSchemas, commandSchemas } from './tools/catalog-schemas.js';

/** A caller's own JSON object, kept as it came. */
const jsonObject = z.custom<JsonObject>(isJsonObject, 'expected an object').meta({ type: 'object' });
const artifact = z
  .custom<JsonObject>(
    (value) => isJsonObject(value) && typeof value['kind'] === 'string' && value['kind'] !== '',
    'is no object with its "kind"',
  )
  .meta({ type: 'object', properties: { kind: { type: 'string' } }, required: ['kind'] });

const gap = z.strictObject({
  category: z.enum(gapCategories),
  reason: z
    .string()
    .min(1)
    .max(200)
    .describe(
      'for user_only_dependency one of needs_user_secret_or_token, needs_user_account_access, needs_user_artifact, needs_user_choice, needs_user_approval, needs_user_environment_action',
    ),
  detail: z.string().min(1).max(4000),
  severity: z.enum(gapSeverities).optional(),
  assumption: z.string().max(4000).optional().describe('what you assumed instead'),
  resolves: z
    .custom<GapId>(
      (value) => typeof value === 'string' && idPatterns.gap.test(value),
      'expected a gap id such as gap_1a2b3c4d',
    )
    .meta({ type: 'string' })
    .optional()
    .describe('id of an earlier gap this settles'),
});

const output = z.strictObject({
  notesMarkdown: z.string().optional().describe('what happened and what is next, ten lines or fewer'),
  artifacts: z.array(artifact).optional().describe('structured results of the kinds the step asks for'),
  gaps: z.array(gap).max(limits.gapCount).optional().describe('assumptions, skips and missing inputs to disclose'),
});

const preferences = z
  .strictObject({
    mode: z.enum(modeNames).optional(),
    autonomy: autonomySchema.optional(),
    gateHandling: gateHandlingSchema.optional(),
    assumptionPolicy: assumptionPolicySchema.optional(),
    riskPolicy: riskPolicySchema.optional(),
  })
  .describe('a mode sets all four; single values overrule it');

const stateToken = z.string().describe('stateToken of an earlier answer, unchanged');
const sessionName = z.string().max(limits.sessionKey).regex(/\S/u, 'is blank');
const cursor = z.string().max(100).describe('nextCursor of the page before');

export const requestSchemas = {
  list_workflows: z.strictObject({
    query: z.string().max(limits.query).optional().describe('words to look for in id, title, description and tags'),
    tag: z.string().max(limits.tag).optional(),
    kind: z.enum(['workflow', 'routine']).optional(),
    cursor: cursor.optional(),
  }),
  inspect_workflow: z.strictObject({
    workflowId: z.string().min(1).max(200),
    mode: z
      .enum(['metadata', 'preview', 'source'])
      .optional()
      .describe('metadata (default); preview: every step; source: the file'),
    cursor: cursor.optional(),
  }),
  start_workflow: z.strictObject({
    workflowId: z.string().min(1).max(200),
    context: jsonObject.optional().describe('inputs of the workflow by name, and facts such as ticketId or branch'),
    session: sessionName
      .optional()
      .describe('key of the workstream, such as AUTH-1234, or a session id; context.ticketId serves too'),
    mode: z
      .enum(modeNames)
      .optional()
      .describe('how far to go without the user: guided (default), auto_stop, auto_never_stop'),
    preferences: preferences.optional(),
    fresh: z.boolean().optional().describe('true starts another run where the same one stands untouched'),
  }),
  continue_workflow: z.strictObject({
    stateToken,
    ackToken: z
      .string()
      .optional()
      .describe('ackToken given with the step; leave it out to look again without advancing'),
    context: jsonObject.optional().describe('facts that steer later steps; a patch, null deletes'),
    output: output.optional().describe('durable memory of the step'),
    confirmed: z.boolean().optional().describe('true once the user has agreed to this step, false once they said no'),
    preferences: preferences.optional(),
    page: z.string().max(40).optional().describe('a page that an answer named (older recap, more branches)'),
  }),
  checkpoint_workflow: z.strictObject({
    stateToken: stateToken.optional(),
    sessionToken: z.string().optional().describe('of start_session, in place of stateToken'),
    output,
  }),
  start_session: z.strictObject({
    title: z.string().min(1).max(limits.title).optional(),
    tags: z.array(z.string().min(1).max(limits.tag)).max(limits.tagCount).optional(),
    session: sessionName.optional().describe('key of the workstream, such as AUTH-1234'),
  }),
  resume_session: z.strictObject({
    query: z.string().max(limits.query).optional().describe('words of the work: ticket, topic, branch'),
    gitBranch: z.string().max(300).optional(),
    gitHead: z
      .string()
      .regex(/^[0-9a-fA-F]{7,64}$/u, 'is no commit: 7 to 64 hexadecimal digits')
      .optional(),
    sessionId: z.string().max(limits.sessionKey).optional(),
    limit: z.number().int().min(1).max(limits.resumeCandidates).optional(),
  }),
  ...authorSchemas,
  ...commandSchemas,
  ...runSchemas,
  ...stateSchemas,
  ...catalogSchemas,
} as const;

export type RequestName = keyof typeof requestSchemas;
export type RequestOf<N extends RequestName> = z.output<(typeof requestSchemas)[N]>;
