import { visibleText } from './visible-text.js';

/** Elements of notes as they go on the page; whatever else a parser makes is left out, and its text stays. */
const plainElements = new Set('p blockquote ul li pre em strong del thead tbody tr'.split(' '));
const markup = /<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+="[^"]*")*) ?\/?>|[^<]+|</gu;

interface Open {
  readonly name: string;
  readonly closing: string;
}

/** HTML made from Markdown, rebuilt from an allow list of elements and attributes, with every element closed. */
export function safeHtml(html: string): string {
  const written: string[] = [];
  const open: Open[] = [];
  const enter = (name: string, opening: string, closing: string): void => {
    written.push(opening);
    open.push({ name, closing });
  };
  for (const [whole, slash, name, attributes = ''] of html.matchAll(markup)) {
    if (name === undefined) written.push(whole === '<' ? '&lt;' : visibleText(whole));
    else if (slash === '/') leave(name, open, written);
    else write(name, attributes, { enter, written, inLink: open.some((element) => element.name === 'a') });
  }
  while (open.length > 0) written.push(open.pop()?.closing ?? '');
  return written.join('');
}

function leave(name: string, open: Open[], written: string[]): void {
  if (!open.some((element) => element.name === name)) return;
  for (let last = open.pop(); last !== undefined; last = open.pop()) {
    written.push(last.closing);
    if (last.name === name) return;
  }
}

interface Writing {
  readonly enter: (name: string, opening: string, closing: string) => void;
  readonly written: string[];
  readonly inLink: boolean;
}

function write(name: string, attributes: string, { enter, written, inLink }: Writing): void {
  if (name === 'code') enter(name, `<code${languageOf(attribute(attributes, 'class'))}>`, '</code>');
  else if (plainElements.has(name)) enter(name, `<${name}>`, `</${name}>`);
  else if (/^h[1-6]$/u.test(name)) enter(name, '<p class="heading">', '</p>');
  else if (name === 'hr' || name === 'br') written.push(`<${name}>`);
  else if (name === 'ol')
    enter(
      name,
      `<ol${/^\d{1,9}$/u.test(attribute(attributes, 'start')) ? ` start="${attribute(attributes, 'start')}"` : ''}>`,
      '</ol>',
    );
  else if (name === 'table') enter(name, '<table>', '</table>');
  else if (name === 'th' || name === 'td')
    enter(
      name,
      `<${name}${name === 'th' ? ' scope="col"' : ''}${aligned(attribute(attributes, 'align'))}>`,
      `</${name}>`,
    );
  else if (name === 'input') written.push(attributes.includes(' checked="') ? '☑' : '☐');
  else if (name === 'a') writeLink(attribute(attributes, 'href'), enter);
  else if (name === 'img') writeImage(attribute(attributes, 'src'), attribute(attributes, 'alt'), inLink, written);
}

const attribute = (attributes: string, name: string): string =>
  new RegExp(` ${name}="([^"]*)"`, 'u').exec(attributes)?.[1] ?? '';

const aligned = (align: string): string => (align === 'right' || align === 'center' ? ` class="${align}"` : '');

/** What a fence says it holds. */
const languageOf = (name: string): string => (/^language-[\w+#-]{1,24}$/u.test(name) ? ` class="${name}"` : '');

const isAddress = (address: string): boolean => /^(?:https?:\/\/|mailto:)[^\s"'<>]*$/iu.test(address);

/** A link leads to an address on the web or is said in words: a page that was handed on has no files beside it. */
function writeLink(href: string, enter: Writing['enter']): void {
  if (isAddress(href)) enter('a', `<a href="${href}" rel="noopener noreferrer">`, '</a>');
  else enter('a', '', href === '' || href.startsWith('#') ? '' : ` (${visibleText(href)})`);
}

/** Nothing is loaded from anywhere: what would be a picture is named. */
function writeImage(source: string, alt: string, inLink: boolean, written: string[]): void {
  const words = `image${alt === '' ? '' : `: ${visibleText(alt)}`}`;
  written.push(isAddress(source) && !inLink ? `<a href="${source}" rel="noopener noreferrer">${words}</a>` : words);
}
