/**
 * A place to fill in, inside a call that an answer offers. It is spelled so that it cannot be taken for content: a
 * request that still has one is refused, so an offered call that is sent as it stands records nothing untrue.
 */
export const hole = (what?: string): string => (what === undefined ? `${opening}>` : `${opening}: ${what}>`);

const opening = '<fill in';

export function isHole(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(opening) && value.endsWith('>');
}
