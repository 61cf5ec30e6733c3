import { crc32, deflateSync } from 'node:zlib';

/** A chunk of a PNG: the length of its bytes, its name, its bytes, and their sum. */
export function chunk(name, ...parts) {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), ...parts]);
  return Buffer.concat([words(body.length - 4), body, words(crc32(body))]);
}

/** Numbers of four bytes each. */
function words(...values) {
  const buffer = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) buffer.writeUInt32BE(value, at * 4);
  return buffer;
}

function deflated({ width, height, indices }) {
  const rows = Buffer.alloc((width + 1) * height);
  for (let row = 0; row < height; row += 1) indices.copy(rows, row * (width + 1) + 1, row * width, (row + 1) * width);
  return deflateSync(rows, { level: 9, memLevel: 9 });
}

/**
 * Frames of one palette as an animated PNG that plays for ever. Index 0 shows what was there before; each frame says
 * which part it changes, and how many milliseconds it is shown. https://www.w3.org/TR/png-3/#apng-frame-based-animation
 */
export function animatedPng(width, height, palette, frames) {
  let sequence = 0;
  const parts = frames.flatMap((frame, at) => {
    const { x, y, width: w, height: h, milliseconds } = frame;
    // The delay is a fraction of a second; nothing is cleared, and what is drawn lies over what is there.
    const time = Buffer.from([milliseconds >> 8, milliseconds & 255, 1000 >> 8, 1000 & 255, 0, 1]);
    const control = chunk('fcTL', words((sequence += 1) - 1, w, h, x, y), time);
    const bytes = deflated(frame);
    return [control, at === 0 ? chunk('IDAT', bytes) : chunk('fdAT', words((sequence += 1) - 1), bytes)];
  });
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', words(width, height), Buffer.from([8, 3, 0, 0, 0])),
    chunk('acTL', words(frames.length, 0)),
    chunk('PLTE', Buffer.from(palette)),
    chunk('tRNS', Buffer.from([0])),
    ...parts,
    chunk('IEND'),
  ]);
}
