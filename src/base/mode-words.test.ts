import { describe, expect, it } from 'vitest';
import { modeWords, recommendedWords, spokenMode } from './mode-words.js';
import { directionOf, preferenceChange } from './preference-change.js';
import { modeNames, modes } from './preferences.js';

describe('preferences in words', () => {
  it('are those of their mode, or of the nearest with what differs', () => {
    for (const name of modeNames) expect(spokenMode(modes[name])).toEqual(modeWords[name]);
    expect(spokenMode({ ...modes.auto_stop, riskPolicy: 'aggressive' })).toEqual({
      label: 'Custom',
      says: 'like “Auto, stops for you”, but risk: aggressive',
    });
  });

  it('recommend a mode, single values, or nothing', () => {
    expect(recommendedWords({ mode: 'guided', riskPolicy: 'balanced' })).toEqual([
      `Guided: ${modeWords.guided.says}`,
      'Risk: balanced',
    ]);
    expect(recommendedWords({ mode: 'constructor', autonomy: 3 })).toEqual([]);
  });
});

describe('a change of preferences', () => {
  it('is loosened one way, tightened the other, and nothing where all stay', () => {
    for (const [index, name] of modeNames.entries())
      for (const [other, to] of modeNames.entries()) {
        const direction = index === other ? undefined : other > index ? 'loosened' : 'tightened';
        expect(directionOf(modes[name], modes[to])).toBe(direction);
      }
    expect(preferenceChange(modes.guided, modes.guided)).toBeUndefined();
  });

  it('names both modes, or what of it changed', () => {
    expect(preferenceChange(modes.auto_never_stop, modes.guided)).toBe(
      'tightened from “Auto, never stops” to “Guided”',
    );
    expect(preferenceChange(modes.guided, { ...modes.guided, riskPolicy: 'balanced' })).toBe(
      'loosened: risk balanced (before: conservative)',
    );
  });
});
