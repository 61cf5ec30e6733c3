import { createServer } from 'node:http';

/**
 * A model on loopback that real agent programs are pointed at: Anthropic's Messages, OpenAI's Responses, Gemini. It plays a
 * script: each request that offers tools gets the next entry, `(heard) => ({ tool, args })` or `{ text }`, where `heard` is
 * what the programs showed it of the tools' answers so far, newest last.
 */
export async function openScriptedModel(script) {
  const heard = [];
  const offered = new Set();
  let step = 0;
  const next = async () => {
    const entry = script[step];
    step += 1;
    return entry === undefined ? { text: 'done' } : entry(heard);
  };
  /** The offered tool that is meant: programs put the server's name before it. */
  const meant = ({ tool }, names) => (tool === undefined ? undefined : names.find((name) => name.endsWith(tool)));
  const hear = (texts) => {
    for (const text of texts.map(withoutFrame)) if (!heard.includes(text)) heard.push(text);
  };

  const anthropic = async (body) => {
    hear(
      body.messages.flatMap(({ content }) =>
        Array.isArray(content)
          ? content.filter(({ type }) => type === 'tool_result').map((part) => textOf(part.content))
          : [],
      ),
    );
    const names = (body.tools ?? []).map(({ name }) => name);
    for (const name of names) offered.add(name);
    const wanted = names.length === 0 ? { text: 'a title' } : await next();
    const name = meant(wanted, names);
    const block =
      name === undefined
        ? { type: 'text', text: '' }
        : { type: 'tool_use', id: `toolu_${step}_${Date.now()}`, name, input: {} };
    const delta =
      name === undefined
        ? { type: 'text_delta', text: wanted.text ?? `no tool ${wanted.tool}` }
        : { type: 'input_json_delta', partial_json: JSON.stringify(wanted.args) };
    const message = {
      id: `msg_${step}`,
      type: 'message',
      role: 'assistant',
      model: body.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    const stop_reason = name === undefined ? 'end_turn' : 'tool_use';
    if (body.stream !== true) {
      const content = name === undefined ? { ...block, text: delta.text } : { ...block, input: wanted.args };
      return { json: { ...message, content: [content], stop_reason } };
    }
    return {
      events: [
        { type: 'message_start', message },
        { type: 'content_block_start', index: 0, content_block: block },
        { type: 'content_block_delta', index: 0, delta },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } },
        { type: 'message_stop' },
      ],
    };
  };

  const responses = async (body) => {
    const input = Array.isArray(body.input) ? body.input : [];
    hear(input.filter(({ type }) => type === 'function_call_output').map(({ output }) => textOf(output)));
    const tools = (body.tools ?? []).flatMap((tool) =>
      tool.type === 'namespace'
        ? tool.tools.map(({ name }) => ({ namespace: tool.name, name }))
        : [{ name: tool.name ?? tool.type }],
    );
    for (const { name } of tools) offered.add(name);
    const wanted = await next();
    const name = meant(
      wanted,
      tools.map((tool) => tool.name),
    );
    const item =
      name === undefined
        ? {
            type: 'message',
            id: `msg_${step}`,
            role: 'assistant',
            content: [{ type: 'output_text', text: wanted.text ?? `no tool ${wanted.tool}` }],
          }
        : {
            type: 'function_call',
            id: `fc_${step}`,
            call_id: `call_${step}`,
            ...tools.find((tool) => tool.name === name),
            arguments: JSON.stringify(wanted.args),
          };
    const usage = { input_tokens: 1, input_tokens_details: null, output_tokens: 1, output_tokens_details: null };
    return {
      events: [
        { type: 'response.created', response: { id: `resp_${step}` } },
        { type: 'response.output_item.done', item },
        { type: 'response.completed', response: { id: `resp_${step}`, usage: { ...usage, total_tokens: 2 } } },
      ],
    };
  };

  const gemini = async (body, isStreamed) => {
    hear(
      (body.contents ?? []).flatMap(({ parts = [] }) =>
        parts.flatMap(({ functionResponse }) => (functionResponse ? [textOf(functionResponse.response)] : [])),
      ),
    );
    const names = (body.tools ?? []).flatMap(({ functionDeclarations = [] }) =>
      functionDeclarations.map(({ name }) => name),
    );
    for (const name of names) offered.add(name);
    const wanted =
      names.length === 0 ? { text: '{"model_choice":"flash","reasoning":"it is a script"}' } : await next();
    const name = meant(wanted, names);
    const part =
      name === undefined
        ? { text: wanted.text ?? `no tool ${wanted.tool}` }
        : { functionCall: { name, args: wanted.args } };
    const chunk = {
      candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
      modelVersion: 'scripted',
    };
    return isStreamed ? { events: [chunk] } : { json: chunk };
  };

  const answer = async (path, body) => {
    if (path.endsWith('/messages')) return anthropic(body);
    if (path.endsWith('/responses')) return responses(body);
    if (/:(?:streamG|g)enerateContent$/u.test(path)) return gemini(body, path.includes(':stream'));
    return path.endsWith('count_tokens') ? { json: { input_tokens: 1 } } : undefined;
  };
  const serve = async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const text = Buffer.concat(parts).toString('utf8');
    const answered = await answer(request.url.split('?')[0], text.startsWith('{') ? JSON.parse(text) : {});
    if (answered === undefined) return response.writeHead(404).end();
    if (answered.json !== undefined)
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answered.json));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of answered.events)
      response.write(`${event.type ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`);
    return response.end();
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    heard,
    offered,
    stepsTaken: () => step,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Codex says before each answer how long it took. */
const withoutFrame = (text) => text.replace(/^Wall time: .*\nOutput:\n/u, '');

/** What a program shows its model of an answer, whatever it is wrapped in. */
function textOf(value) {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).join('\n');
  if (typeof value !== 'object' || value === null) return '';
  if (typeof value.text === 'string') return value.text;
  if (value.output !== undefined) return textOf(value.output);
  return JSON.stringify(value);
}
