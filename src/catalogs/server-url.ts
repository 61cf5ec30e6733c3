import { own } from '../base/own.js';
import { err, ok, type Result } from '../base/result.js';
import type { Server } from './openapi-catalog.js';

export interface ServerChoice {
  /** Values of the variables in its address; the others have their defaults. */
  readonly variables?: { readonly [name: string]: string };
  /** Where the document was read from, to which a relative address adds. */
  readonly documentUrl?: string | undefined;
}

/** The whole address of a server, without a slash at its end; or why there is none. */
export function serverUrl(server: Server, { variables = {}, documentUrl }: ServerChoice = {}): Result<string, string> {
  for (const [name, value] of Object.entries(variables)) {
    const choices = own(server.variables, name)?.choices;
    if (choices !== undefined && !choices.includes(value))
      return err(`\`${name}\` of the server is one of ${choices.join(', ')}`);
  }
  const filled = server.url.replaceAll(/\{([^{}]*)\}/gu, (whole, name: string) => {
    return own(variables, name) ?? own(server.variables, name)?.default ?? whole;
  });
  const hole = /\{([^{}]*)\}/u.exec(filled);
  if (hole !== null) return err(`\`${hole[0]}\` in the address of the server has no value`);
  const url = addressOf(filled, documentUrl);
  if (url === undefined)
    return err(
      /^[a-z][a-z0-9+.-]*:\/\//iu.test(filled) || documentUrl !== undefined
        ? `the server \`${filled}\` is not an http or https address`
        : `the document does not say on which host \`${filled}\` is`,
    );
  return ok(url);
}

/** An address that can be called, as it is written; without user, password or fragment. */
function addressOf(text: string, base: string | undefined): string | undefined {
  if (!URL.canParse(text, base)) return undefined;
  const url = new URL(text, base);
  const isPlain = url.username === '' && url.password === '' && url.hash === '';
  return isPlain && /^https?:$/u.test(url.protocol) ? url.href.replace(/\/+(?=$|\?)/u, '') : undefined;
}
