// Loaded into a server before it starts: its clock stands as far off as the file FAULT_CLOCK says, in milliseconds, and
// jumps when that changes. What was seen is left in FAULT_CLOCK.seen, so that a jump nobody noticed is no fault.
import { appendFileSync, readFileSync } from 'node:fs';

const file = process.env.FAULT_CLOCK;
const RealDate = Date;
let off = 0;
let looked = 0;

function offset() {
  const now = performance.now();
  if (now - looked < 3) return off;
  looked = now;
  try {
    const found = Number(readFileSync(file, 'utf8'));
    if (found !== off) appendFileSync(`${file}.seen`, `${found}\n`);
    off = found;
  } catch {
    // It is being written.
  }
  return off;
}

globalThis.Date = class Date extends RealDate {
  constructor(...words) {
    if (words.length === 0) super(RealDate.now() + offset());
    else super(...words);
  }
  static now() {
    return RealDate.now() + offset();
  }
};
