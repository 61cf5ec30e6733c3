import { generateKeyPairSync, sign } from 'node:crypto';

const part = (tag: number, ...inner: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(inner);
  const long = body.length > 255 ? [0x82, body.length >> 8, body.length & 255] : [0x81, body.length];
  return Buffer.concat([Buffer.from([tag, ...(body.length < 128 ? [body.length] : long)]), body]);
};
const sequence = (...inner: readonly Buffer[]): Buffer => part(0x30, ...inner);
const time = (text: string): Buffer => part(0x17, Buffer.from(text));

/** A key, and a certificate that nobody has signed but it. */
export function selfSigned(host: string): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(part(0x06, Buffer.from('2a8648ce3d040302', 'hex')));
  const commonName = part(0x06, Buffer.from('550403', 'hex'));
  const name = sequence(part(0x31, sequence(commonName, part(0x0c, Buffer.from(host)))));
  const body = sequence(
    part(0xa0, part(0x02, Buffer.from([2]))),
    part(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(time('200101000000Z'), time('491231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = part(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const base64 = sequence(body, ecdsaWithSha256, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/.{64}/gu, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
}
