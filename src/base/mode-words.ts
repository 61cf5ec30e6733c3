import type { Mode } from './preferences.js';

/** What each mode is called and does, as people read it wherever they choose one or see one in force. */
export const modeWords: { readonly [name in Mode]: { readonly label: string; readonly says: string } } = {
  guided: {
    label: 'Guided',
    says: 'asks you what the workflow asks, and waits for your agreement',
  },
  auto_stop: {
    label: 'Auto, stops for you',
    says: 'goes on alone, says what it assumes, and waits for what only you can give or agree to',
  },
  auto_never_stop: {
    label: 'Auto, never stops',
    says: 'goes on without you; what nobody gave or agreed to is a critical gap at the end',
  },
};
