import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { workflowSource } from './workflow-format.js';

/** The authored format as JSON Schema 2020-12, for editors and for whoever writes workflows by program. */
export function workflowSchema(): JsonObject {
  const { $schema, ...schema } = z.toJSONSchema(workflowSource, {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
  }) as JsonObject & { readonly $schema: string };
  const named = JSON.parse(
    JSON.stringify(schema).replaceAll(/__schema\d+/gu, (name) => nameOf((schema['$defs'] as JsonObject)[name])),
  ) as JsonObject;
  return {
    $schema,
    title: 'WorkRail workflow',
    description:
      'What the shape of a file can say. Names in expressions, examples against their schemas, calls and types are checked when a workflow is loaded; inspect_workflow tells.',
    ...named,
  };
}

/** The parts that hold themselves have numbers for names otherwise, which would change with the order they are met in. */
function nameOf(part: JsonValue | undefined): string {
  const fields = isJsonObject(part) && isJsonObject(part['properties']) ? Object.keys(part['properties']) : [];
  return fields.includes('prompt') ? 'step' : fields.includes('contains') ? 'rule' : 'value';
}
