import { err, ok, type Result } from '../base/result.js';
import { type CallProblem, callProblem } from './call-problem.js';

/** An address that may be asked for, whoever named it. What it leads to is looked at when it is connected. */
export function checkedUrl(text: string, base?: URL): Result<URL, CallProblem> {
  const refuse = (why: string, action: string): Result<never, CallProblem> =>
    err(callProblem('ADDRESS_REFUSED', why, action));
  if (!URL.canParse(text, base?.href))
    return refuse('The address is no URL.', 'Give the whole address, such as https://api.example.com/v1.');
  const url = new URL(text, base);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return refuse(
      `An address with ${url.protocol} is not called; only https: and http: are.`,
      'Give an address that begins with https://.',
    );
  if (url.username !== '' || url.password !== '')
    return refuse(
      `The address of ${url.host} holds a user or a password, which would be recorded.`,
      "Take them out of the address, and give them as the catalog's auth.",
    );
  url.hash = '';
  return ok(url);
}

export const portOf = ({ port, protocol }: { readonly port: string; readonly protocol: string }): string => {
  if (port !== '') return port;
  return protocol === 'https:' ? '443' : '80';
};
