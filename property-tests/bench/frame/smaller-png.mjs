import { deflateSync, inflateSync } from 'node:zlib';
import { chunk } from './animated-png.mjs';

/** The same picture in fewer bytes: what is flat, as a page is, packs best without the filters that a browser chooses for it. */
export function smallerPng(png) {
  const [head, data] = [[png.subarray(0, 8)], []];
  for (let at = 8; at < png.length;) {
    const end = at + 12 + png.readUInt32BE(at);
    const name = png.toString('latin1', at + 4, at + 8);
    if (name === 'IDAT') data.push(png.subarray(at + 8, end - 4));
    else if (name !== 'IEND') head.push(png.subarray(at, end));
    at = end;
  }
  const [width, height, depth, colours] = [png.readUInt32BE(16), png.readUInt32BE(20), png[24], png[25]];
  const bytes = { 2: 3, 6: 4 }[colours];
  if (depth !== 8 || bytes === undefined || png[28] !== 0) return png;
  const rows = inflateSync(Buffer.concat(data));
  unfilter(rows, width * bytes + 1, height, bytes);
  const small = Buffer.concat([...head, chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })), chunk('IEND')]);
  return small.length < png.length ? small : png;
}

/** Rows as they are, in place. https://www.w3.org/TR/png-3/#9Filters */
function unfilter(rows, stride, height, bytes) {
  for (let row = 0; row < height; row += 1) {
    const start = row * stride;
    const filter = rows[start];
    rows[start] = 0;
    for (let at = 1; at < stride; at += 1) {
      const left = at > bytes ? rows[start + at - bytes] : 0;
      const above = row > 0 ? rows[start - stride + at] : 0;
      const corner = at > bytes && row > 0 ? rows[start - stride + at - bytes] : 0;
      const from = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter];
      rows[start + at] = (rows[start + at] + from) & 255;
    }
  }
}

function paeth(left, above, corner) {
  const guess = left + above - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? above : corner;
}
