/** Writes bytes to a stream at the pace it takes them. Whoever stopped reading is told of by an error. */
export function writeTo(stream: NodeJS.WritableStream): (bytes: Uint8Array) => Promise<void> {
  return (bytes) =>
    new Promise((resolve, reject) => {
      stream.write(bytes, (cause) => (cause ? reject(cause) : resolve()));
    });
}
