import { expect, it } from 'vitest';
import { collectClaims, SceneBroken } from './demo-claims.js';

it('tells scenes and claims as they come, and ends where the rest stands on one that did not hold', () => {
  const told: string[] = [];
  const claims = collectClaims(
    (title) => told.push(title),
    ({ says, held, seen }) => told.push(`${says} ${held} ${seen ?? ''}`),
  );
  claims.scene('One');
  claims.claim('holds', true, 'not shown');
  claims.claim('does not', false, { seen: 1 });
  expect(() => claims.need('ends it', false, 'x'.repeat(700))).toThrow(SceneBroken);
  expect(told.slice(0, 3)).toEqual(['One', 'holds true ', 'does not false {"seen":1}']);
  expect(told[3]).toMatch(/ends it false x{600} … \(700 characters\)$/u);
  expect(claims.scenes).toMatchObject([{ title: 'One', claims: [{ held: true }, { held: false }, { held: false }] }]);
});

it('loses no claim that is made before any scene', () => {
  const claims = collectClaims(
    () => undefined,
    () => undefined,
  );
  claims.claim('the server starts', false);
  expect(claims.scenes).toEqual([{ title: 'Before the play', claims: [{ says: 'the server starts', held: false }] }]);
});
