import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { isJsonObject } from '../base/json-value.js';
import { authorPrompt, authorPrompts } from '../contract/tools/author-prompts.js';
import { workflowTemplate } from '../requests/author/author-resources.js';
import type { Era } from './asked.js';
import type { Method, RequestsFor } from './method.js';
import { protocolError } from './protocol-error.js';

/** What whoever writes workflows can read and pick, besides the tools. Files change under way: nothing of it lasts. */
export function authorMethods(requests: RequestsFor, era: Era): readonly (readonly [string, Method])[] {
  const notLasting = era === 'modern' ? { ttlMs: 0, cacheScope: 'private' } : {};
  const resources = async (asked: Parameters<Method>[1]): Promise<NonNullable<Opened>> => {
    const opened = (await requests(asked, 'anywhere'))?.resources;
    if (opened === undefined) throw new Error('a server that offers authoring has resources');
    return opened;
  };
  return [
    [
      'resources/list',
      async (_params, asked) => ({
        resources: (await (await resources(asked)).list()).map(({ text: _text, ...told }) => told),
        ...notLasting,
      }),
    ],
    [
      'resources/read',
      async ({ uri }, asked) => {
        const found = typeof uri === 'string' ? await (await resources(asked)).read(uri) : undefined;
        if (found === undefined)
          throw invalid(
            `no resource ${typeof uri === 'string' ? JSON.stringify(uri.slice(0, 200)) : 'without a uri'}; resources/list names them, and ${workflowTemplate.uriTemplate} a workflow`,
          );
        const { mimeType, text } = found;
        return { contents: [{ uri, mimeType, text }], ...notLasting };
      },
    ],
    ['resources/templates/list', () => ({ resourceTemplates: [workflowTemplate], ...notLasting })],
    ['prompts/list', () => ({ prompts: authorPrompts, ...notLasting })],
    [
      'prompts/get',
      ({ name, arguments: given }) => {
        const said = authorPrompt(typeof name === 'string' ? name : '', isJsonObject(given) ? given : {});
        if (typeof said === 'string') throw invalid(said);
        const { description, text } = said;
        return { description, messages: [{ role: 'user', content: { type: 'text', text } }] };
      },
    ],
  ];
}

type Opened = NonNullable<Awaited<ReturnType<RequestsFor>>>['resources'];

const invalid = (message: string): Error => protocolError(ProtocolErrorCode.InvalidParams, message);
