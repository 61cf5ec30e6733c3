import type { z } from 'zod';

type Test = (value: unknown) => boolean;
type Def = z.core.$ZodTypes['_zod']['def'];

/**
 * A schema's verdict on values that `JSON.parse` made. Zod copies what it checks and gathers what is wrong; a log is ten
 * thousand lines that are right. A part of the schema that is of no known kind is left to zod.
 */
export function jsonTest(schema: z.core.$ZodType): Test {
  return known(schema) ?? ((value) => (schema as z.ZodType).safeParse(value).success);
}

function known(schema: z.core.$ZodType): Test | undefined {
  const def = schema._zod.def as Def;
  const checks = (def.checks ?? []).map(checkOf);
  if (checks.some((check) => check === undefined)) return undefined;
  const type = ofType(schema, def);
  if (type === undefined || checks.length === 0) return type;
  return (value) => type(value) && checks.every((check) => check!(value));
}

function ofType(schema: z.core.$ZodType, def: Def): Test | undefined {
  if (def.type === 'string' || def.type === 'boolean') return (value) => typeof value === def.type;
  if (def.type === 'number') return Number.isFinite;
  if (def.type === 'literal' || def.type === 'enum') {
    const { values } = schema._zod;
    return values && ((value) => values.has(value as z.core.util.Primitive));
  }
  if (def.type === 'custom') return def.fn && ((value) => Boolean(def.fn(value as never)));
  if (def.type === 'optional') return jsonTest(def.innerType);
  if (def.type === 'array') {
    const element = jsonTest(def.element);
    return (value) => Array.isArray(value) && value.every(element);
  }
  if (def.type === 'union') {
    const options = def.options.map(jsonTest);
    return (value) => options.some((option) => option(value));
  }
  return def.type === 'object' ? strictObject(schema, def) : undefined;
}

/** Only objects that allow no other keys; a key that is every object's is left to zod. */
function strictObject(schema: z.core.$ZodType, { shape, catchall }: z.core.$ZodObjectDef): Test | undefined {
  if (catchall?._zod.def.type !== 'never') return undefined;
  const fields = new Map(
    Object.entries(shape).map(([key, field]) => [
      key,
      { test: jsonTest(field), needed: field._zod.optin === 'optional' ? 0 : 1 },
    ]),
  );
  const needed = [...fields.values()].reduce((sum, field) => sum + field.needed, 0);
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    let missing = needed;
    for (const key of Object.keys(value)) {
      if (key === '__proto__') return (schema as z.ZodType).safeParse(value).success;
      const field = fields.get(key);
      if (field === undefined || !field.test((value as { readonly [key: string]: unknown })[key])) return false;
      missing -= field.needed;
    }
    return missing === 0;
  };
}

function checkOf(check: z.core.$ZodCheck<never>): Test | undefined {
  const def = check._zod.def as z.core.$ZodChecks['_zod']['def'];
  if (def.check === 'min_length') return (value) => (value as { readonly length: number }).length >= def.minimum;
  if (def.check === 'max_length') return (value) => (value as { readonly length: number }).length <= def.maximum;
  if (def.check === 'greater_than')
    return (value) =>
      def.inclusive ? (value as number) >= (def.value as number) : (value as number) > (def.value as number);
  if (def.check === 'number_format' && def.format === 'safeint') return Number.isSafeInteger;
  if (
    def.check === 'string_format' &&
    def.format === 'regex' &&
    def.pattern !== undefined &&
    !def.pattern.global &&
    !def.pattern.sticky
  ) {
    const { pattern } = def;
    return (value) => pattern.test(value as string);
  }
  return undefined;
}
