import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type CallToolResult,
  type ContentBlock,
  CLIENT_CAPABILITIES_META_KEY,
  type ElicitRequestFormParams,
  inputRequired,
  type InputRequiredResult,
  MissingRequiredClientCapabilityError,
  type PromptMessage,
  Server,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';
import { isJsonObject } from '../../src/base/json-value.js';
import { type Era, tasksExtension } from '../../src/mcp/asked.js';
import { openHttpSessions } from '../../src/mcp/http-sessions.js';
import { PlainServer } from '../../src/mcp/plain-server.js';
import { serveRequests } from '../worlds/http-world.js';
import { makeRequestsWorld } from '../worlds/requests-world.js';
import type { TaskStore } from '../worlds/task-store.js';
import { askFirst, askingTools } from './fixture-asks.js';
import { openFixtureTasks, serveTasks, taskTools } from './fixture-tasks.js';

/** One red pixel, and no sound at all. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const wav = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==';

type Call = (
  server: Server,
  args: Readonly<Record<string, unknown>>,
  extra: {
    readonly progressToken: string | number | undefined;
    readonly notify: (method: 'notifications/message' | 'notifications/progress', params: object) => Promise<void>;
    readonly ask: Ask;
    readonly log: (line: string) => Promise<void>;
    /** What the client says that it can, with a request of 2026-07-28. */
    readonly can: (capability: string) => boolean;
  },
) => Promise<CallToolResult | InputRequiredResult>;
interface Ask {
  sample(prompt: string): Promise<string>;
  elicit(params: ElicitRequestFormParams): Promise<string>;
}

const said = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });
const shown = (...content: ContentBlock[]): CallToolResult => ({ content });
const noArguments = { type: 'object' as const, properties: {} };
const one = (name: string): Tool['inputSchema'] => ({
  type: 'object',
  properties: { [name]: { type: 'string' } },
  required: [name],
});
const picks = (names: readonly string[], titles: readonly string[]): { const: string; title: string }[] =>
  names.map((name, index) => ({ const: name, title: titles[index]! }));

/** What the suite asks of a server besides the protocol: tools, resources and prompts of given names. Nothing of it is in the product. */
const tools: Readonly<Record<string, { readonly inputSchema: Tool['inputSchema']; readonly call: Call }>> = {
  test_simple_text: { inputSchema: noArguments, call: async () => said('This is a simple text response for testing.') },
  test_image_content: {
    inputSchema: noArguments,
    call: async () => shown({ type: 'image', data: png, mimeType: 'image/png' }),
  },
  test_audio_content: {
    inputSchema: noArguments,
    call: async () => shown({ type: 'audio', data: wav, mimeType: 'audio/wav' }),
  },
  test_embedded_resource: {
    inputSchema: noArguments,
    call: async () =>
      shown({
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      }),
  },
  test_multiple_content_types: {
    inputSchema: noArguments,
    call: async () =>
      shown(
        { type: 'text', text: 'Multiple content types test:' },
        { type: 'image', data: png, mimeType: 'image/png' },
        {
          type: 'resource',
          resource: {
            uri: 'test://mixed-content-resource',
            mimeType: 'application/json',
            text: '{"test":"data","value":123}',
          },
        },
      ),
  },
  test_tool_with_logging: {
    inputSchema: noArguments,
    call: async (_server, _args, { notify }) => {
      for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await notify('notifications/message', { level: 'info', data });
        await pause(50);
      }
      return said('Three lines were logged.');
    },
  },
  test_tool_with_progress: {
    inputSchema: noArguments,
    call: async (_server, _args, { notify, progressToken }) => {
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined)
          await notify('notifications/progress', { progressToken, progress, total: 100 });
        await pause(50);
      }
      return said('All of it is done.');
    },
  },
  greet: {
    inputSchema: one('name'),
    call: async (_server, { name }) => said(`Hello, ${String(name)}!`),
  },
  test_error_handling: {
    inputSchema: noArguments,
    call: async () => ({ ...said('This tool intentionally returns an error for testing'), isError: true }),
  },
  test_sampling: {
    inputSchema: one('prompt'),
    call: async (_server, { prompt }, { ask }) => said(`LLM response: ${await ask.sample(String(prompt))}`),
  },
  test_elicitation: {
    inputSchema: one('message'),
    call: async (_server, { message }, { ask }) =>
      said(
        `User response: ${await ask.elicit({
          message: String(message),
          requestedSchema: {
            type: 'object',
            properties: {
              username: { type: 'string', description: "User's response" },
              email: { type: 'string', description: "User's email address" },
            },
            required: ['username', 'email'],
          },
        })}`,
      ),
  },
  test_elicitation_sep1034_defaults: {
    inputSchema: noArguments,
    call: async (_server, _args, { ask }) =>
      said(
        `Elicitation completed: ${await ask.elicit({
          message: 'Is this right?',
          requestedSchema: {
            type: 'object',
            properties: {
              name: { type: 'string', default: 'John Doe' },
              age: { type: 'integer', default: 30 },
              score: { type: 'number', default: 95.5 },
              status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
              verified: { type: 'boolean', default: true },
            },
          },
        })}`,
      ),
  },
  test_elicitation_sep1330_enums: {
    inputSchema: noArguments,
    call: async (_server, _args, { ask }) =>
      said(
        `Elicitation completed: ${await ask.elicit({
          message: 'Which ones?',
          requestedSchema: {
            type: 'object',
            properties: {
              untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
              titledSingle: {
                type: 'string',
                oneOf: picks(['value1', 'value2', 'value3'], ['First Option', 'Second Option', 'Third Option']),
              },
              legacyEnum: {
                type: 'string',
                enum: ['opt1', 'opt2', 'opt3'],
                enumNames: ['Option One', 'Option Two', 'Option Three'],
              },
              untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
              titledMulti: {
                type: 'array',
                items: {
                  anyOf: picks(['value1', 'value2', 'value3'], ['First Choice', 'Second Choice', 'Third Choice']),
                },
              },
            },
          },
        })}`,
      ),
  },
  test_missing_capability: {
    inputSchema: noArguments,
    call: async (_server, _args, { can }) => {
      if (!can('sampling')) throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
      return said('It can.');
    },
  },
  test_streaming_elicitation: {
    inputSchema: noArguments,
    call: async (_server, _args, { notify }) => {
      await notify('notifications/progress', { progressToken: 'streaming', progress: 1, total: 2 });
      return inputRequired({
        inputRequests: {
          name: inputRequired.elicit({ message: 'Who is there?', requestedSchema: { type: 'object', properties: {} } }),
        },
      });
    },
  },
  test_logging_tool: {
    inputSchema: noArguments,
    call: async (_server, _args, { log }) => {
      await log('A line that is told to those who asked for lines.');
      return said('It was logged, where that was wanted.');
    },
  },
  json_schema_2020_12_tool: {
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    call: async () => said('Kept as it is.'),
  },
};

const resources: Readonly<
  Record<string, { readonly mimeType: string; readonly text?: string; readonly blob?: string }>
> = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: png },
  'test://watched-resource': { mimeType: 'text/plain', text: 'Nothing has changed.' },
};

const userSays = (...content: PromptMessage['content'][]): { messages: PromptMessage[] } => ({
  messages: content.map((part) => ({ role: 'user', content: part })),
});
const prompts: Readonly<
  Record<
    string,
    {
      readonly arguments: readonly string[];
      readonly get: (args: Readonly<Record<string, string>>) => { messages: PromptMessage[] };
    }
  >
> = {
  test_simple_prompt: {
    arguments: [],
    get: () => userSays({ type: 'text', text: 'This is a simple prompt for testing.' }),
  },
  test_prompt_with_arguments: {
    arguments: ['arg1', 'arg2'],
    get: ({ arg1 = '', arg2 = '' }) =>
      userSays({ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
  },
  test_prompt_with_embedded_resource: {
    arguments: ['resourceUri'],
    get: ({ resourceUri = '' }) =>
      userSays(
        {
          type: 'resource',
          resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        },
        { type: 'text', text: 'Please process the embedded resource above.' },
      ),
  },
  test_prompt_with_image: {
    arguments: [],
    get: () =>
      userSays(
        { type: 'image', data: png, mimeType: 'image/png' },
        { type: 'text', text: 'Please analyze the image above.' },
      ),
  },
};

/** What is said to the client belongs to this call, and goes out on its stream. */
function toClient({ mcpReq }: ServerContext): Parameters<Call>[2] {
  return {
    progressToken: mcpReq._meta?.progressToken,
    log: (line) => mcpReq.log('info', line),
    can: (capability) => {
      const envelope: unknown = mcpReq.envelope;
      const said = isJsonObject(envelope) ? envelope[CLIENT_CAPABILITIES_META_KEY] : undefined;
      return isJsonObject(said) && Object.hasOwn(said, capability);
    },
    notify: (method, params) => mcpReq.notify({ method, params } as Parameters<typeof mcpReq.notify>[0]),
    ask: {
      sample: async (prompt) => {
        const { content } = await mcpReq.requestSampling({
          messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
          maxTokens: 100,
        });
        return 'text' in content ? content.text : JSON.stringify(content);
      },
      elicit: async (asked) => {
        const { action, content } = await mcpReq.elicitInput(asked);
        return `action=${action}, content=${JSON.stringify(content ?? {})}`;
      },
    },
  };
}

function fixtureServer(era: Era, store: TaskStore): Server {
  const capabilities = { tools: {}, resources: { subscribe: true }, prompts: {}, logging: {}, completions: {} };
  const info = { name: 'workrail-fixtures', version: '1' };
  const server =
    era === 'legacy'
      ? new Server(info, { capabilities })
      : new PlainServer(info, { capabilities: { ...capabilities, extensions: { [tasksExtension]: {} } } });
  const tasks = era === 'modern' ? serveTasks(server, store, log) : undefined;
  server.setRequestHandler('tools/list', () => ({
    tools: [
      ...Object.entries(tools).map(([name, { inputSchema }]) => ({
        name,
        description: `For the conformance suite: ${name}`,
        inputSchema,
      })),
      ...taskTools,
      ...askingTools,
    ],
  }));
  server.setRequestHandler('tools/call', async ({ params }, context): Promise<CallToolResult | InputRequiredResult> => {
    const ofTask = tasks?.call(params.name, params.arguments ?? {}, context);
    if (ofTask !== undefined) return (await ofTask) as CallToolResult;
    const first = era === 'modern' ? askFirst(params.name, context) : undefined;
    if (first !== undefined) return 'text' in first ? said(first.text) : (first.wanted as InputRequiredResult);
    const tool = tools[params.name];
    if (tool === undefined) throw Object.assign(new Error(`there is no tool ${params.name}`), { code: -32602 });
    return tool.call(server, params.arguments ?? {}, toClient(context));
  });
  server.setRequestHandler('resources/list', () => ({
    resources: Object.entries(resources).map(([uri, { mimeType }]) => ({
      uri,
      name: uri,
      description: `For the conformance suite: ${uri}`,
      mimeType,
    })),
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      {
        uriTemplate: 'test://template/{id}/data',
        name: 'template',
        description: 'For the conformance suite',
        mimeType: 'application/json',
      },
    ],
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const id = /^test:\/\/template\/([^/]+)\/data$/u.exec(uri)?.[1];
    if (id !== undefined)
      return {
        contents: [
          {
            uri,
            mimeType: 'application/json',
            text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
          },
        ],
      };
    const found = resources[uri];
    if (found === undefined) throw Object.assign(new Error(`there is no resource ${uri}`), { code: -32602 });
    const { mimeType, text, blob } = found;
    return { contents: [text === undefined ? { uri, mimeType, blob: blob ?? '' } : { uri, mimeType, text }] };
  });
  server.setRequestHandler('resources/subscribe', () => ({}));
  server.setRequestHandler('resources/unsubscribe', () => ({}));
  server.setRequestHandler('logging/setLevel', () => ({}));
  server.setRequestHandler('completion/complete', () => ({ completion: { values: [], total: 0, hasMore: false } }));
  server.setRequestHandler('prompts/list', () => ({
    prompts: Object.entries(prompts).map(([name, { arguments: names }]) => ({
      name,
      description: `For the conformance suite: ${name}`,
      arguments: names.map((argument) => ({ name: argument, description: argument, required: true })),
    })),
  }));
  server.setRequestHandler('prompts/get', ({ params }, context) => {
    const first = era === 'modern' ? askFirst(params.name, context) : undefined;
    if (first !== undefined)
      return 'text' in first ? userSays({ type: 'text', text: first.text }) : (first.wanted as InputRequiredResult);
    const prompt = prompts[params.name];
    if (prompt === undefined) throw Object.assign(new Error(`there is no prompt ${params.name}`), { code: -32602 });
    return prompt.get(params.arguments ?? {});
  });
  return server;
}

const log = (line: string): void => void process.stderr.write(`${line}\n`);

/** The same door and the same transport as the product's, with the suite's fixtures behind them. */
export async function openFixtureServer(): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const world = makeRequestsWorld({ seed: 1 });
  const folder = mkdtempSync(join(tmpdir(), 'fixture-tasks-'));
  const store = openFixtureTasks(folder);
  const sessions = openHttpSessions({
    makeServer: (era) => fixtureServer(era, store),
    now: () => performance.now(),
    log,
  });
  const served = await serveRequests(world.open(), { mcp: (request) => sessions.handle(request) });
  return {
    url: `${served.origin}/mcp`,
    close: async () => {
      await sessions.close();
      await served.close();
      await world.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
