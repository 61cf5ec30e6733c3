import { visibleText } from './visible-text.js';
import { own } from '../base/own.js';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as text, in HTML and in its attributes. */
export const escapeHtml = (text: string): string =>
  visibleText(text).replaceAll(/[&<>"']/gu, (character) => own(entities, character) ?? character);
