import { pointerTo } from '../base/patch/json-pointer.js';
import type { Complain } from './built-request.js';
import { percentEncode } from './percent-encode.js';

/**
 * A path with its holes filled in. What follows `#` tells operations of one path apart and is not sent; what follows `?`
 * goes before the query. No value may lead out of its segment: `.` and `..` would.
 */
export function buildPath(
  template: string,
  values: ReadonlyMap<string, string>,
  complain: Complain,
): { readonly path: string; readonly query: string } {
  const [whole = '', ...rest] = template.replace(/#.*$/su, '').split('?');
  const fill = (text: string): string => text.replaceAll(/\{([^{}]+)\}/gu, (_, name: string) => values.get(name) ?? '');
  const path = whole
    .split('/')
    .map((segment) => {
      const filled = fill(segment);
      if (filled !== segment && filled.split('/').some(isDots))
        complain(
          pointerTo(['with', /\{([^{}]+)\}/u.exec(segment)?.[1] ?? '']),
          'parameter_value',
          `a value that makes \`${filled}\` of \`${segment}\` would lead to another path`,
        );
      return filled;
    })
    .join('/');
  return { path: escapedPath(path), query: fill(rest.join('?')) };
}

const isDots = (segment: string): boolean => /^(?:\.|%2e){1,2}$/iu.test(segment);

/** Signs of the document's own that no address may hold; what was filled in is escaped already. */
const escapedPath = (path: string): string =>
  path.replaceAll(/[^\w.~!$&'()*+,;=:@/%-]/gu, (sign) => percentEncode(sign) ?? encodeURIComponent('\uFFFD'));
