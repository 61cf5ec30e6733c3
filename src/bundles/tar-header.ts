import { extract, type Header, pack } from 'tar-stream';

/** All that tar asks of a time: the first second of 1970. */
const noTime = { getTime: () => 0 } as Date;

/** The block that begins a plain file of a tar stream. It tells of no time, no owner and no machine. */
export function tarHeader(name: string, size: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const archive = pack();
    archive.once('data', (block) => {
      resolve(block as Buffer);
      archive.destroy();
    });
    archive.once('error', reject);
    const entry = archive.entry({ name, size, mtime: noTime, mode: 0o644 });
    // It ends without its bytes, which go another way.
    entry.on('error', () => undefined);
  });
}

/** What one block of a tar stream says of the entry it begins; undefined where it begins none. */
export function readTarHeader(block: Buffer): Promise<Header | undefined> {
  return new Promise((resolve) => {
    const extraction = extract();
    extraction.on('entry', (header) => {
      resolve(header);
      extraction.destroy();
    });
    extraction.on('error', () => resolve(undefined));
    extraction.on('close', () => resolve(undefined));
    extraction.end(block);
  });
}
