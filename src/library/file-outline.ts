import { defined } from '../base/defined.js';
import { byteLength, cutToBytes, firstWords } from '../base/byte-budget.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { isWorkrailJson } from '../definitions/source/is-workrail-json.js';
import { salvageId } from '../definitions/source/salvage-id.js';

/** What a file says of itself before anything is judged: enough to list it, and to find it by its id. */
export interface FileOutline {
  readonly id?: string;
  readonly title?: string;
  readonly description: string;
  readonly kind: 'workflow' | 'routine';
  readonly tags: readonly string[];
  /** What the file says at length to people who choose, of which its description has the beginning. */
  readonly about?: string;
}

/** `value` is undefined where the syntax is broken; then the text may still tell the id. */
export function outlineOf(value: JsonValue | undefined, text: string, file: string): FileOutline {
  const source = isJsonObject(value) ? value : {};
  const id = value === undefined ? salvageId(text) : nameIn(source['workflow'] ?? source['id']);
  const title = nameIn(source['title'] ?? source['name']);
  const description = source['description'];
  const tags = source['tags'];
  // In the WorkRail JSON format a routine is known by its name and place.
  const inOlderFormat =
    isWorkrailJson(source) && (/(?:^|[./])routines?[-_./]/u.test(id ?? '') || /(?:^|\/)routines\//u.test(file));
  const about = isWorkrailJson(source) ? aboutIn(source) : undefined;
  return {
    ...defined<Pick<FileOutline, 'id' | 'title' | 'about'>>({ id, title, about }),
    description: typeof description === 'string' ? firstWords(description, limits.echo * 5) : '',
    kind: source['kind'] === 'routine' || inOlderFormat ? 'routine' : 'workflow',
    tags: Array.isArray(tags)
      ? tags.filter((tag): tag is string => typeof tag === 'string').slice(0, limits.tagCount)
      : [],
  };
}

/** Some of a file's own words: all of it is in its source. */
const aboutBytes = 2500;

function aboutIn({ about, examples }: JsonObject): string | undefined {
  const all = [
    typeof about === 'string' ? about.trim() : '',
    ...(Array.isArray(examples) ? (examples as readonly JsonValue[]) : []).map((example) =>
      typeof example === 'string' ? `For example: ${example}` : '',
    ),
  ].filter((text) => text !== '');
  const text = all.join('\n');
  const bytes = byteLength(text);
  if (bytes <= aboutBytes) return text === '' ? undefined : text;
  return `${cutToBytes(text, aboutBytes)}… (${bytes} bytes in all; mode source shows them)`;
}

function nameIn(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' && value.length <= limits.title ? value : undefined;
}
