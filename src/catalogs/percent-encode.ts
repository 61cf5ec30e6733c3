/** Text of which nothing but letters, digits and `-._~` stands as it is (RFC 3986). Undefined for half a character. */
export function percentEncode(text: string): string | undefined {
  if (/\p{Surrogate}/u.test(text)) return undefined;
  return encodeURIComponent(text).replaceAll(/[!'()*]/gu, escaped);
}

/**
 * The same, with the reserved signs left as they are that a query can hold without meaning something else: `#` would end
 * it, `&` and `+` are signs of forms, brackets belong to no query.
 */
export function encodeReserved(text: string): string | undefined {
  const encoded = percentEncode(text);
  return encoded?.replaceAll(/%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B|3D)/gu, (code) => decodeURIComponent(code));
}

const escaped = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
