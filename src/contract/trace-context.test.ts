import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { traceContext } from './trace-context.js';

const right = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

describe('a trace context', () => {
  it.each([
    ['a trace alone', right, undefined, `traceparent ${right}`],
    ['its state', right, 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE', 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE'],
    ['room between members, and empty ones', right, ' a=1 ,\t,b@c=2,', 'a=1,b@c=2'],
    ['a later version, of which the known part is kept', right.replace('00', 'cc') + '-more', undefined, 'cc-4bf92f'],
  ])('is told with %s', (_, traceparent, tracestate, told) => {
    expect(traceContext(traceparent, tracestate)).toContain(told);
    expect(traceContext(traceparent, tracestate)).not.toContain('more');
  });

  it.each([
    ['nothing', undefined],
    ['no text', 7],
    ['words', 'trace me'],
    ['two of them', `${right}, ${right}`],
    ['capitals', right.toUpperCase()],
    ['no trace', right.replace(/-.{32}-/u, `-${'0'.repeat(32)}-`)],
    ['no parent', right.replace(/-.{16}-/u, `-${'0'.repeat(16)}-`)],
    ['the version that is forbidden', right.replace('00', 'ff')],
    ['more than its version has', `${right}-00`],
    ['another line', `${right}\nworkrail: all is well`],
  ])('that is %s is ignored', (_, traceparent) => {
    expect(traceContext(traceparent, 'a=1')).toBeUndefined();
  });

  it.each([
    ['not text', ['a=1']],
    ['nothing', ' , '],
    ['no pairs', 'a'],
    ['a key in capitals', 'A=1'],
    ['another line', 'a=1\nb=2'],
    ['not ASCII', 'a=ü'],
    ['too many', Array.from({ length: 33 }, (_, n) => `k${n}=1`).join(',')],
    ['too long', `a=${'x'.repeat(255)},b=${'x'.repeat(256)}`],
  ])('with a state that is %s is told without it', (_, tracestate) => {
    expect(traceContext(right, tracestate)).toBe(`traceparent ${right}`);
  });

  it('is one line of printable ASCII, whatever is sent', () => {
    const state = fc.array(fc.string({ unit: 'binary', maxLength: 9 })).map((parts) => `a=1,${parts.join(',')}`);
    fc.assert(
      fc.property(fc.oneof(state, fc.string({ unit: 'binary' })), (tracestate) => {
        expect(traceContext(right, tracestate)).toMatch(/^[ -~]+$/u);
      }),
    );
  });
});
