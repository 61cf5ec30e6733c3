import { oddJson } from './odd-json.mjs';
import { oddTexts } from './odd-values.mjs';
import { envelope, inEra } from './raw-server.mjs';

/** Ids that a client may send, and ids that it may not. */
export const oddIds = [
  '0',
  '-1',
  '1',
  '"1"',
  '""',
  '"a"',
  '1.5',
  '1e3',
  '-0',
  '9007199254740993',
  '1e400',
  'null',
  'true',
  '[]',
  '{}',
  '"__proto__"',
  '"constructor"',
  String.raw`"\u0000"`,
  String.raw`"\ud800"`,
  `"${'i'.repeat(1000)}"`,
];

const methods = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'resources/subscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'tasks/list',
  'tasks/get',
  'tasks/cancel',
  'tasks/result',
  'tasks/update',
  'subscriptions/listen',
  'roots/list',
  'sampling/createMessage',
  'elicitation/create',
  'server/discover',
  'rpc.discover',
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
  'notifications/roots/list_changed',
  'notifications/tasks/status',
  'notifications/nobody',
  '',
  ' ',
  '__proto__',
  'constructor',
  'toString',
  'tools/call\u0000',
  'TOOLS/CALL',
  '../tools/call',
  'x'.repeat(1000),
];
const params = [
  undefined,
  'null',
  '{}',
  '[]',
  '[1,2]',
  '"x"',
  '5',
  'true',
  '{"_meta":null}',
  '{"_meta":{"progressToken":1}}',
  '{"_meta":{"progressToken":{}}}',
  '{"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"x"}}}',
  `{"_meta":${JSON.stringify(envelope)}}`,
  `{"name":"list_workflows","arguments":{},"_meta":${JSON.stringify(envelope)}}`,
  `{"name":"list_workflows","inputResponses":{"roots":{"roots":[{"uri":5}]},"person":5},"requestState":"x","_meta":${JSON.stringify(envelope)}}`,
  `{"name":"list_workflows","_meta":${JSON.stringify({ ...envelope, 'io.modelcontextprotocol/clientCapabilities': { roots: {}, elicitation: { form: 5 } } })}}`,
  `{"_meta":${JSON.stringify({ ...envelope, 'io.modelcontextprotocol/protocolVersion': '2030-01-01' })}}`,
  '{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}',
  '{"_meta":{"io.modelcontextprotocol/protocolVersion":5,"io.modelcontextprotocol/clientCapabilities":[]}}',
  '{"_meta":{"traceparent":5,"tracestate":{}}}',
  '{"_meta":{"traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\\n","tracestate":"a=1"}}',
  `{"_meta":${JSON.stringify({ ...envelope, traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', tracestate: `a=${'x'.repeat(1000)}` })}}`,
  '{"taskId":5}',
  '{"taskId":"x"}',
  '{"taskId":"__proto__"}',
  `{"taskId":"x","inputResponses":{"person":5},"_meta":${JSON.stringify(envelope)}}`,
  `{"taskId":"../../outside","_meta":${JSON.stringify(envelope)}}`,
  `{"notifications":5,"_meta":${JSON.stringify(envelope)}}`,
  `{"notifications":{"toolsListChanged":true},"_meta":${JSON.stringify(envelope)}}`,
  '{"cursor":5}',
  '{"cursor":"x"}',
  '{"name":5}',
  '{"name":null}',
  '{"name":"list_workflows"}',
  '{"name":"list_workflows","arguments":null}',
  '{"name":"list_workflows","arguments":"{}"}',
  '{"name":"list_workflows","arguments":[]}',
  '{"name":"list_workflows","task":{}}',
  '{"name":"list_workflows","task":{"ttl":-1}}',
  '{"name":"list_workflows","task":"x"}',
  '{"name":"__proto__"}',
  '{"name":"toString","arguments":{}}',
  '{"uri":5}',
  '{"uri":"file:///etc/passwd"}',
  '{"uri":"workrail://workflow-schema"}',
  '{"uri":"workrail://../../x"}',
  '{"requestId":0}',
  '{"requestId":"x"}',
  '{"requestId":null}',
  '{"requestId":{}}',
  '{"requestId":1,"reason":5}',
  '{"progressToken":1,"progress":1}',
  '{"progressToken":"own-1","progress":1e999}',
  '{"level":"x"}',
  '{"protocolVersion":5}',
  '{"protocolVersion":"1900-01-01","capabilities":{},"clientInfo":{"name":"x","version":"1"}}',
  '{"protocolVersion":"2025-11-25","capabilities":[],"clientInfo":null}',
];

/** What good clients say, as lines to be spoilt. None says a text that the books are kept by. */
const usual = [
  '{"jsonrpc":"2.0","id":7,"method":"ping"}',
  '{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{}}',
  '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"list_workflows","arguments":{"query":"review"}}}',
  '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"inspect_workflow","arguments":{"workflowId":"user.asking","mode":"preview"}}}',
  '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"start_workflow","arguments":{"workflowId":"user.chain","session":"RAW-1","context":{"about":"caf\u00e9 \u{1f600}"}}}}',
  '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"start_session","arguments":{"title":"A title","tags":["a","b"],"session":"RAW-2"}}}',
  '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"continue_workflow","arguments":{"stateToken":"@@state:1@@"}}}',
  '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"continue_workflow","arguments":{"stateToken":"@@pair:2:state@@","ackToken":"@@pair:2:ack@@","output":{"notesMarkdown":"Said and done.","artifacts":[{"kind":"report","value":[1,2.5,null]}]},"context":{"about":"x"}}}}',
  '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"checkpoint_workflow","arguments":{"stateToken":"@@state:3@@","output":{"notesMarkdown":"Kept on the way.","gaps":[{"category":"agent_disclosed","reason":"unsure","detail":"It was not there."}]}}}}',
  '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"resume_session","arguments":{"query":"review","limit":2}}}',
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7,"reason":"no longer wanted"}}',
  '{"jsonrpc":"2.0","id":7,"result":{"roots":[]}}',
  '{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no"}}',
];
const glue = ['\n', '\r\n', '\n\n', '\r', ' ', '', ',', '\u0000', '\ufeff', '\u2028'];
const signs = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ':',
  ',',
  '\\',
  '\n',
  '\r',
  '\u0000',
  '\u0001',
  '\u007f',
  '0',
  '-',
  'e',
  'null',
  '\ud83d',
  '"id":',
  '"jsonrpc":"1.0"',
  '"__proto__":{},',
];

/** One message that fits its form but not the protocol. */
function oddMessage(dice) {
  const given = dice.oneOf(params);
  const parts = [`"method":${JSON.stringify(dice.oneOf(methods))}`];
  if (dice.chance(0.97)) parts.unshift(dice.chance(0.95) ? '"jsonrpc":"2.0"' : '"jsonrpc":2');
  if (dice.chance(0.8)) parts.push(`"id":${dice.oneOf(oddIds)}`);
  if (given !== undefined) parts.push(`"params":${given}`);
  if (dice.chance(0.05)) parts.push(`${JSON.stringify(dice.oneOf(oddTexts))}:1`);
  return Buffer.from(`{${parts.join(',')}}`);
}

function spoil(dice, bytes) {
  const at = dice.below(bytes.length + 1);
  const cut = (from, to, between = '') =>
    Buffer.concat([bytes.subarray(0, from), Buffer.from(between, 'utf8'), bytes.subarray(to)]);
  const until = Math.min(bytes.length, at + 1 + dice.below(20));
  switch (dice.below(9)) {
    case 0: {
      const changed = Buffer.from(bytes);
      if (changed.length > 0) changed[at % changed.length] = dice.below(256);
      return changed;
    }
    case 1: {
      const changed = Buffer.from(bytes);
      if (changed.length > 0) changed[at % changed.length] ^= 1 << dice.below(8);
      return changed;
    }
    case 2:
      return bytes.subarray(0, at);
    case 3:
      return bytes.subarray(at);
    case 4:
      return cut(at, until);
    case 5:
      return Buffer.concat([bytes.subarray(0, until), bytes.subarray(at)]);
    case 6:
      return cut(at, at, dice.oneOf(signs));
    case 7:
      return cut(at, at, dice.oneOf(oddTexts).slice(0, 300));
    default:
      return cut(
        at,
        until,
        bytes
          .subarray(dice.below(bytes.length + 1))
          .toString('latin1')
          .slice(0, 20),
      );
  }
}

/** The same from a client of 2026-07-28, which says with each request who asks. */
function withEnvelope(line) {
  const message = JSON.parse(line);
  if (message.method === undefined || message.id === undefined) return line;
  return JSON.stringify({ ...message, params: inEra('modern', message.params) });
}

/** Bytes that end a line, mostly: a spoilt message, an odd one, odd JSON, several glued together, a batch. */
export function oddBytes(dice, put, era) {
  const said = (line) => (era === 'modern' ? withEnvelope(line) : line);
  const one = () => Buffer.from(put(said(dice.oneOf(usual))), 'utf8');
  const roll = dice.below(20);
  let bytes;
  if (roll < 9) {
    bytes = one();
    for (let times = 1 + dice.below(3); times > 0; times -= 1) bytes = spoil(dice, bytes);
  } else if (roll < 14) bytes = oddMessage(dice);
  else if (roll < 16) bytes = dice.oneOf(oddJson.filter((odd) => odd.bytes.length < 20_000)).bytes;
  else if (roll < 17) bytes = Buffer.concat([one(), Buffer.from(dice.oneOf(glue)), one()]);
  else if (roll < 18)
    bytes = Buffer.from(`[${Array.from({ length: dice.below(4) }, () => one().toString('utf8')).join(',')}]`);
  else if (roll < 19)
    bytes = Buffer.from(
      one()
        .toString('utf8')
        .replace('"id":7', `"id":${dice.oneOf(oddIds)}`),
    );
  else bytes = one();
  return dice.chance(0.97) ? Buffer.concat([bytes, Buffer.from(dice.oneOf(['\n', '\n', '\n', '\r\n']))]) : bytes;
}
