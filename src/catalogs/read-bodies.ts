import { defined } from '../base/defined.js';
import type { JsonObject, JsonValue } from '../base/json-value.js';
import { flagAt, inside, membersAt, type Spot, textAt } from './document-reporter.js';
import { follow } from './follow.js';
import type { Answer, Content, Encoding, Operation } from './openapi-catalog.js';
import {
  type BodyParameter,
  collectionStyles,
  exampleAt,
  oldSchema,
  type Reading,
  styleAt,
  takenAt,
} from './read-parameters.js';
import type { SchemaBag } from './schema-bag.js';

type Body = NonNullable<Operation['body']>;

export function readBody(reading: Reading, at: Spot | undefined): Body | undefined {
  const found = at && follow(reading.references, reading.report, at);
  if (found === undefined) return undefined;
  return defined<Body>({
    required: flagAt(inside(found, 'required')) === true,
    description: textAt(inside(found, 'description')),
    content: readContents(reading, inside(found, 'content')),
  });
}

function readContents({ references, schemas }: Reading, at: Spot | undefined): Content[] {
  return membersAt(at)
    .filter(([type]) => isContentType(type))
    .map(([type, content]) =>
      defined<Content>({
        type,
        schema: takenAt(inside(content, 'schema'), schemas),
        example: exampleAt(references, content),
        encoding: readEncoding(inside(content, 'encoding')),
      }),
    );
}

function readEncoding(at: Spot | undefined): Content['encoding'] {
  const fields = membersAt(at);
  if (fields.length === 0) return undefined;
  return Object.fromEntries(
    fields.map(([name, field]) => [
      name,
      defined<Encoding>({
        contentType: textAt(inside(field, 'contentType')),
        style: styleAt(field),
        explode: flagAt(inside(field, 'explode')),
        allowReserved: flagAt(inside(field, 'allowReserved')),
      }),
    ]),
  );
}

const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data'];

/** What 2.0 has among the parameters: one body, or the fields of a form. */
export function readOldBody(
  { schemas }: Reading,
  bodies: readonly BodyParameter[],
  consumes: readonly string[],
): Body | undefined {
  const body = bodies.find(({ place }) => place === 'body');
  if (body !== undefined) {
    const schema = takenAt(inside(body.at, 'schema'), schemas);
    const types = consumes.length > 0 ? consumes : ['application/json'];
    return defined<Body>({
      required: flagAt(inside(body.at, 'required')) === true,
      description: textAt(inside(body.at, 'description')),
      content: types.map((type) => defined<Content>({ type, schema, example: undefined, encoding: undefined })),
    });
  }
  return bodies.length === 0 ? undefined : readForm(bodies, consumes, schemas);
}

function readForm(fields: readonly BodyParameter[], consumes: readonly string[], schemas: SchemaBag): Body {
  const required = fields.filter(({ at }) => flagAt(inside(at, 'required')) === true).map(({ name }) => name);
  const properties = fields.map(({ name, at }): [string, JsonValue] => {
    const said = schemas.take(oldSchema(at));
    const description = textAt(inside(at, 'description'));
    return [name, description === undefined ? said : { ...(said as JsonObject), description }];
  });
  const schema: JsonObject = {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
  const hasFile = fields.some(({ at }) => textAt(inside(at, 'type')) === 'file');
  const usual = hasFile ? 'multipart/form-data' : formTypes[0]!;
  const forms = consumes.filter((type) => formTypes.includes(type) && (!hasFile || type !== formTypes[0]));
  const lists = fields.flatMap(({ name, at }): [string, Encoding][] => {
    const format = textAt(inside(at, 'collectionFormat'));
    const style = collectionStyles.get(format ?? '') ?? 'form';
    return textAt(inside(at, 'type')) === 'array' ? [[name, { style, explode: format === 'multi' }]] : [];
  });
  const encoding = lists.length > 0 ? Object.fromEntries(lists) : undefined;
  return {
    required: required.length > 0,
    // Fields of a form are sent as one, also where JSON is consumed elsewhere.
    content: (forms.length > 0 ? forms : [usual]).map((type) =>
      defined<Content>({ type, schema, example: undefined, encoding }),
    ),
  };
}

/** What can stand in a header. */
export const isContentType = (type: string): boolean => /^[ -~]+$/u.test(type);

export const isJsonType = (type: string): boolean => /^[\w.-]+\/(?:[\w.+-]+\+)?json(?:\s*;|$)/iu.test(type);

export function readAnswers(reading: Reading, at: Spot | undefined, produces: readonly string[]): Answer[] {
  const { references, report, schemas, isOld } = reading;
  return membersAt(at).flatMap(([status, spot]): Answer[] => {
    if (status.startsWith('x-')) return [];
    const found = follow(references, report, spot);
    if (found === undefined) return [];
    return [
      {
        status,
        description: textAt(inside(found, 'description')) ?? '',
        headers: readHeaders(reading, inside(found, 'headers')),
        content: isOld ? oldContents(found, produces, schemas) : readContents(reading, inside(found, 'content')),
      },
    ];
  });
}

function oldContents(at: Spot, produces: readonly string[], schemas: SchemaBag): Content[] {
  const schema = inside(at, 'schema');
  if (schema === undefined) return [];
  const taken = schemas.take(textAt(inside(schema, 'type')) === 'file' ? oldSchema(schema) : schema);
  return (produces.length > 0 ? produces : ['application/json']).map((type) => ({ type, schema: taken }));
}

function readHeaders({ references, report, schemas, isOld }: Reading, at: Spot | undefined): Answer['headers'] {
  return membersAt(at).flatMap(([name, spot]) => {
    const found = follow(references, report, spot);
    if (found === undefined) return [];
    const schema = isOld ? schemas.take(oldSchema(found)) : takenAt(inside(found, 'schema'), schemas);
    return [defined<Answer['headers'][number]>({ name, description: textAt(inside(found, 'description')), schema })];
  });
}
