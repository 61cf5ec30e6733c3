// docs/http-api.md, from the OpenAPI document that is served.

const intro = (catalogue) => `# The HTTP API

\`workrail serve\` serves the page and this API; the page uses nothing else. For every last field, see the OpenAPI 3.1 document at \`/api/openapi.json\`.

- The server is reachable only from this machine, unless you name an address with \`--host\`. Then each request needs \`Authorization: Bearer\` and the token that \`workrail serve\` printed.
- The Host, and the Origin if there is one, must be the server's own. Requests that change something need the header \`X-WorkRail: 1\`.
- In a path, name a session by its ID, its key, or a unique prefix of its ID.
- To get the next page of a list, send its \`nextCursor\` as \`cursor\`.

## Errors

Every error has the same form: \`error_code\`, \`category\`, \`message\`, \`context\`, \`retryable\`, \`suggested_action\` and \`correlation_id\`, and \`retry_after_ms\` and \`violations\` if they apply.

| status | category |
|---|---|
| 400 | \`validation\` (413 if something is too large, 405 if the method is not allowed) |
| 401, 403 | \`access\`: the token, the Host, the Origin or the header |
| 404 | \`not_found\` |
| 409 | \`conflict\` |
| 500 | \`internal\` |
| 503 | \`execution\` |

| error_code | category | meaning |
|---|---|---|
${Object.entries(catalogue)
  .map(([code, { category, retryable, meaning }]) => {
    const again = retryable ? ' The same request may succeed later.' : '';
    return `| \`${code}\` | \`${category}\` | ${meaning}${again} |`;
  })
  .join('\n')}

## Live events

\`/api/events\` and \`/api/sessions/{session}/live\` send server-sent events. A browser's EventSource reconnects by itself: each message has an ID, and \`Last-Event-ID\` (or \`from\`) brings every missed message once. The first message is \`ready\`; with \`reset: true\` the missed messages are no longer known, so fetch everything again. \`dropped\` means that the client reads too slowly, \`stopped\` that the server is stopping.

\`/workflow-states/{state}/stream\` does so for one shared state, and \`/ws\` is a WebSocket that follows any number of them: see [shared state](state.md#live).

## Routes
`;

export function httpApiPage({ paths }, catalogue) {
  const lines = [intro(catalogue)];
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { summary, parameters, requestBody, responses }] of Object.entries(methods)) {
      lines.push(`### ${method.toUpperCase()} ${path}`, '', `${summary}.`, '');
      const query = parameters.filter((parameter) => parameter.in === 'query');
      if (query.length > 0) lines.push('Query:', '', ...query.map(parameterLine), '');
      if (requestBody !== undefined) lines.push(...told('Body', requestBody.content));
      lines.push(...told('Answer', responses['200'].content));
    }
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

const parameterLine = ({ name, required, description, schema }) => line(name, required, { ...schema, description });

function line(name, required, { enum: choices, description }) {
  const words = choices === undefined ? '' : ` (${choices.map((choice) => `\`${choice}\``).join(', ')})`;
  return `- \`${name}\`${required ? '' : '?'}${words}: ${description}`;
}

function told(what, content) {
  const json = content['application/json'];
  if (json !== undefined) return asJson(`${what}: JSON`, json.schema);
  const messages = content['text/event-stream']?.['x-messages'];
  if (messages === undefined) return [`${what}: ${Object.keys(content).join(' or ')}.`, ''];
  return [
    `${what}: server-sent events.`,
    '',
    ...Object.entries(messages).flatMap(([name, message]) => asJson(`\`${name}\`: ${message.description}`, message)),
  ];
}

function asJson(what, { properties = {}, required = [] }) {
  const fields = Object.entries(properties).map(([name, schema]) => line(name, required.includes(name), schema));
  return fields.length === 0 ? [`${what}.`, ''] : [`${what}`, '', ...fields, ''];
}
