import { closestName } from '../../base/closest-name.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import type { OutputContract } from '../compiled/compiled-workflow.js';
import { contractPacks, packContract } from '../contracts/contract-packs.js';
import { authoredExample } from './workrail-artifact-example.js';
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
        warning(contract.path, 'missing', 'an `outputContract` needs a `contractRef`; without one it is ignored'),
      );
      continue;
    }
    const ref = refOf(written);
    const found =
      ref === undefined ? undefined : packContract(ref, !has(contract, 'required') || flagAt(contract, 'required'));
    if (found === undefined) {
      const expected = [...contractPacks.keys()].join(', ');
      part.say(
        finding(path, 'unknown_contract', `no contract named \`${written}\``, {
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
    byKind.set(found.kind, steering.includes(found.kind) ? found : lenient(found, textsIn(part)));
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
 * schemas. Its kind has to be there; what else is in it is the author's, and is shown in the author's words.
 */
function lenient(contract: OutputContract, texts: readonly string[]): OutputContract {
  const { kind, schema } = contract;
  const properties = objectIn(schema, 'properties');
  const authored = authoredExample(kind, texts);
  const known = Object.entries(authored === undefined ? properties : { kind: properties['kind'] ?? true });
  return {
    ...contract,
    schema: {
      type: 'object',
      description: schema['description'] ?? kind,
      required: ['kind'],
      properties: Object.fromEntries(known.map(([name, field]) => [name, name === 'kind' ? field : described(field)])),
      maxProperties: 100,
    },
    example: authored ?? withoutOtherWords(contract, properties, texts.join('\n')),
  };
}

/** Of several words that may stand in a field, one of ours is no example where the author speaks of the field and not of it. */
function withoutOtherWords({ example }: OutputContract, properties: JsonObject, said: string): JsonObject {
  return Object.fromEntries(
    Object.entries(example).filter(([name, value]) => {
      const isChoice = Object.hasOwn(objectIn(properties, name), 'enum');
      return !isChoice || typeof value !== 'string' || !said.includes(name) || said.includes(value);
    }),
  );
}

function objectIn(value: JsonObject, key: string): JsonObject {
  const inner = own(value, key) ?? null;
  return isJsonObject(inner) ? inner : {};
}

function described(field: JsonValue): JsonObject {
  return isJsonObject(field) && typeof field['description'] === 'string' ? { description: field['description'] } : {};
}

/** What the author says in a step, field by field. */
function textsIn({ value }: Part): readonly string[] {
  const open: JsonValue[] = ['prompt', 'promptBlocks', 'guidance', 'promptFragments', 'description'].flatMap(
    (key) => own(value, key) ?? [],
  );
  const found: string[] = [];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    if (typeof next === 'string') found.push(next);
    else if (typeof next === 'object' && next !== null) open.push(...Object.values(next as JsonObject));
  }
  return found;
}
