/** Bytes that the disk gave back otherwise than it got them, of a file that can be made again. */
export class SpoiltFile extends Error {
  readonly code = 'EIO';

  constructor(file: string) {
    super(`${file} has changed since it was written`);
  }
}
