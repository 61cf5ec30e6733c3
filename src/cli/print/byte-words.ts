const units = ['bytes', 'KB', 'MB', 'GB'] as const;

/** A size for people: 312 bytes, 4.1 KB, 17 MB. */
export function byteWords(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${unit === 0 || size >= 9.95 ? Math.round(size) : size.toFixed(1)} ${units[unit]!}`;
}
