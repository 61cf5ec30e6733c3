import { join } from 'node:path';
import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  type Server,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';
import type { JsonObject } from '../../src/base/json-value.js';
import type { Reply } from '../../src/contract/reply.js';
import { anything } from '../../src/mcp/anything.js';
import { clientAsker } from '../../src/mcp/asked.js';
import { personSaid } from '../../src/mcp/person-asker.js';
import { undeclared } from '../../src/mcp/task-errors.js';
import { answerTask, callAsTask } from '../../src/mcp/tasks.js';
import type { TasksServed } from '../../src/mcp/tasks-served.js';
import { toolResult } from '../../src/mcp/tool-result.js';
import { rejectionReply } from '../../src/render/answers/rejection-reply.js';
import { openTaskStore, type TaskPlan, type TaskStore } from '../worlds/task-store.js';

type Args = Readonly<Record<string, unknown>>;

/** A tool that takes its time, or a person's word. */
interface Job {
  readonly properties: Readonly<Record<string, { readonly type: string }>>;
  /** It can be had as a task and in no other way. */
  readonly required?: true;
  readonly plan: (args: Args) => TaskPlan;
}

const form = (message: string, properties: JsonObject) => ({
  message,
  requestedSchema: { type: 'object', properties },
});
const sure = { confirm: { type: 'boolean' } };

const jobs: Readonly<Record<string, Job>> = {
  slow_compute: {
    properties: { seconds: { type: 'number' }, label: { type: 'string' } },
    plan: ({ seconds, label }) => ({ text: `Computed: ${String(label)}`, seconds: Number(seconds ?? 0) }),
  },
  failing_job: {
    properties: {},
    required: true,
    plan: () => ({ text: 'It did not work out.', seconds: 1, ends: 'refused' }),
  },
  protocol_error_job: { properties: {}, plan: () => ({ text: 'It broke.', seconds: 1, ends: 'broken' }) },
  confirm_delete: {
    properties: { filename: { type: 'string' } },
    plan: ({ filename }) => ({
      text: `Deleted: ${String(filename)}`,
      questions: { confirm: form(`Delete ${String(filename)}?`, sure) },
    }),
  },
  multi_input: {
    properties: {},
    plan: () => ({
      text: 'Both are there.',
      questions: {
        name: form('Which name?', { name: { type: 'string' } }),
        confirm: form('Is it right?', sure),
      },
    }),
  },
};

/** It asks at once, and goes on as a task. */
const asksFirst = 'test_tool_with_task';

export const taskTools: readonly Tool[] = [
  ...Object.entries(jobs).map(([name, { properties }]) => described(name, properties)),
  described(asksFirst, {}),
];

function described(name: string, properties: Job['properties']): Tool {
  return { name, description: `For the conformance suite: ${name}`, inputSchema: { type: 'object', properties } };
}

export interface FixtureTasks {
  /** What a tool of its own answers, and nothing for all others. */
  call(
    name: string,
    args: Args,
    context: ServerContext,
  ): Promise<Readonly<Record<string, unknown>> | CallToolResult | InputRequiredResult> | undefined;
}

export const openFixtureTasks = (folder: string): TaskStore =>
  openTaskStore(join(folder, 'tasks'), {
    now: () => Date.now(),
    refuse: (told) => rejectionReply(told, 'none', new Set()),
  });

/** The tools and methods of tasks on a server of 2026-07-28, through what the product answers them with. */
export function serveTasks(server: Server, store: TaskStore, log: (line: string) => void): FixtureTasks {
  const asker = clientAsker(server, 'modern', { log });
  const served = (context: ServerContext): TasksServed => ({
    era: 'modern',
    asked: asker(context),
    open: () => Promise.resolve(store),
    result: (reply) => toolResult(reply, { structuredContent: false }),
    atOnce: new Map(),
    shown: new Map(),
    log,
  });
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
    server.setRequestHandler(method, { params: anything, result: anything }, (params, context) =>
      answerTask(method, params, served(context)),
    );
  const asTask = (plan: TaskPlan, context: ServerContext) => {
    const taskId = store.make(plan);
    const reply: Reply = { failed: false, lookup: false, text: plan.text, answer: {} };
    return callAsTask({ ...reply, task: { waits: true, id: () => taskId } }, served(context));
  };
  return {
    call(name, args, context) {
      const asked = asker(context);
      if (name === asksFirst) {
        const said = personSaid(asked.answered().get('user_name'));
        if (said?.action !== 'accept') return Promise.resolve(asksForName);
        return asTask({ text: `Hello, ${JSON.stringify(said.content['name'])}!` }, context);
      }
      const job = Object.hasOwn(jobs, name) ? jobs[name] : undefined;
      if (job === undefined) return undefined;
      if (asked.takes.tasks) return asTask(job.plan(args), context);
      if (job.required === true) return Promise.reject(undeclared(name));
      return Promise.resolve({ content: [{ type: 'text', text: job.plan(args).text }] });
    },
  };
}

const asksForName = inputRequired({
  inputRequests: {
    user_name: inputRequired.elicit({
      message: 'What is your name?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    }),
  },
});
