import { isListTold, isObjectTold, type JsonObjectTold, type JsonTold } from '../step/json-told.js';
import { own } from '../../base/own.js';

const field = (from: JsonTold | undefined, name: string): JsonTold | undefined =>
  isObjectTold(from) ? own(from, name) : undefined;

/** A compiled workflow comes as JSON: what is of another kind than expected is as good as absent. */
export const readJson = {
  text: (from: JsonTold | undefined, name: string): string | undefined => {
    const value = field(from, name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  },
  number: (from: JsonTold | undefined, name: string): number | undefined => {
    const value = field(from, name);
    return typeof value === 'number' ? value : undefined;
  },
  objects: (from: JsonTold | undefined, name: string): readonly JsonObjectTold[] => {
    const value = field(from, name);
    return isListTold(value) ? value.filter(isObjectTold) : [];
  },
  texts: (from: JsonTold | undefined, name: string): readonly string[] => {
    const value = field(from, name);
    return isListTold(value) ? value.filter((one) => typeof one === 'string') : [];
  },
  object: (from: JsonTold | undefined, name: string): JsonObjectTold => {
    const value = field(from, name);
    return isObjectTold(value) ? value : {};
  },
};
