import { expect, it } from 'vitest';
import { addressRules, listedOnly, parseAddress, whyRefused } from './address-rules.js';

const rulesOf = (...allow: string[]) => {
  const rules = addressRules(allow);
  if (!rules.ok) throw new Error(rules.error.message);
  return rules.value;
};
const to = { host: 'api.example.com', port: '443' };
const isRefused = (address: string, allow: string[] = [], at = to): boolean =>
  whyRefused(address, at, rulesOf(...allow)) !== undefined;

it.each([
  '8.8.8.8',
  '1.1.1.1',
  '93.184.216.34',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '169.253.255.255',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
  '::ffff:8.8.8.8',
  '64:ff9b::808:808',
  '2600::',
])('%s is public', (address) => {
  expect(isRefused(address)).toBe(false);
});

it.each([
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.0',
  '10.255.255.255',
  '100.64.0.0',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.255',
  '169.254.0.0',
  '169.254.169.254',
  '172.16.0.0',
  '172.31.255.255',
  '192.0.0.0',
  '192.0.0.192',
  '192.0.2.1',
  '192.31.196.1',
  '192.52.193.1',
  '192.88.99.1',
  '192.168.0.0',
  '192.168.255.255',
  '192.175.48.1',
  '198.18.0.0',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.0',
  '255.255.255.255',
  '168.63.129.16',
  '100.100.100.200',
  '::',
  '::1',
  '::2',
  '::127.0.0.1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '::ffff:0:127.0.0.1',
  '::ffff:169.254.169.254',
  '64:ff9b::7f00:1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b::10.0.0.1',
  '64:ff9b:1::1',
  '64:ff9b:1:7f00:1::',
  '2002:7f00:1::',
  '2002:a00:1::1',
  '2002:808:808::',
  '2001:0:0:0::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:2::1',
  '2001:3::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '3fff::1',
  '5f00::1',
  '100::1',
  '4000::1',
  'a000::1',
  'fc00::1',
  'fd00:ec2::254',
  'fdff::1',
  'fe80::1',
  'fe80::1%eth0',
  'febf::1',
  'fec0::1',
  'ff02::1',
  'ff0e::1',
  '2620:4f:8000::1',
  '2001:4:112::1',
  '',
  'localhost',
  '127.1',
  '0x7f.1',
  '017700000001',
  '2130706433',
  '1.2.3',
  '1.2.3.4.5',
  'fe80',
  '8.8.8.8 ',
  '08.8.8.8',
])('%s is refused', (address) => {
  expect(isRefused(address)).toBe(true);
});

it('lets through what is listed, and nothing beside it', () => {
  expect(isRefused('127.0.0.1', ['127.0.0.1'])).toBe(false);
  expect(isRefused('::ffff:127.0.0.1', ['127.0.0.1'])).toBe(false);
  expect(isRefused('127.0.0.2', ['127.0.0.1'])).toBe(true);
  expect(isRefused('::1', ['127.0.0.1'])).toBe(true);
  expect(isRefused('10.1.2.3', ['10.0.0.0/8'])).toBe(false);
  expect(isRefused('11.1.2.3', ['192.168.0.0/16', '10.0.0.0/8'])).toBe(false);
  expect(isRefused('192.168.1.1', ['10.0.0.0/8'])).toBe(true);
  expect(isRefused('fd00::5', ['fd00::/8'])).toBe(false);
  const at = (host: string, port: string) => ({ host, port });
  expect(isRefused('127.0.0.1', ['localhost'], at('localhost', '80'))).toBe(false);
  expect(isRefused('127.0.0.1', ['localhost'], at('LOCALHOST.', '80'))).toBe(false);
  expect(isRefused('127.0.0.1', ['localhost'], at('evil.example', '80'))).toBe(true);
  expect(isRefused('127.0.0.1', ['localhost:8080'], at('localhost', '8080'))).toBe(false);
  expect(isRefused('127.0.0.1', ['localhost:8080'], at('localhost', '80'))).toBe(true);
  expect(isRefused('::1', ['[::1]:3000'], at('::1', '3000'))).toBe(false);
  expect(isRefused('::1', ['[::1]:3000'], at('::1', '3001'))).toBe(true);
  expect(isRefused('127.0.0.1', ['127.0.0.1:81'], at('127.0.0.1', '81'))).toBe(false);
});

it('lets nothing but what is listed through where that is asked for', () => {
  expect(whyRefused('8.8.8.8', to, listedOnly(rulesOf()))).toBe('not listed');
  expect(whyRefused('127.0.0.1', to, listedOnly(rulesOf('127.0.0.1')))).toBeUndefined();
});

it.each(['', 'http://localhost', 'a b', '10.0.0.0/33', '[::1', 'local*', '*', 'localhost:port', '1.2.3.4/'])(
  'refuses `%s` as an entry of `allow`',
  (entry) => {
    expect(addressRules([entry])).toMatchObject({ ok: false, error: { code: 'VALIDATION_ERROR' } });
  },
);

it('takes an address out of what wraps it', () => {
  expect(String(parseAddress('::ffff:10.0.0.1'))).toBe('10.0.0.1');
  expect(String(parseAddress('[::1]'))).toBe('::1');
  expect(parseAddress('example.com')).toBeUndefined();
});
