// docs/http-api.md, from the OpenAPI document that is served.

const intro = (catalogue) => `# The HTTP API

\`workrail serve\` serves it beside the page, which uses nothing else. The same as an OpenAPI 3.1 document, down to the last field: \`/api/openapi.json\`.

- The server listens on this machine alone unless \`--host\` names an address; then each request carries \`Authorization: Bearer\` and the token that was printed.
- The Host, and the Origin where there is one, must be the server's own. What changes something needs the header \`X-WorkRail: 1\`.
- A session in a path is its id, its key, or how only one id begins.
- Lists go on with \`cursor\`, which is \`nextCursor\` of the page before.

## What goes wrong

Every refusal has the same form: \`error_code\`, \`category\`, \`message\`, \`context\`, \`retryable\`, \`suggested_action\` and \`correlation_id\`; where it applies also \`retry_after_ms\` and \`violations\`.

| status | category |
|---|---|
| 400 | \`validation\` (413 where something is too large, 405 for a method that is not answered) |
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

\`/api/events\` and \`/api/sessions/{session}/live\` send server-sent events. A browser's EventSource goes on by itself after a break: each message has an id, and \`Last-Event-ID\` (or \`from\`) brings what was missed, once. The first message is \`ready\`; with \`reset: true\` what was missed is not known any more, so that what is shown is to be asked for again. \`dropped\` is said to a reader who takes nothing, \`stopped\` when the server ends.

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
  return fields.length === 0 ? [`${what} with fields of its own.`, ''] : [`${what}`, '', ...fields, ''];
}
