import { closestName } from '../../base/closest-name.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import type { OutputContract } from '../compiled/compiled-workflow.js';
import { contractPacks, packContract } from '../contracts/contract-packs.js';
import { flagAt, has, type Part, partsAt, textAt, warnOfKeys } from './workrail-part.js';
import { mark, type Surroundings } from './workrail-surroundings.js';
import { finding, warning } from '../source/finding.js';

/** What a step hands back by its `outputContract`. */
export function outputsOf(part: Part, id: string, around: Surroundings): readonly OutputContract[] {
  const byKind = new Map<string, OutputContract>();
  for (const contract of partsAt(part, 'outputContract', { text: 'contractRef' })) {
    warnOfKeys(contract, ['contractRef', 'required']);
    const written = textAt(contract, 'contractRef') ?? '';
    const path = [...contract.path, 'contractRef'];
    if (written.trim() === '') {
      part.say(
        warning(contract.path, 'missing', 'an `outputContract` names its `contractRef`; without one it is passed over'),
      );
      continue;
    }
    const ref = refOf(written);
    const found =
      ref === undefined ? undefined : packContract(ref, !has(contract, 'required') || flagAt(contract, 'required'));
    if (found === undefined) {
      const expected = [...contractPacks.keys()].join(', ');
      part.say(
        finding(path, 'unknown_contract', `there is no contract \`${written}\``, {
          expected,
          actual: written,
          closest: closestName(written, contractPacks.keys()),
        }),
      );
      continue;
    }
    if (ref !== written) {
      const message = `\`${written}\` is taken for the contract \`${ref!}\``;
      part.say(warning(path, 'unknown_contract', message, { actual: written, closest: ref }));
    }
    mark(around, id, `outputs/${byKind.size}`, `contract ${ref!}`);
    byKind.set(found.kind, lenient(found));
  }
  return [...byKind.values()];
}

/** A contract by its ref, by the kind of its artifact, or by its bare name. */
function refOf(written: string): string | undefined {
  if (contractPacks.has(written)) return written;
  return [...contractPacks.values()].find(({ ref, kind }) => kind === written || ref === `wr.contracts.${written}`)
    ?.ref;
}

/** Loops and assessments are read by the run itself, and hold to their schema. */
const steering = ['wr.loop_control', 'wr.assessment'];

/**
 * Files of this format describe in their prompts what goes into a handoff or a verdict, in words that were there before our
 * schemas. A field that is needed has to be there; what is in it is the author's.
 */
function lenient(contract: OutputContract): OutputContract {
  const { kind, schema } = contract;
  if (steering.includes(kind)) return contract;
  const properties: JsonValue = schema['properties'] ?? {};
  const fields = isJsonObject(properties)
    ? Object.entries(properties).map(([name, field]): [string, JsonValue] => [
        name,
        name === 'kind' ? field : described(field),
      ])
    : [];
  return {
    ...contract,
    schema: {
      type: 'object',
      description: schema['description'] ?? kind,
      required: schema['required'] ?? ['kind'],
      properties: Object.fromEntries(fields),
      maxProperties: 100,
    },
  };
}

function described(field: JsonValue): JsonObject {
  return isJsonObject(field) && typeof field['description'] === 'string' ? { description: field['description'] } : {};
}
