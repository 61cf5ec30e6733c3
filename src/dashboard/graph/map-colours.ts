const names = [
  'paper',
  'raised',
  'ink',
  'quiet',
  'line',
  'edge',
  'accent',
  'chosen',
  'good',
  'waiting',
  'warning',
  'grave',
  'sleeper',
  'side',
  'lit',
  'band',
  'sans',
] as const;

/** The page's own tokens, for a canvas. */
export type MapColours = { readonly [name in (typeof names)[number]]: string };

export function readMapColours(element: Element): MapColours {
  const style = getComputedStyle(element);
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()])) as MapColours;
}
