import { errorCode } from '../files/fault-reason.js';
import { type CallProblem, callProblem } from './call-problem.js';
import { RefusedAddress } from './connect-checked.js';
import { AnswerTooLong } from './exchange.js';

export interface FailedTry {
  readonly method: string;
  readonly url: URL;
  readonly sent: boolean;
  /** Whether it does no harm twice. */
  readonly repeatable: boolean;
}

/** What went wrong, in words of our own: those of a library may hold anything. */
export function networkProblem(cause: unknown, { method, url, sent, repeatable }: FailedTry): CallProblem {
  if (cause instanceof RefusedAddress) return cause.problem;
  const to = `${method} ${url.origin}${url.pathname}`;
  if (cause instanceof AnswerTooLong) return tooLong(to, cause.most);
  const code = codeOf(cause);
  if (!sent) return notReached(code, url, to);
  return lostAnswer(to, whyLost(code), repeatable);
}

/** Something was sent, and what came of it is not known. */
export const lostAnswer = (to: string, why: string, repeatable: boolean): CallProblem =>
  repeatable
    ? callProblem('COMMAND_UNAVAILABLE', `${to}: ${why}.`, 'Try again later.')
    : callProblem(
        'OUTCOME_UNKNOWN',
        `${to} was sent, and ${why}.`,
        'Look whether it took effect before it is sent again.',
      );

export const tooLong = (to: string, most: number): CallProblem =>
  callProblem(
    'LIMIT_EXCEEDED',
    `${to}: the answer is longer than ${most} bytes and was not read to its end.`,
    'Ask for less, by a filter or in pages, or have the user raise `limits.answerBytes` of the catalog.',
  );

/** For us alone: nobody else knows what it means. */
const codeOf = (cause: unknown): string => {
  const inner = cause instanceof AggregateError ? (cause.errors[0] as unknown) : cause;
  return errorCode(cause) ?? errorCode(inner) ?? '';
};

/** The same break is named differently, by who notices it first. */
const isBreak = (code: string): boolean =>
  /^(?:ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|UND_ERR_CLOSED|UND_ERR_DESTROYED)$/u.test(code);
const isLate = (code: string): boolean => code === 'ETIMEDOUT' || /^UND_ERR_.*TIMEOUT$/u.test(code);

function whyLost(code: string): string {
  if (isBreak(code)) return 'the connection broke off before a complete answer came back';
  if (isLate(code)) return 'no complete answer came back in time';
  if (/HEADERS?_OVERFLOW$/u.test(code)) return 'the headers of its answer are too long to be read';
  if (code === 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH') return 'its body had not the length that was announced';
  if (code.startsWith('HPE_') || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return 'what came back is not HTTP';
  return 'no complete answer came back';
}

function whyNotReached(code: string): string {
  if (code === 'ECONNREFUSED') return ': nothing is listening there';
  if (isLate(code)) return ': it did not take the connection in time';
  if (/^E(?:HOST|NET)(?:UNREACH|DOWN)$/u.test(code)) return ': the network of this machine does not lead there';
  if (code === 'EAI_AGAIN') return ': its name could not be looked up just now';
  if (isBreak(code)) return ': it broke off the connection';
  if (code === 'EMFILE' || code === 'ENFILE') return ': this machine has too many files and connections open';
  return '';
}

function whyNotTrusted(code: string): string {
  if (code === 'CERT_HAS_EXPIRED') return ': it has expired';
  if (code === 'CERT_NOT_YET_VALID') return ': it is not valid yet';
  if (code === 'CERT_REVOKED') return ': it was revoked';
  if (/ALTNAME_INVALID$|^HOSTNAME_MISMATCH$/u.test(code)) return ': it is for another name';
  if (/SELF_SIGNED|^UNABLE_TO/u.test(code)) return ': nobody known here vouches for it';
  return '';
}

function notReached(code: string, url: URL, to: string): CallProblem {
  if (/^(?:CERT_|DEPTH_ZERO|UNABLE_TO|SELF_SIGNED|ERR_TLS_CERT|HOSTNAME_MISMATCH)/u.test(code))
    return callProblem(
      'COMMAND_FAILED',
      `${url.host} shows a certificate that is not trusted${whyNotTrusted(code)}. Nothing was sent.`,
      'Check the address. Where it is right, start the server with NODE_EXTRA_CA_CERTS set to the file of its authority.',
    );
  if (/^(?:EPROTO|ERR_SSL|ERR_TLS)/u.test(code))
    return callProblem(
      'COMMAND_FAILED',
      `${url.host} does not speak TLS as it should. Nothing was sent.`,
      'Check the address and its port.',
    );
  if (code.startsWith('UND_ERR_INVALID') || code === 'UND_ERR_NOT_SUPPORTED')
    return callProblem('VALIDATION_ERROR', `${to} is no request that can be sent.`, 'Check its path and its headers.');
  if (code === 'ENOTFOUND')
    return callProblem(
      'COMMAND_UNAVAILABLE',
      `No host ${url.hostname} is known. Nothing was sent.`,
      'Check the address of the catalog, and the network.',
    );
  return callProblem(
    'COMMAND_UNAVAILABLE',
    `${url.host} could not be reached${whyNotReached(code)}. Nothing was sent.`,
    'Check that it runs and that the network is there, then try again.',
  );
}
