import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { operationWords } from './operation-words.js';
import type { OperationEntry } from './openapi-catalog.js';
import { searchOperations } from './search-operations.js';

const entry = (id: string, method: string, path: string, summary = '', description = ''): OperationEntry => ({
  id,
  method,
  path,
  summary,
  description,
  tags: [],
  safety: method === 'GET' ? 'safe' : method === 'DELETE' ? 'destructive' : 'mutating',
  deprecated: false,
});

const shop = [
  entry('listPets', 'GET', '/pets', 'List all pets'),
  entry('createPet', 'POST', '/pets', 'Create a pet'),
  entry('getPetById', 'GET', '/pets/{id}', 'Info for a specific pet'),
  entry('deletePet', 'DELETE', '/pets/{id}', 'Deletes a pet'),
  entry('createPetPhoto', 'POST', '/pets/{id}/photos', 'Add a photo of a pet', 'Of a pet that you own.'),
  entry('orderInvitation', 'POST', '/orders/{id}/invitations'),
  entry('PUT /orders/{id}', 'PUT', '/orders/{id}'),
];
const clinic = [
  entry('pet_list', 'GET', '/patients', 'List patients'),
  entry('visit_close', 'POST', '/visits/{id}/close', 'Close a visit'),
];
const ci = [
  entry('list-workflow-runs', 'GET', '/workflows/{id}/runs', 'List workflow runs'),
  entry('re-run-workflow', 'POST', '/runs/{id}/rerun', 'Re-run a workflow'),
  entry('cancel-workflow-run', 'POST', '/runs/{id}/cancel', 'Cancel a workflow run'),
  entry('approve-workflow-run', 'POST', '/runs/{id}/approve', 'Approve a workflow run'),
  entry('create-workflow-dispatch', 'POST', '/workflows/{id}/dispatches', 'Create a workflow dispatch event'),
];
const search = searchOperations([
  { id: 'shop', title: 'Shop', operations: shop },
  { id: 'clinic', title: 'Clinic', operations: clinic },
]);
const ids = (query: string, filter = {}) => search.find(query, filter).map(({ operation }) => operation.id);

describe('a search for an operation', () => {
  it.each([
    ['add a new pet', 'createPet'],
    ['remove pet', 'deletePet'],
    ['fetch one pet by id', 'getPetById'],
    ['show all pets of the shop', 'listPets'],
    ['upload picture of pet', 'createPetPhoto'],
    ['invite to an order', 'orderInvitation'],
    ['change order', 'PUT /orders/{id}'],
    ['closing a visit', 'visit_close'],
    ['delet pett', 'deletePet'],
    ['pati', 'pet_list'],
    ['createPetPhoto', 'createPetPhoto'],
    ['POST /pets', 'createPet'],
  ])('%s finds %s first', (query, id) => {
    expect(ids(query)[0]).toBe(id);
  });

  it('finds nothing for what is nowhere, and everything for nothing', () => {
    expect(ids('zzzzqqqq')).toEqual([]);
    expect(ids('')).toEqual([...shop, ...clinic].map(({ id }) => id));
    expect(ids('the of a')).toHaveLength(shop.length + clinic.length);
  });

  it.each(['start a workflow run', 'trigger a workflow', 'run a workflow', 'launch a workflow run'])(
    '%s finds what is dispatched, and what does another thing to a run behind it',
    (query) => {
      const actions = searchOperations([{ id: 'ci', title: 'CI', operations: ci }]);
      const found = actions.find(query).map(({ operation }) => operation.id);
      expect(found.slice(0, 2)).toContain('create-workflow-dispatch');
      expect(found.indexOf('cancel-workflow-run')).toBeGreaterThan(1);
      expect(actions.find('cancel a workflow run')[0]!.operation.id).toBe('cancel-workflow-run');
      expect(actions.find('list workflow runs')[0]!.operation.id).toBe('list-workflow-runs');
    },
  );

  it('reads first and deletes last where nobody said what to do', () => {
    const thing = (id: string, method: string, safety: OperationEntry['safety']) => ({
      ...entry(id, method, '/things/{id}', 'A thing'),
      safety,
    });
    const things = searchOperations([
      {
        id: 'one',
        title: 'One',
        operations: [
          thing('dropThing', 'DELETE', 'destructive'),
          thing('paintThing', 'POST', 'mutating'),
          thing('seeThing', 'GET', 'safe'),
        ],
      },
    ]);
    const order = (query: string) => things.find(query).map(({ operation }) => operation.id);
    expect(order('things')).toEqual(['seeThing', 'paintThing', 'dropThing']);
    expect(order('drop thing')[0]).toBe('dropThing');
    expect(ids('pets')[0]).toBe('listPets');
  });

  it('tells what fits from what has one of the words', () => {
    const fitting = (query: string) =>
      search.find(query).flatMap(({ operation, fits }) => (fits ? [operation.id] : []));
    expect(fitting('close a visit')).toEqual(['visit_close']);
    expect(fitting('close the frobnicated zeppelin')).toEqual([]);
    expect(ids('close the frobnicated zeppelin')[0]).toBe('visit_close');
    expect(fitting('POST /pets')).toContain('createPet');
    expect(fitting('')).toHaveLength(shop.length + clinic.length);
  });

  it('looks where it is told to', () => {
    expect(ids('list', { catalog: 'clinic' })[0]).toBe('pet_list');
    expect(ids('', { catalog: 'clinic', safety: 'safe' })).toEqual(['pet_list']);
    expect(ids('pet', { safety: 'safe' })).not.toContain('createPet');
  });

  it('shows what another catalog has that is nearly as close', () => {
    const many = Array.from({ length: 10 }, (_, at) =>
      entry(`createThing${at}`, 'POST', `/things${at}`, 'Create a thing'),
    );
    const both = searchOperations([
      { id: 'one', title: 'One', operations: many },
      {
        id: 'two',
        title: 'Two',
        operations: [entry('create_thing_for_owner', 'POST', '/t', 'Create a thing for its owner')],
      },
    ]);
    expect(
      both
        .find('create thing')
        .slice(0, 5)
        .map(({ catalog }) => catalog),
    ).toContain('two');
  });

  it('takes any text, and each operation is found once, as its filter has it', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('constructor', '__proto__', 'pet '.repeat(500))),
        (query) => {
          const found = search.find(query, { catalog: 'shop' });
          expect(new Set(found).size).toBe(found.length);
          for (const { catalog } of found) expect(catalog).toBe('shop');
        },
      ),
    );
  });
});

it.each([
  ['listForAuthenticatedUser', 'list authentic user'],
  ['APIKeys_v2', 'api key v2'],
  ['creating creation creates created', 'creat creat creat creat'],
  ['repositories branches addresses statuses status', 'repository branch address status status'],
  ['updating the running jobs', 'updat run job'],
  ['日本語', '日 本 語 日本 本語'],
])('%s is taken apart', (text, words) => {
  expect([...operationWords(text)].toSorted()).toEqual(words.split(' ').toSorted());
});
