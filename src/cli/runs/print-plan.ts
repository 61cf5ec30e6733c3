import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import type { Page } from '../print/page.js';
import { askForAll } from '../shell/ask.js';
import type { RequestsContext } from '../shell/with-requests.js';

/** Every request of a run that changes something outside, as far as it is known before it starts: secrets by their names. */
export async function printPlan(
  command: RequestsContext,
  page: Page,
  { workflowId, inputs }: JsonObject,
  plan: string,
): Promise<void> {
  const asked = { workflowId: workflowId!, ...(inputs !== undefined && { inputs }) };
  const planned = await askForAll(command, 'plan_steps', asked);
  const rendered = planned.ok ? await askForAll(command, 'preview_rendered', asked) : planned;
  if (!planned.ok || !rendered.ok) return;
  const addresses = new Map(
    planned.value.flatMap(({ catalogs }) => catalogs).map(({ id, address }) => [text(id), text(address)]),
  );
  const steps = rendered.value.flatMap((one) => one.steps);
  const loops = steps.filter(({ kind }) => kind === 'loop');
  const sent = steps.filter(({ kind, safety }) => kind === 'run' && safety !== 'safe');
  page.say(`${text(workflowId)} changes something outside. It sends:`, page.style.bold);
  sent.forEach((step, index) => {
    page.item(`${String(index + 1).padStart(3)}. `, requestOf(step, addresses), page.style.bold);
    for (const line of [...aboutStep(step, loops), ...valuesOf(step)]) page.item('     ', line);
  });
  page.item('     ', `This is plan ${plan}.`, page.style.dim);
}

function requestOf(step: JsonObject, addresses: ReadonlyMap<string, string>): string {
  const run = text(step['run']);
  const address = text(step['address']) || (addresses.get(run.split(' ')[0] ?? '') ?? '');
  const line = [step['method'], step['template']].map(text).filter((part) => part !== '');
  return `${line.length > 0 ? line.join(' ') : run}${address === '' ? '' : ` at ${address}`} (${run})`;
}

/** The step by its title, and whether and how often it is sent. */
function aboutStep(step: JsonObject, loops: readonly JsonObject[]): readonly string[] {
  const around = loops.filter((loop) => text(step['path']).startsWith(`${text(loop['path'])}/`));
  const title = text(step['title']);
  return [
    `${title}${title === text(step['stepId']) ? '' : ` (${text(step['path'])})`}`,
    ...(step['if'] === undefined ? [] : [`if ${text(step['if'])}`]),
    ...around.map((loop) => text(loop['goes'])),
    ...(step['confirm'] === undefined ? [] : ['asks again before it is sent']),
  ];
}

function valuesOf(step: JsonObject): readonly string[] {
  const { with: given, body, content } = step;
  return [
    ...(isJsonObject(given) ? Object.entries(given).map(([name, value]) => `${name}: ${text(value)}`) : []),
    ...(body === undefined ? [] : [`body: ${text(body)}`]),
    ...(content === undefined ? [] : [`as ${text(content)}`]),
  ];
}

const text = (value: JsonValue | undefined): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
