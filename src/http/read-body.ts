import { limits } from '../base/limits.js';
import type { ApiRoute } from '../contract/api-routes.js';
import type { Rejection } from '../base/rejection.js';
import { err, ok, type Result } from '../base/result.js';

/** What a request carries as JSON. */
export async function readJson(
  request: Request,
  { types = ['application/json'], most = limits.requestBody }: Pick<ApiRoute, 'types' | 'most'> = {},
): Promise<Result<unknown, Rejection>> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (!types.includes(type))
    return err(invalid('the body must be JSON', `send it with Content-Type: ${types.join(' or ')}`));
  const notJson = invalid('the body is not JSON in UTF-8', 'send it again in full');
  const text = await readText(request, most);
  if (!text.ok) return text.error.code === 'LIMIT_EXCEEDED' ? text : err(notJson);
  try {
    const value: unknown = JSON.parse(text.value);
    return ok(value);
  } catch {
    return err(notJson);
  }
}

/** What a request carries as text. */
export async function readText(request: Request, most: number): Promise<Result<string, Rejection>> {
  const read = limited(request, most);
  if (!read.ok) return read;
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of read.value) chunks.push(chunk);
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)));
  } catch (cause) {
    if (cause instanceof TooLarge) return err(tooLarge(most));
    return err(invalid('the body is not text in UTF-8', 'save the file as UTF-8, then send it again in full'));
  }
}

/** Bytes as they come, and no more than that many: a body that goes on throws `TooLarge`. */
export function limited({ headers, body }: Request, most: number): Result<AsyncGenerator<Uint8Array>, Rejection> {
  return Number(headers.get('content-length') ?? 0) > most ? err(tooLarge(most)) : ok(counted(body, most));
}

export class TooLarge extends Error {}

export const tooLarge = (most: number): Rejection => ({
  code: 'LIMIT_EXCEEDED',
  message: `the body may have ${most} bytes; nothing was recorded`,
  action: 'send less',
  context: { allowed: most },
});

async function* counted(body: ReadableStream<Uint8Array> | null, most: number): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > most) throw new TooLarge();
    yield chunk;
  }
}

const invalid = (message: string, action: string): Rejection => ({ code: 'VALIDATION_ERROR', message, action });
