import { expect, it } from 'vitest';
import { err } from '../base/result.js';
import { buildRequest } from './build-request.js';
import { openDocument } from './open-document.js';

it('of 2.0 parts the lists of a form as it says, in each kind of form', () => {
  const field = (name: string, collectionFormat?: string) => ({
    name,
    in: 'formData',
    type: 'array',
    ...(collectionFormat !== undefined && { collectionFormat }),
  });
  const fields = [field('plain'), field('s', 'ssv'), field('t', 'tsv'), field('p', 'pipes'), field('m', 'multi')];
  const sent = (consumes: string) => {
    const document = openDocument({
      value: {
        swagger: '2.0',
        info: { title: 'Forms', version: '1' },
        paths: { '/f': { post: { consumes: [consumes], parameters: fields } } },
      },
      file: 'forms.json',
      otherFile: () => err('there is no other'),
      placeIn: () => undefined,
    });
    if (!document.ok) throw new Error('the document was refused');
    const { operation } = document.value;
    const body = Object.fromEntries(fields.map(({ name }) => [name, ['a', 'b']]));
    const built = buildRequest(operation('POST /f')!, { baseUrl: 'https://x.example', body });
    return built.ok ? built.value.body : built.error;
  };
  expect(sent('application/x-www-form-urlencoded')).toEqual({
    kind: 'text',
    text: 'plain=a,b&s=a%20b&t=a%09b&p=a%7Cb&m=a&m=b',
  });
  const texts = [
    ['plain', 'a,b'],
    ['s', 'a b'],
    ['t', 'a\tb'],
    ['p', 'a|b'],
    ['m', 'a'],
    ['m', 'b'],
  ];
  expect(sent('multipart/form-data')).toEqual({
    kind: 'multipart',
    parts: texts.map(([name, text]) => ({ name, text })),
  });
});
