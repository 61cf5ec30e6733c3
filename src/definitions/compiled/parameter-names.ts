import type { OperationParameter } from './operation-shape.js';

type Named = Pick<OperationParameter, 'name' | 'in'>;

/** The parameters that a step means by a key: by the very name, else by place and name. The case of a header's name says nothing. */
export function parametersCalled<T extends Named>(key: string, parameters: readonly T[]): readonly T[] {
  const named = parameters.filter((parameter) => isCalled(parameter, key));
  if (named.length > 0) return named;
  const [, place, name = ''] = /^(path|query|header|cookie)\.(.+)$/su.exec(key) ?? [];
  return parameters.filter((parameter) => parameter.in === place && isCalled(parameter, name));
}

const isCalled = ({ name, in: place }: Named, key: string): boolean =>
  name === key || (place === 'header' && name.toLowerCase() === key.toLowerCase());

export const longName = ({ in: place, name }: Named): string => `${place}.${name}`;

/** How a parameter is called in a step: by its name alone where that is clear. */
export const givenName = (parameter: Named, parameters: readonly Named[]): string =>
  parametersCalled(parameter.name, parameters).length === 1 ? parameter.name : longName(parameter);

/** Headers that a document may declare and that the request has of its own: they need not be given. */
const ownHeaders = new Set(['accept', 'content-type', 'authorization']);

export const isOwnHeader = ({ in: place, name }: Named): boolean =>
  place === 'header' && ownHeaders.has(name.toLowerCase());
