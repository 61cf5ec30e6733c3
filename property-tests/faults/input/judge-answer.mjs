// What an answer must be like, whatever was asked.

/** Codes of JSON-RPC for what a client did wrong. -32603 would be a mistake of ours. */
const protocolCodes = new Set([-32700, -32600, -32601, -32602, -32021, -32022]);
const errorCodes = new Set([
  'VALIDATION_ERROR',
  'STEP_INCOMPLETE',
  'NOT_FOUND',
  'WORKFLOW_INVALID',
  'TOKEN_MALFORMED',
  'TOKEN_UNKNOWN',
  'TOKEN_FOREIGN',
  'TOKEN_SCOPE_MISMATCH',
  'TOKEN_VERSION',
  'SESSION_BUSY',
  'SESSION_CHANGED',
  'SESSION_DAMAGED',
  'SESSION_NEWER_FORMAT',
  'LIMIT_EXCEEDED',
  'PRECONDITION_FAILED',
  'STORAGE_FAULT',
]);

/** What is wrong with an answer over JSON-RPC; `asked` is what it answers, for the report. */
export function judgeAnswer(message, asked) {
  const said = () => `${JSON.stringify(message).slice(0, 400)} to ${asked.slice(0, 300)}`;
  if (message === undefined) return [`the server went away at ${asked.slice(0, 300)}`];
  if (message === 'late') return [`no answer to ${asked.slice(0, 300)}`];
  if (message.error !== undefined) {
    const { code, message: words } = message.error;
    if (!protocolCodes.has(code) || typeof words !== 'string' || words === '')
      return [`an error that is not the client's: ${said()}`];
    return words.length > 20_000 ? [`an error of ${words.length} characters: ${said()}`] : [];
  }
  const { result } = message;
  if (typeof result !== 'object' || result === null) return [`a result that is no object: ${said()}`];
  return result._meta?.['workrail/answer'] === undefined
    ? result.content === undefined
      ? []
      : [`a tool's result without its answer: ${said()}`]
    : judgeResult(result, said);
}

function judgeResult(result, said) {
  const answer = result._meta['workrail/answer'];
  const text = result.content?.[0]?.text;
  const wrong = [];
  if (typeof text !== 'string' || text === '') wrong.push(`a result without words: ${said()}`);
  else if (/\bat \S+ \((?:file|node):|RangeError|TypeError|ReferenceError/u.test(text) && result.isError === true)
    wrong.push(`a stack or an exception in the words: ${said()}`);
  if (result.isError === true) wrong.push(...judgeRejection(answer).map((what) => `${what}: ${said()}`));
  return wrong;
}

/** One payload for every rejection, on every door. A command names no correlation id, and has codes of its own. */
export function judgeRejection(answer, ofCommands) {
  const wrong = [];
  const {
    error_code: code,
    category,
    message,
    retryable,
    suggested_action: action,
    correlation_id: correlation,
  } = answer;
  if (!errorCodes.has(code) && ofCommands?.test(code) !== true)
    wrong.push(`an error code that no client can cause: ${code}`);
  if (!['validation', 'not_found', 'conflict', 'execution'].includes(category))
    wrong.push(`a category that is none: ${category}`);
  if (typeof message !== 'string' || message === '' || message.length > 100_000)
    wrong.push('a rejection without a message of fair length');
  if (typeof retryable !== 'boolean') wrong.push('a rejection that does not say whether it can be tried again');
  if (typeof action !== 'string' || action === '') wrong.push('a rejection that names no next step');
  if (ofCommands === undefined && (typeof correlation !== 'string' || correlation === ''))
    wrong.push('a rejection without a correlation id');
  return wrong;
}
