import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/base/json-value.js';
import { type FlatStyle, type FlatValue, serializeParameter } from '../../../src/catalogs/serialize-parameter.js';

interface Section {
  readonly variables: JsonObject;
  readonly testcases: readonly (readonly [template: string, expected: string | readonly string[]])[];
}

const styles: ReadonlyMap<string, readonly [style: FlatStyle, first: string, between: string]> = new Map([
  ['', ['simple', '', ',']],
  ['.', ['label', '', '']],
  [';', ['matrix', '', '']],
  ['?', ['form', '?', '&']],
  ['&', ['form', '&', '&']],
]);

/** What RFC 6570 says of the styles that OpenAPI took from it, by the cases of others. What OpenAPI has not is not tried. */
export function templateFailures(file: { readonly [section: string]: Section }): {
  readonly tried: number;
  readonly notOurs: number;
  readonly failures: readonly string[];
} {
  let [tried, notOurs] = [0, 0];
  const failures: string[] = [];
  for (const [name, { variables, testcases }] of Object.entries(file))
    for (const [template, expected] of testcases) {
      const holes = [...template.matchAll(/\{([^{}]*)\}/gu)].map(([, hole]) => hole!);
      if (holes.some((hole) => /^[+#/|!@=,]|:\d/u.test(hole))) {
        notOurs += 1;
        continue;
      }
      tried += 1;
      const written = template.replaceAll(/\{([^{}]*)\}/gu, (_, hole: string) => expanded(hole, variables));
      const wanted = typeof expected === 'string' ? [expected] : expected;
      if (!wanted.includes(written)) failures.push(`${name}: ${template} gives ${written}, not ${wanted[0]}`);
    }
  return { tried, notOurs, failures };
}

function expanded(hole: string, variables: JsonObject): string {
  const operator = /^[.;?&]?/u.exec(hole)![0];
  const [style, first, between] = styles.get(operator)!;
  const parts = hole
    .slice(operator.length)
    .split(',')
    .flatMap((one) => {
      const [name, explode] = [one.replace(/\*$/u, ''), one.endsWith('*')];
      const value: JsonValue = Object.hasOwn(variables, name) ? variables[name]! : null;
      if (value === null) return [];
      // A name stands in a template as it is sent, and in a document as it is.
      const text = serializeParameter(decodeURIComponent(name), flat(value), { style, explode });
      if (!text.ok) return [text.error];
      return text.value === undefined ? [] : [text.value];
    });
  return parts.length === 0 ? '' : `${first}${parts.join(between)}`;
}

const flat = (value: JsonValue): FlatValue =>
  isJsonObject(value) ? (value as FlatValue & JsonObject) : (value as FlatValue);
