import { exitCodes } from '../shell/exit-codes.js';
import { givenValues } from '../shell/given-values.js';
import { withRequests } from '../shell/with-requests.js';

export const runSchemas = withRequests('schema list', async ({ requests, reject, tell }) => {
  const listed = await requests.people.listSchemas({});
  if (!listed.ok) return reject(listed.error);
  return tell(listed.value, (page, { schemas, problems }) => {
    if (schemas.length === 0) {
      page.say('No schemas yet.');
      page.command('Register one: ', ['schema', 'add', '<name>', '<file>']);
    }
    for (const { name, version, description = '', schema_id: id } of schemas)
      page.item(`${name} ${version}  `, `${description === '' ? '' : `${description} · `}${id}`, page.style.bold);
    for (const { path, problem } of problems) page.say(`${path}: ${problem}`, page.style.bad);
  });
});

export const runSchemaAdd = withRequests(
  'schema add',
  async ({ parsed, requests, environment, misused, reject, tell }) => {
    const [name, file] = parsed.words;
    if (name === undefined || file === undefined)
      return misused('say a name and a file: `workrail schema add <name> <file>`');
    const to = parsed.text('to');
    if (to !== undefined && to !== 'project' && to !== 'user') return misused('--to is project or user');
    const json = await givenValues(environment).json(
      '<file>',
      file === '-' || file.startsWith('@') ? file : `@${file}`,
    );
    if (!json.ok) return misused(json.error);
    const added = await requests.people.addSchema({
      name,
      json: json.value,
      description: parsed.text('description'),
      to,
    });
    if (!added.ok) return reject(added.error);
    return tell(added.value, (page, { isNew, path, version, schema_id: id }) => {
      page.say(isNew ? `Registered ${name} ${version} (${id}).` : `${name} ${version} (${id}) was registered before.`);
      page.item('File  ', path);
      page.command('Create a state with it: ', ['state', 'create', '<session>', name, '<json>']);
    });
  },
);

export const runSchemaShow = withRequests(
  'schema show',
  async ({ parsed, requests, environment, misused, reject, json }) => {
    const [name, number] = parsed.words;
    if (name === undefined) return misused('which schema? `workrail schema list` lists them');
    if (number !== undefined && !/^[1-9]\d{0,8}$/u.test(number)) return misused('a version is a number such as 1');
    const listed = await requests.people.showSchema({
      name,
      version: number === undefined ? undefined : Number(number),
    });
    if (!listed.ok) return reject(listed.error);
    environment.out(json ? JSON.stringify(listed.value) : JSON.stringify(listed.value.json_schema, null, 2));
    return exitCodes.done;
  },
);
