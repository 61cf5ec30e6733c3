/** An address of the API: parts are escaped, questions that are not asked are left out. Shared states have addresses of their own. */
export function address(
  parts: readonly string[],
  asked: Readonly<Record<string, string | number | undefined>> = {},
  below: '/api/' | '/workflow-states/' = '/api/',
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(asked))
    if (value !== undefined && value !== '') search.set(name, String(value));
  const path = `${below}${parts.map(encodeURIComponent).join('/')}`;
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}
