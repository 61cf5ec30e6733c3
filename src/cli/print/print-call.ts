import type { NextCall } from '../../base/rejection.js';
import { commandOfCall } from './command-of-call.js';
import type { Page } from './page.js';

/** The command that makes an offered call, where there is one. Says whether it was. */
export function printCall(page: Page, lead: string, call: NextCall | undefined): boolean {
  const words = call === undefined ? undefined : commandOfCall(call);
  if (words === undefined) return false;
  page.command(lead, words);
  return true;
}
