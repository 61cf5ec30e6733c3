/** Gives bytes to the browser to be kept as a file. */
export function saveFile(bytes: Blob, name: string): void {
  const address = URL.createObjectURL(bytes);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The download has begun by then; the bytes are let go of.
  window.setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
