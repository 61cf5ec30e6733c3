import path from 'node:path';
import { Readable } from 'node:stream';
import type { BuiltBody, BuiltPart } from '../catalogs/built-request.js';
import { err, ok, type Result } from '../base/result.js';
import type { CallProblem } from './call-problem.js';

type FileReference = Extract<BuiltBody, { readonly kind: 'file' }>['file'];

/** A file whose bytes are to be sent. */
export interface OpenedFile {
  readonly size?: number;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Whoever knows where files may be opens them: each try asks anew. */
export type OpenFile = (file: FileReference) => Promise<Result<OpenedFile, CallProblem>>;

export interface SentBody {
  readonly body: Buffer | Readable;
  /** Undefined for a file that does not say. */
  readonly length: number | undefined;
}

/** The bytes of a body, as one try sends them. */
export async function sentBody(
  built: BuiltBody,
  openFile: OpenFile,
  boundary: string,
): Promise<Result<SentBody, CallProblem>> {
  if (built.kind === 'text') {
    const body = Buffer.from(built.text);
    return ok({ body, length: body.length });
  }
  const pieces =
    built.kind === 'file' ? await fileAlone(built.file, openFile) : await multipart(built.parts, openFile, boundary);
  if (!pieces.ok) return pieces;
  const lengths = pieces.value.map((piece) => (Buffer.isBuffer(piece) ? piece.length : piece.size));
  const length = lengths.reduce<number | undefined>(
    (sum, one) => (sum === undefined || one === undefined ? undefined : sum + one),
    0,
  );
  return ok({ body: Readable.from(chunksOf(pieces.value), { objectMode: false }), length });
}

type Piece = Buffer | OpenedFile;

async function* chunksOf(pieces: readonly Piece[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    if (Buffer.isBuffer(piece)) yield piece;
    else yield* piece.chunks;
  }
}

async function fileAlone(file: FileReference, openFile: OpenFile): Promise<Result<readonly Piece[], CallProblem>> {
  const opened = await openFile(file);
  return opened.ok ? ok([opened.value]) : opened;
}

async function multipart(
  parts: readonly BuiltPart[],
  openFile: OpenFile,
  boundary: string,
): Promise<Result<readonly Piece[], CallProblem>> {
  const pieces: Piece[] = [];
  for (const part of parts) {
    pieces.push(Buffer.from(`--${boundary}\r\n${headOf(part)}\r\n\r\n`));
    if ('text' in part) pieces.push(Buffer.from(part.text));
    else {
      const opened = await openFile(part.file);
      if (!opened.ok) return err(opened.error);
      pieces.push(opened.value);
    }
    pieces.push(Buffer.from('\r\n'));
  }
  return ok([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}

function headOf(part: BuiltPart): string {
  const name = `content-disposition: form-data; name="${quotable(part.name)}"`;
  if ('text' in part) return `${name}${part.type === undefined ? '' : `\r\ncontent-type: ${oneLine(part.type)}`}`;
  const { file } = part;
  const type = part.type ?? file.type ?? 'application/octet-stream';
  return `${name}; filename="${quotable(file.name ?? path.basename(file.file))}"\r\ncontent-type: ${oneLine(type)}`;
}

/** As browsers write names in forms. */
const quotable = (text: string): string => text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const oneLine = (text: string): string => text.replaceAll(/[\r\n]/gu, ' ');

/** A content type with the boundary of what is sent. */
export const withBoundary = (type: string, boundary: string): string =>
  `${type.replaceAll(/;\s*boundary=(?:"[^"]*"|[^;]*)/giu, '')}; boundary=${boundary}`;
