import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startClient } from '../../bench/frame/stdio-client.mjs';

const program = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const workflows = fileURLToPath(new URL('workflows', import.meta.url));

/**
 * What a person does before a run, with the built program: imports the document of an API as it is, says at which address
 * it is called and as whom, and writes a workflow of it. Nothing may be found wrong with that. Gives what a run needs.
 */
export async function tryWorkflow({ folder, catalog, document, url, auth, secrets, headers = [], files = {} }) {
  const [workspace, home] = ['workspace', 'home'].map((name) => join(folder, catalog, name));
  const library = join(workspace, '.workrail', 'workflows');
  for (const made of [library, home]) mkdirSync(made, { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(workspace, name), content);
  const env = { PATH: process.env.PATH, HOME: home, ...secrets };
  const workrail = (...words) =>
    promisify(execFile)(process.execPath, [program, ...words], { cwd: workspace, env }).then(
      ({ stdout }) => stdout,
      ({ stdout, stderr }) => {
        throw new Error(`workrail ${words.join(' ')}: ${stdout}${stderr}`);
      },
    );
  const told = async (...words) => JSON.parse(await workrail(...words, '--json'));
  const source = join(workflows, `${catalog}.yaml`);
  const { host } = new URL(url);
  const imported = await told('catalogs', 'import', document, '--id', catalog, '--base-url', url);
  const withHeaders = headers.flatMap((header) => ['--header', header]);
  await workrail('catalogs', 'configure', catalog, '--auth', auth, '--allow', host, ...withHeaders);
  for (const name of Object.keys(secrets)) await workrail('catalogs', 'secret', catalog, name, '--env', name);
  const [checked] = (await told('validate', source)).files;
  const found = [...checked.violations, ...checked.warnings];
  if (found.length > 0) throw new Error(`${basename(source)}: ${found.map(({ message }) => message).join('; ')}`);
  await workrail('workflows', 'save', source);
  const plan = await planOf(checked.id, { workspace, env });
  const steps = plan.steps.filter(({ command }) => command !== undefined);
  const addresses = [...plan.catalogs, ...plan.steps].flatMap(({ address }) => address ?? []);
  if (addresses.length === 0) throw new Error(`the plan of ${checked.id} does not say where it is sent`);
  const elsewhere = addresses.find((address) => new URL(address).origin !== new URL(url).origin);
  if (elsewhere !== undefined) throw new Error(`${checked.id} would be sent to ${elsewhere}, not to ${url}`);
  return { workspace, env, workflow: checked.id, imported, plan: plan.plan, steps };
}

async function planOf(workflowId, { workspace, env }) {
  const args = [program, 'mcp', '--toolsets', 'author,commands'];
  const agent = await startClient(process.execPath, args, env, workspace);
  try {
    return (await agent.call('plan_steps', { workflowId })).structuredContent;
  } finally {
    await agent.close();
  }
}
