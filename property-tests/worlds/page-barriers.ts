import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
}

/** What keeps somebody out: by the rules for everybody in light, and by those on colour in dark. */
export async function barriers(tab: Page): Promise<readonly string[]> {
  await tab.evaluate(axeSource);
  const check = async (rules?: readonly string[]): Promise<readonly string[]> => {
    const violations = await tab.evaluate(async (only) => {
      const { axe } = window as unknown as {
        axe: { run(root: Document, options: object): Promise<{ violations: Violation[] }> };
      };
      return (
        await axe.run(document, {
          resultTypes: ['violations'],
          ...(only !== undefined && { runOnly: { type: 'rule', values: only } }),
        })
      ).violations;
    }, rules);
    return violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(' ')} (${failureSummary ?? ''})`).join('; ')}`,
    );
  };
  const light = await check();
  await tab.emulateMedia({ colorScheme: 'dark' });
  await tab.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  return [...light, ...(await check(['color-contrast', 'link-in-text-block'])).map((told) => `dark: ${told}`)];
}
