import { expect, it } from 'vitest';
import { foreignExpression } from './foreign-expression.js';

it.each([
  ['context.a == "S" and context.b > 1', 'context.a == "S" && context.b > 1', '`and` is written `&&`'],
  ['context.a OR context.b', 'context.a || context.b', '`OR` is written `||`'],
  ['context.a === "x and y"', 'context.a == "x and y"', '`===` is written `==`'],
  ['context.a !== "x"', 'context.a != "x"', '`!==` is written `!=`'],
  [
    'context.a = "S" & context.b <= 2',
    'context.a == "S" && context.b <= 2',
    '`=` is written `==`, and `&` is written `&&`',
  ],
  ['context.a is not "S"', 'context.a != "S"', '`is not` is written `!=`'],
  ['context.a is "S"', 'context.a == "S"', '`is` is written `==`'],
  ['not context.a', undefined, '`not` is written `!(…)`'],
  ['context.a not in ["x"]', undefined, '`not in` is written `!(… in …)`'],
])('tells how %s is written here', (source, right, message) => {
  expect(foreignExpression(source)).toEqual({ message, ...(right !== undefined && { right }) });
});

it.each(['context.and == "or"', 'context.a >= 1', 'context.a == "=== and"', 'context.a ==', 'context.order > 1 &&'])(
  'has nothing to say of %s',
  (source) => {
    expect(foreignExpression(source)).toBeUndefined();
  },
);
