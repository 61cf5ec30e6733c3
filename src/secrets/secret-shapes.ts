import { isPlaceholder } from './placeholder.js';

export interface SecretFound {
  /** What kind of credential it seems to be, with its article: `an AWS access key`. */
  readonly name: string;
  /** The secret itself: never to be shown whole. */
  readonly text: string;
}

export interface SecretInText extends SecretFound {
  readonly index: number;
}

interface Shape {
  readonly name: string;
  readonly beginning: RegExp;
  readonly pattern: RegExp;
}

const shape = (name: string, beginning: RegExp, rest: RegExp): Shape => ({
  name,
  beginning,
  pattern: new RegExp(`(?:${beginning.source})${rest.source}`, 'gu'),
});

/**
 * Spellings that well-known credentials have and ordinary text has not: how each begins, and what follows or stands
 * before that. No character is read by two starts of one pattern, so that any text takes a time in line with its length.
 */
const shapes = [
  shape(
    'a private key',
    /-----BEGIN /u,
    /(?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----(?:[^-]{0,10000}-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----)?/u,
  ),
  shape('an AWS access key', /AKIA|ASIA/u, /(?<![A-Za-z0-9]AKIA|[A-Za-z0-9]ASIA)[0-9A-Z]{16}(?![A-Za-z0-9])/u),
  shape('a GitHub token', /gh[pousr]_/u, /(?<![A-Za-z0-9]gh[pousr]_)(?:[A-Za-z0-9]{36,255})(?![A-Za-z0-9])/u),
  shape('a GitHub token', /github_pat_/u, /(?<![A-Za-z0-9]github_pat_)[A-Za-z0-9_]{40,255}(?![A-Za-z0-9_])/u),
  shape('a GitLab token', /gl(?:pat|dt|rt|ptt|oas|cbt|ft)-/u, /(?<![A-Za-z0-9]gl[a-z]{2,3}-)[A-Za-z0-9_-]{20,255}/u),
  shape('a Slack token', /xox[abceoprs]-/u, /(?<![A-Za-z0-9]xox[abceoprs]-)[A-Za-z0-9-]{10,255}/u),
  shape('a Slack app token', /xapp-/u, /(?<![A-Za-z0-9]xapp-)[0-9]-[A-Z0-9]{5,40}-[0-9]{5,40}-[a-f0-9]{32,128}/u),
  shape(
    'a Slack webhook',
    /hooks\.slack\.com\//u,
    /(?:services|workflows)\/T[A-Z0-9]{5,20}\/[A-Z0-9]{5,20}\/[A-Za-z0-9]{16,80}/u,
  ),
  shape('an API key', /sk-/u, /(?<![A-Za-z0-9]sk-)(?=[A-Za-z_-]{0,200}[0-9])[A-Za-z0-9_-]{20,255}/u),
  shape('a Google API key', /AIza/u, /(?<![A-Za-z0-9_-]AIza)[0-9A-Za-z_-]{35}(?![A-Za-z0-9_-])/u),
  shape('a Google OAuth secret', /GOCSPX-/u, /(?<![A-Za-z0-9]GOCSPX-)[A-Za-z0-9_-]{28}(?![A-Za-z0-9_-])/u),
  shape('a Google access token', /ya29\./u, /(?<![A-Za-z0-9]ya29\.)[A-Za-z0-9_-]{30,1000}/u),
  shape('an npm token', /npm_/u, /(?<![A-Za-z0-9]npm_)[A-Za-z0-9]{36}(?![A-Za-z0-9])/u),
  shape('a PyPI token', /pypi-/u, /(?<![A-Za-z0-9]pypi-)[A-Za-z0-9_-]{50,1000}/u),
  shape('a Stripe key', /(?:sk|rk)_/u, /(?<![A-Za-z0-9][sr]k_)(?:live|test)_[A-Za-z0-9]{16,255}/u),
  shape('a webhook secret', /whsec_/u, /(?<![A-Za-z0-9]whsec_)[A-Za-z0-9+/]{24,255}/u),
  shape('a SendGrid key', /SG\./u, /(?<![A-Za-z0-9]SG\.)[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/u),
  shape('a Twilio key', /SK/u, /(?<![A-Za-z0-9]SK)[0-9a-f]{32}(?![A-Za-z0-9])/u),
  shape(
    'a JSON web token',
    /eyJ/u,
    /(?<![A-Za-z0-9_-]eyJ)[A-Za-z0-9_-]{10,10000}\.eyJ[A-Za-z0-9_-]{10,10000}\.[A-Za-z0-9_-]{16,10000}/u,
  ),
  shape('a Telegram bot token', /:AA/u, /(?<=(?<![0-9])[0-9]{8,10}:AA)[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/u),
  shape('a Hugging Face token', /hf_/u, /(?<![A-Za-z0-9]hf_)[A-Za-z0-9]{34}(?![A-Za-z0-9])/u),
  shape('a DigitalOcean token', /do[opr]_v1_/u, /(?<![A-Za-z0-9]do[opr]_v1_)[a-f0-9]{64}(?![A-Za-z0-9])/u),
  shape('a Shopify token', /shp(?:at|ca|pa|ss)_/u, /(?<![A-Za-z0-9]shp[a-z]{2}_)[a-fA-F0-9]{32}(?![A-Za-z0-9])/u),
  shape('a Linear key', /lin_api_/u, /(?<![A-Za-z0-9]lin_api_)[A-Za-z0-9]{40}(?![A-Za-z0-9])/u),
  shape('a Vault token', /hv[sb]\./u, /(?<![A-Za-z0-9]hv[sb]\.)[A-Za-z0-9_-]{24,300}/u),
  shape('a Docker Hub token', /dckr_pat_/u, /(?<![A-Za-z0-9]dckr_pat_)[A-Za-z0-9_-]{27}(?![A-Za-z0-9_-])/u),
  shape('an age key', /AGE-SECRET-KEY-1/u, /[0-9A-Z]{58}/u),
  shape('an Azure account key', /AccountKey=/u, /[A-Za-z0-9+/]{80,90}={0,2}/u),
  shape(
    'an Azure client secret',
    /8Q~/u,
    /(?<=(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}8Q~)[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])/u,
  ),
] as const;

/** Nearly every text has none of these, and is looked through once. */
const anyBeginning = new RegExp(shapes.map(({ beginning }) => beginning.source).join('|'), 'u');

/** `scheme://user:password@host`, found from its `://`, which the other two parts then stand around. */
const loginInUrl = /:\/\/([^\s/:@"'<>`]{0,100}):([^\s/@"'<>`]{1,200})@[A-Za-z0-9[]/gu;

/** The credentials that a text seems to hold, by their spelling alone, in the order of the text. */
export function secretsByShape(text: string): readonly SecretInText[] {
  const found: SecretInText[] = [];
  for (const { name, pattern } of anyBeginning.test(text) ? shapes : []) {
    for (const { 0: secret, index } of text.matchAll(pattern))
      if (!isPlaceholder(secret)) found.push({ name, text: secret, index });
  }
  for (const { 1: user = '', 2: password = '', index } of text.matchAll(loginInUrl)) {
    if (password.length >= 4 && !isPlaceholder(password))
      found.push({ name: 'a password in an address', text: password, index: index + '://'.length + user.length + 1 });
  }
  return found.toSorted((a, b) => a.index - b.index);
}
