import { describe, expect, it } from 'vitest';
import { catalogSettings } from './catalog-settings.js';
import { headerSecret } from './header-secret.js';

const token = `${'gh'}p_16C7e42F292c6912E7710c838347Ae178B4a`;

describe('a header in a file of the project', () => {
  it.each([
    ['Authorization', 'Bearer ghp_short'],
    ['proxy-authorization', 'Basic YTpi'],
    ['Cookie', 'a=b'],
    ['X-API-Key', 'k'],
    ['apikey', 'k'],
    ['Ocp-Apim-Subscription-Key', 'k'],
    ['PRIVATE-TOKEN', 'k'],
    ['X-Auth-Token', 'k'],
    ['x-amz-security-token', 'k'],
    ['X-Token', ''],
    ['X-Team', token],
    ['X-Team', `see ${token}`],
    ['Authorization', `\${{ secrets.NONE }}${token}`],
    ['Authorization', '${{ secrets. }}'],
    ['X-Access-Secret', 'kT7#pq91LmZx'],
  ])('%s: %s holds a secret itself', (name, value) => {
    expect(headerSecret(name, value)).toContain('write ${{ secrets.NAME }}, and give its value with `workrail');
    const checked = catalogSettings.safeParse({ version: 1, enabled: true, headers: { [name]: value } });
    expect(checked.error?.issues).toMatchObject([{ path: ['headers', name] }]);
    if (value.length > 3) expect(JSON.stringify(checked.error?.issues)).not.toContain(value);
  });

  it.each([
    ['Authorization', 'Bearer ${{ secrets.TOKEN }}'],
    ['Authorization', '${{secrets.GITHUB_TOKEN}}'],
    ['Cookie', 'session=${{ secrets.SESSION }}'],
    ['X-Team', 'a'],
    ['Accept', 'application/vnd.github+json'],
    ['X-GitHub-Api-Version', '2022-11-28'],
    ['X-Atlassian-Token', 'no-check'],
    ['X-CSRF-Token', 'nocheck'],
    ['Idempotency-Key', 'a'],
    ['User-Agent', 'acme-tools/1.2 (+https://acme.example)'],
  ])('%s: %s does not', (name, value) => {
    expect(headerSecret(name, value)).toBeUndefined();
  });
});
