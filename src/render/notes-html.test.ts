import { describe, expect, it } from 'vitest';
import { notesHtml } from './notes-html.js';

describe('notesHtml', () => {
  it.each([
    ['# One', '<p class="heading">One</p>'],
    ['a <b>bold</b>', '<p>a &lt;b&gt;bold&lt;/b&gt;</p>'],
    ['[a](https://example.org)', '<p><a href="https://example.org" rel="noopener noreferrer">a</a></p>'],
    ['[a](src/a.ts) [b](#x) [c](javascript:x)', '<p>a (src/a.ts) b c</p>'],
    [
      '![chart](https://example.org/a.png)',
      '<p><a href="https://example.org/a.png" rel="noopener noreferrer">image: chart</a></p>',
    ],
    [
      '[![chart](https://example.org/a.png)](https://example.org)',
      '<p><a href="https://example.org" rel="noopener noreferrer">image: chart</a></p>',
    ],
    ['- [x] done\n- [ ] open', '<ul>\n<li>☑ done</li>\n<li>☐ open</li>\n</ul>'],
    ['3. three', '<ol start="3">\n<li>three</li>\n</ol>'],
    [
      '|a|b|\n|-|-:|\n|1|2|',
      '<table>\n<thead>\n<tr>\n<th scope="col">a</th>\n<th scope="col" class="right">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td class="right">2</td>\n</tr>\n</tbody>\n</table>',
    ],
    ['&#x202e;x', '<p>⟨U+202E⟩x</p>'],
    ['```js onload=x\na < b\n```', '<pre><code class="language-js">a &lt; b\n</code></pre>'],
    ['```js"onload="x\na\n```', '<pre><code>a\n</code></pre>'],
    ['```../../x\na\n```', '<pre><code>a\n</code></pre>'],
  ])('%j', (notes, html) => {
    expect(notesHtml(notes)).toBe(html);
  });

  it('shows a text that would tie a reader up as it stands', () => {
    expect(notesHtml('*a_ '.repeat(5000))).toBe(`<pre>${'*a_ '.repeat(5000)}</pre>`);
  });
});
