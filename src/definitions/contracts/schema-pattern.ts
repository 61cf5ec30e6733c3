/**
 * A pattern of JSON Schema in the words of the engine that matches it: white space is all that ECMAScript takes for it,
 * and classes of Unicode may have their long names.
 */
export function schemaPattern(source: string): string {
  let inClass = false;
  return source.replaceAll(/\\[pP]\{[^}]*\}|\\[^]|[[\]]/gu, (token) => {
    if (token === '[' || token === ']') {
      inClass = token === '[';
      return token;
    }
    if (token === '\\s' || token === '\\S') {
      const ranges = token === '\\s' ? spaces : others;
      return inClass ? ranges : `[${ranges}]`;
    }
    return token.length > 2 ? unicodeClass(token) : token;
  });
}

const spaces = String.raw`\x09-\x0d\x20\xa0\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`;
const others = String.raw`\x00-\x08\x0e-\x1f\x21-\x9f\xa1-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`;

function unicodeClass(token: string): string {
  const [, sign = '', named = ''] = /^\\([pP])\{(?:(?:Script|sc|General_Category|gc)=)?([^}]*)\}$/u.exec(token) ?? [];
  return named === '' ? token : `\\${sign}{${shortNames.get(named) ?? named}}`;
}

/** General categories by their long names. */
const shortNames: ReadonlyMap<string, string> = new Map(
  (
    'Letter L Lowercase_Letter Ll Uppercase_Letter Lu Titlecase_Letter Lt Modifier_Letter Lm Other_Letter Lo ' +
    'Mark M Combining_Mark M Nonspacing_Mark Mn Spacing_Mark Mc Enclosing_Mark Me Number N Decimal_Number Nd digit Nd ' +
    'Letter_Number Nl Other_Number No Punctuation P punct P Connector_Punctuation Pc Dash_Punctuation Pd ' +
    'Open_Punctuation Ps Close_Punctuation Pe Initial_Punctuation Pi Final_Punctuation Pf Other_Punctuation Po ' +
    'Symbol S Math_Symbol Sm Currency_Symbol Sc Modifier_Symbol Sk Other_Symbol So Separator Z Space_Separator Zs ' +
    'Line_Separator Zl Paragraph_Separator Zp Other C Control Cc Format Cf Private_Use Co Surrogate Cs'
  )
    .split(' ')
    .flatMap((long, at, all) => (at % 2 === 0 ? [[long, all[at + 1]!] as const] : [])),
);
