const isForm = (type) => /^(?:multipart\/form-data|application\/x-www-form-urlencoded)/u.test(type);
const isJson = (type) => /^[\w.-]+\/(?:[\w.+-]+\+)?json/u.test(type);

/** Why what Prism says of a request is no fault of ours; undefined where it is, or where nobody knows. */
export function whoseFault({ problem, operation, input }) {
  const type = input?.headers['content-type'] ?? '';
  const [place, field] = problem.path ?? [];
  if (problem.code === 'thrown') return 'Prism throws where a header that holds a list is left out';
  if (place !== 'body' && /exactly one schema in oneOf/u.test(problem.message))
    return 'a number in an address is also a text, so that both forms of a parameter fit';
  if (place === 'body' && !isForm(type) && !isJson(type))
    return 'Prism reads no body but JSON and forms, and takes any other for a text';
  if (problem.code === 'required' && place === undefined && input?.body === '' && isForm(type))
    return 'Prism takes a form without fields for no body';
  if (place === 'body' && isForm(type) && field !== undefined && hasParts(operation, type, field))
    return 'Prism reads a list or an object in a form only where its encoding names a style; OpenAPI has a default';
  return undefined;
}

/** Whether a field of a form is a list or an object whose encoding names no style. */
function hasParts({ body, definitions }, type, field) {
  const content = body.content.find((one) => type.startsWith(one.type));
  if (content?.encoding?.[field]?.style !== undefined) return false;
  const resolved = (schema) => {
    let found = schema;
    for (let steps = 0; typeof found?.$ref === 'string' && steps < 30; steps += 1)
      found = definitions[found.$ref.replace('#/$defs/', '')];
    return found ?? {};
  };
  const forms = (schema) => {
    const found = resolved(schema);
    return [found, ...['allOf', 'oneOf', 'anyOf'].flatMap((key) => (found[key] ?? []).flatMap(forms))];
  };
  const fields = forms(content?.schema).flatMap(({ properties = {} }) =>
    Object.hasOwn(properties, field) ? forms(properties[field]) : [],
  );
  return fields.some(
    ({ type: of, items, properties }) =>
      [of].flat().some((one) => one === 'array' || one === 'object') || items !== undefined || properties !== undefined,
  );
}
