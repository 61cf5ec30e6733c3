import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { expect, test } from 'vitest';
import { canonicalJson } from '../base/canonical-json.js';
import type { OriginId, SessionId } from '../base/ids.js';
import { limits } from '../base/limits.js';
import type { BundleProblem } from './bundle-problem.js';
import { type BundlePart, compareParts, type Manifest, manifestText } from './manifest.js';
import { type BundleTaker, readBundle } from './read-bundle.js';
import { gzipHeader, sealOf } from './seal.js';
import { writeBundle } from './write-bundle.js';

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');
const pin = `pins/${'a'.repeat(64)}.json`;
const first = 'segments/000001-abcdefgh.ndjson';
const second = 'segments/000300-abcdefgj.ndjson';
const contents: { readonly [name: string]: Buffer } = {
  [pin]: Buffer.from('{"a":1}'),
  [first]: Buffer.alloc(512, 'first '),
  [second]: Buffer.alloc(200_000, 'second line\n'),
};

function manifestOf(parts: { readonly [name: string]: Buffer }, over: Partial<Manifest> = {}): Manifest {
  const listed = Object.entries(parts)
    .map(([name, bytes]): BundlePart => ({ name, size: bytes.length, sha256: sha256(bytes) }))
    .toSorted(compareParts);
  const pins = listed.filter(({ name }) => name.startsWith('pins/')).length;
  return {
    bundleSchemaVersion: 1,
    product: 'workrail',
    producer: '0.0.0-test',
    origin: 'AUTH-1' as OriginId,
    sessionId: 'AUTH-1' as SessionId,
    counts: {
      lines: 3,
      runs: 1,
      segments: listed.length - pins,
      pins,
      bytes: listed.reduce((sum, { size }) => sum + size, 0),
    },
    parts: listed,
    ...over,
  };
}

async function* inPieces(bytes: Buffer, size = 700): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function allOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

const bundle = (parts = contents, manifest = manifestOf(parts)): Promise<Buffer> =>
  allOf(writeBundle(manifest, ({ name }) => inPieces(parts[name]!)));

function taker(): BundleTaker & { readonly took: Map<string, Buffer> } {
  const took = new Map<string, Buffer>();
  return {
    took,
    begin: () => Promise.resolve(),
    part: async ({ name }, bytes) => void took.set(name, await allOf(bytes)),
  };
}

async function problemOf(bytes: Buffer): Promise<BundleProblem> {
  const read = await readBundle(inPieces(bytes), taker());
  if (read.ok) throw new Error('it was taken for a bundle');
  return read.error;
}

/** A bundle whose digests are all right, over an archive that is not. */
function sealed(archive: Buffer): Buffer {
  const member = gzipSync(archive, { level: 4 });
  gzipHeader.copy(member);
  return Buffer.concat([member, sealOf(createHash('sha256').update(member).digest())]);
}

type Entry = Parameters<ReturnType<typeof pack>['entry']>[0] & { readonly bytes?: Buffer };

async function archiveOf(entries: readonly Entry[]): Promise<Buffer> {
  const archive = pack();
  for (const { bytes = Buffer.alloc(0), ...header } of entries)
    archive.entry({ mtime: new Date(0), mode: 0o644, ...header }, bytes);
  archive.finalize();
  return allOf(archive as AsyncIterable<Buffer>);
}

const entriesOf = (parts = contents, manifest = manifestOf(parts)): Entry[] => [
  { name: 'manifest.json', bytes: Buffer.from(manifestText(manifest)) },
  ...manifest.parts.map(({ name }) => ({ name, bytes: parts[name]! })),
];

test('what is written is read again, the same each time, in any pieces', async () => {
  const bytes = await bundle();
  expect((await bundle()).equals(bytes)).toBe(true);
  for (const size of [1, 57, 58, 59, 4096, 1_000_000]) {
    const { took, ...rest } = taker();
    const read = await readBundle(inPieces(bytes, size), rest);
    expect(read).toEqual({
      ok: true,
      value: { manifest: manifestOf(contents), id: sha256(manifestText(manifestOf(contents))) },
    });
    expect([...took.keys()]).toEqual([pin, first, second]);
    for (const [name, taken] of took) expect(taken.equals(contents[name]!)).toBe(true);
  }
});

test('it is an ordinary gzipped archive', async () => {
  const archive = gunzipSync(await bundle());
  expect(archive.equals(await archiveOf(entriesOf()))).toBe(true);
  expect(sealed(archive).equals(await bundle())).toBe(true);
});

test('a part that is not what the manifest says is not written', async () => {
  const manifest = manifestOf(contents);
  for (const changed of [Buffer.from('{"a":2}'), Buffer.from('{"a":1} '), Buffer.from('{"a":1')]) {
    await expect(bundle({ ...contents, [pin]: changed }, manifest)).rejects.toThrow(
      `${pin} changed while it was being exported`,
    );
  }
  const broken = allOf(
    writeBundle(manifest, async function* () {
      yield Buffer.from('{');
      throw new Error('EIO');
    }),
  );
  await expect(broken).rejects.toThrow('EIO');
});

test('who stops reading a bundle stops its writing', async () => {
  let ended = 0;
  const writing = writeBundle(manifestOf({ [first]: Buffer.alloc(60_000_000) }), async function* () {
    try {
      for (let at = 0; at < 60_000_000; at += 50_000) yield Buffer.from(sha256(String(at)).repeat(800));
    } finally {
      ended += 1;
    }
  });
  for (let chunks = 0; chunks < 20; chunks += 1) await writing.next();
  await writing.return(undefined);
  expect(ended).toBe(1);
});

test('every truncation and every flipped bit is refused', async () => {
  const parts = { [pin]: contents[pin]!, [first]: contents[first]! };
  const bytes = await bundle(parts);
  const named = new Map<string, number>();
  const met = ({ part = '' }: BundleProblem): unknown => named.set(part, (named.get(part) ?? 0) + 1);
  for (let length = 0; length < bytes.length; length += 1) met(await problemOf(bytes.subarray(0, length)));
  for (let at = 0; at < bytes.length; at += 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      const flipped = Buffer.from(bytes);
      flipped[at]! ^= 1 << bit;
      met(await problemOf(flipped));
    }
  }
  const rightly = ['manifest.json', pin, first].map((name) => named.get(name) ?? 0);
  expect(Math.min(...rightly)).toBeGreaterThan(20);
  // A flip in the manifest may change the name of a part; then it goes by what was read.
  const strangely = [...named]
    .filter(([name]) => !['', 'manifest.json', pin, first].includes(name))
    .reduce((sum, [, count]) => sum + count, 0);
  expect(strangely).toBeLessThan(bytes.length * 8 * 0.02);
  // The first bytes, the check sums and the seal belong to no part.
  expect(named.get('')).toBeLessThan(10 * (10 + 8 + 58));
}, 120_000);

test('a changed part is named with both digests', async () => {
  const manifest = manifestOf(contents);
  for (const name of [pin, first, second]) {
    const changed = Buffer.from(contents[name]!);
    changed[changed.length - 1]! ^= 1;
    const problem = await problemOf(sealed(await archiveOf(entriesOf({ ...contents, [name]: changed }, manifest))));
    expect(problem).toMatchObject({
      code: 'BUNDLE_INTEGRITY_FAILED',
      part: name,
      expected: sha256(contents[name]!),
      actual: sha256(changed),
    });
  }
});

test('anything behind the seal, before it or between the members is refused', async () => {
  const bytes = await bundle();
  const member = bytes.subarray(0, bytes.length - 58);
  const resealed = (...more: Buffer[]): Buffer => {
    const all = Buffer.concat([member, ...more]);
    return Buffer.concat([all, sealOf(createHash('sha256').update(all).digest())]);
  };
  expect(await problemOf(Buffer.concat([bytes, Buffer.from('more')]))).toMatchObject({
    code: 'BUNDLE_INTEGRITY_FAILED',
  });
  expect(await problemOf(Buffer.concat([bytes, bytes]))).toMatchObject({
    code: 'BUNDLE_INVALID_FORMAT',
    message: 'unexpected data after the last part',
  });
  expect(await problemOf(resealed(Buffer.alloc(600)))).toMatchObject({
    code: 'BUNDLE_INVALID_FORMAT',
    message: 'unexpected data after the compressed parts',
  });
  expect(await problemOf(resealed(Buffer.from('echo hello')))).toMatchObject({ code: 'BUNDLE_INTEGRITY_FAILED' });
  expect(await problemOf(resealed(gzipSync('echo hello')))).toMatchObject({
    code: 'BUNDLE_INVALID_FORMAT',
    message: 'unexpected data after the last part',
  });
});

test('archives that are not what their manifest promises are refused, digests and seal being right', async () => {
  const manifest = manifestOf(contents);
  const [head, ...rest] = entriesOf();
  const cases: readonly (readonly [string, readonly Entry[], Partial<BundleProblem>])[] = [
    [
      'a link in place of a part',
      [head!, { name: pin, type: 'symlink', linkname: '/etc/passwd' }, ...rest.slice(1)],
      { code: 'BUNDLE_INVALID_FORMAT', message: expect.stringContaining('is a link') as string, part: pin },
    ],
    [
      'a hard link',
      [head!, { name: pin, type: 'link', linkname: first }, ...rest.slice(1)],
      { code: 'BUNDLE_INVALID_FORMAT', message: expect.stringContaining('is a link') as string },
    ],
    [
      'a folder',
      [head!, { name: 'pins', type: 'directory' }, ...rest],
      { code: 'BUNDLE_INVALID_FORMAT', message: expect.stringContaining('not a regular file') as string },
    ],
    [
      'a device',
      [head!, { name: pin, type: 'character-device' }, ...rest.slice(1)],
      { code: 'BUNDLE_INVALID_FORMAT', message: expect.stringContaining('not a regular file') as string },
    ],
    [
      'an absolute name',
      [head!, { name: '/tmp/evil', bytes: contents[pin]! }, ...rest.slice(1)],
      { code: 'BUNDLE_INVALID_FORMAT', message: '"/tmp/evil" is an absolute path' },
    ],
    [
      'a name with a drive',
      [head!, { name: 'C:\\evil', bytes: contents[pin]! }, ...rest.slice(1)],
      { code: 'BUNDLE_INVALID_FORMAT', message: expect.stringContaining('absolute') as string },
    ],
    [
      'a name that leads out',
      [head!, { name: 'pins/../../evil', bytes: contents[pin]! }, ...rest.slice(1)],
      { code: 'BUNDLE_INVALID_FORMAT', message: '"pins/../../evil" points outside the bundle' },
    ],
    [
      'a name that leads out with backslashes',
      [head!, { name: 'pins\\..\\evil', bytes: contents[pin]! }, ...rest.slice(1)],
      { code: 'BUNDLE_INVALID_FORMAT', message: expect.stringContaining('points outside') as string },
    ],
    [
      'a part twice',
      [head!, rest[0]!, rest[0]!, ...rest.slice(1)],
      { code: 'BUNDLE_INVALID_FORMAT', message: `${pin} is in the bundle twice` },
    ],
    [
      'a part twice at the end',
      [head!, ...rest, rest[1]!],
      { code: 'BUNDLE_INVALID_FORMAT', message: `${first} is in the bundle twice` },
    ],
    [
      'the manifest twice',
      [head!, head!, ...rest],
      { code: 'BUNDLE_INVALID_FORMAT', message: 'manifest.json is in the bundle twice' },
    ],
    [
      'no manifest',
      rest,
      { code: 'BUNDLE_INVALID_FORMAT', message: expect.stringContaining('starts with manifest.json') as string },
    ],
    ['nothing at all', [], { code: 'BUNDLE_INVALID_FORMAT', message: expect.stringContaining('is empty') as string }],
    [
      'a part more',
      [head!, ...rest, { name: 'segments/000400-abcdefgk.ndjson', bytes: contents[first]! }],
      { code: 'BUNDLE_INVALID_FORMAT', message: expect.stringContaining('not in its manifest') as string },
    ],
    [
      'a file beside',
      [head!, { name: 'run-me.sh', bytes: Buffer.from('#!') }, ...rest],
      { code: 'BUNDLE_INVALID_FORMAT', message: '"run-me.sh" is in the bundle but not in its manifest' },
    ],
    [
      'a part less',
      [head!, ...rest.slice(0, 1), ...rest.slice(2)],
      { code: 'BUNDLE_INTEGRITY_FAILED', message: `${first} is missing from the bundle`, part: first },
    ],
    [
      'the last part missing',
      [head!, ...rest.slice(0, -1)],
      { code: 'BUNDLE_INTEGRITY_FAILED', message: `${second} is missing from the bundle`, part: second },
    ],
    [
      'parts in another order',
      [head!, rest[1]!, rest[0]!, rest[2]!],
      { code: 'BUNDLE_INTEGRITY_FAILED', message: `${pin} is missing from the bundle` },
    ],
    [
      'a part of another size',
      [head!, { name: pin, bytes: Buffer.from('{"a":1}  ') }, ...rest.slice(1)],
      { code: 'BUNDLE_INTEGRITY_FAILED', part: pin, expected: '7 bytes', actual: '9 bytes' },
    ],
    [
      'a name given twice over',
      [head!, { name: pin, bytes: contents[pin]!, pax: { path: '/tmp/evil' } } as Entry, ...rest.slice(1)],
      { code: 'BUNDLE_INVALID_FORMAT', message: 'its content is not an archive of regular files' },
    ],
  ];
  for (const [name, entries, problem] of cases)
    expect(await problemOf(sealed(await archiveOf(entries))), name).toMatchObject(problem);
  expect(
    await problemOf(sealed(Buffer.from('no archive at all, though as long as a block of one'.repeat(20)))),
  ).toMatchObject({ code: 'BUNDLE_INVALID_FORMAT' });
  const padded = await archiveOf(entriesOf());
  expect(await problemOf(sealed(Buffer.concat([padded, Buffer.alloc(512)])))).toMatchObject({
    message: 'unexpected data after the last part',
  });
  padded[512 + manifestText(manifest).length] = 1;
  expect(await problemOf(sealed(padded))).toMatchObject({ message: 'unexpected data between the parts' });
});

test('manifests that are not one are refused', async () => {
  const good = manifestOf(contents);
  const part = good.parts[0]!;
  const as = (over: object): string => canonicalJson({ ...good, ...over } as never);
  const named = (name: string): object => ({
    parts: [{ ...part, name }],
    counts: { ...good.counts, segments: 1, pins: 0, bytes: part.size },
  });
  const cases: readonly (readonly [string, string, string, string])[] = [
    ['no JSON', '{', 'BUNDLE_INVALID_FORMAT', 'not JSON'],
    ['a list', '[]', 'BUNDLE_INVALID_FORMAT', 'not a JSON object'],
    [
      'deep',
      `{"product":"workrail","parts":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
      'BUNDLE_INVALID_FORMAT',
      'not a JSON object',
    ],
    ['another product', as({ product: 'railwork' }), 'BUNDLE_INVALID_FORMAT', 'another product'],
    ['no product', '{"bundleSchemaVersion":1}', 'BUNDLE_INVALID_FORMAT', 'another product'],
    [
      'a newer version',
      '{"bundleSchemaVersion":2,"product":"workrail","anything":true}',
      'BUNDLE_UNSUPPORTED_VERSION',
      'newer WorkRail',
    ],
    ['version 0', as({ bundleSchemaVersion: 0 }), 'BUNDLE_INVALID_FORMAT', '/bundleSchemaVersion'],
    ['a field more', as({ run: 'rm' }), 'BUNDLE_INVALID_FORMAT', 'run'],
    ['a strange session id', as({ sessionId: '../evil' }), 'BUNDLE_INVALID_FORMAT', '/sessionId'],
    ['a strange part', as(named('../../evil')), 'BUNDLE_INVALID_FORMAT', '/parts/0/name'],
    ['an absolute part', as(named('/etc/passwd')), 'BUNDLE_INVALID_FORMAT', '/parts/0/name'],
    ['a part of another folder', as(named('local/locks')), 'BUNDLE_INVALID_FORMAT', '/parts/0/name'],
    [
      'a part twice',
      as({
        parts: [part, part, ...good.parts.slice(1)],
        counts: { ...good.counts, pins: 2, bytes: good.counts.bytes + part.size },
      }),
      'BUNDLE_INVALID_FORMAT',
      'twice',
    ],
    ['counts that are not the parts', as({ counts: { ...good.counts, bytes: 1 } }), 'BUNDLE_INVALID_FORMAT', 'counts'],
    [
      'an empty part',
      as({ parts: [{ ...part, size: 0 }, ...good.parts.slice(1)] }),
      'BUNDLE_INVALID_FORMAT',
      '/parts/0/size',
    ],
    [
      'a part without end',
      as({
        parts: [...good.parts.slice(0, 2), { ...good.parts[2]!, size: limits.bundlePart + 1 }],
        counts: { ...good.counts, bytes: 519 + limits.bundlePart + 1 },
      }),
      'BUNDLE_INVALID_FORMAT',
      'over the limit for a part',
    ],
    [
      'too many parts',
      as({ parts: Array.from({ length: limits.bundleParts + 1 }, () => part) }),
      'BUNDLE_INVALID_FORMAT',
      '/parts',
    ],
    ['white space', `${as({})} `, 'BUNDLE_INVALID_FORMAT', 'canonical'],
    ['a key twice', as({}).replace('"product"', '"producer":"other","product"'), 'BUNDLE_INVALID_FORMAT', 'canonical'],
    ['no UTF-8', 'latin1', 'BUNDLE_INVALID_FORMAT', 'not JSON'],
  ];
  for (const [name, text, code, message] of cases) {
    const bytes = text === 'latin1' ? Buffer.from(as({ producer: 'caf\u00e9' }), 'latin1') : Buffer.from(text);
    const problem = await problemOf(
      sealed(await archiveOf([{ name: 'manifest.json', bytes }, ...entriesOf().slice(1)])),
    );
    expect(problem, name).toMatchObject({
      code,
      part: 'manifest.json',
      message: expect.stringContaining(message) as string,
    });
  }
});

test('what expands without end is stopped', async () => {
  const size = limits.bundleFreely + 1_000_000;
  const parts = Object.fromEntries(
    Array.from({ length: 70 }, (_, index) => [
      `segments/${String(index).padStart(6, '0')}-abcdefgh.ndjson`,
      Buffer.alloc(1_000_000),
    ]),
  );
  expect(manifestOf(parts).counts.bytes).toBeGreaterThan(size);
  expect(await problemOf(await bundle(parts))).toMatchObject({
    code: 'BUNDLE_INVALID_FORMAT',
    message: `it expands to more than ${limits.bundleExpansion} times its size`,
  });
  // A manifest that does not end.
  const endless = await archiveOf([{ name: 'manifest.json', bytes: Buffer.alloc(limits.bundleManifest + 1, ' ') }]);
  expect(await problemOf(sealed(endless))).toMatchObject({
    code: 'BUNDLE_INVALID_FORMAT',
    part: 'manifest.json',
    message: expect.stringContaining('the manifest has') as string,
  });
});

test('a fault of the file or of the taker is thrown as it is', async () => {
  const bytes = await bundle();
  const broken = readBundle(
    (async function* () {
      yield bytes.subarray(0, 500);
      throw new Error('EIO');
    })(),
    taker(),
  );
  await expect(broken).rejects.toThrow('EIO');
  await expect(
    readBundle(inPieces(bytes), { begin: () => Promise.resolve(), part: () => Promise.reject(new Error('ENOSPC')) }),
  ).rejects.toThrow('ENOSPC');
});
