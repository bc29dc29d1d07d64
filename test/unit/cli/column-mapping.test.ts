import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EXPORT_FORMATS } from '../../../src/cli/card-exports/built-in-mappings.ts'
import { readColumnMapping } from '../../../src/cli/card-exports/read-column-mapping.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'odograph-mapping-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function read(content: string) {
  const file = join(folder, 'mapping.json')
  await writeFile(file, content)
  return readColumnMapping(file)
}

const COLUMNS = { at: 'Date', vin: 'VIN', merchantName: 'Site', amount: 'Total', currency: 'Currency' }

test.each(EXPORT_FORMATS)('the mapping %s is built in', async (name) => {
  expect((await readColumnMapping(name)).columns).toHaveProperty('amount')
})

test('a mapping file needs columns only', async () => {
  expect(await read(JSON.stringify({ columns: { ...COLUMNS, vehicle: [' Unit ', 'Asset'] } }))).toEqual({
    columns: {
      at: ['Date'],
      vin: ['VIN'],
      vehicle: ['Unit', 'Asset'],
      merchantName: ['Site'],
      amount: ['Total'],
      currency: ['Currency'],
    },
    constants: {},
    dateFormats: ['YYYY-MM-DD'],
    products: {},
    otherProducts: 'rejected',
    otherColumns: 'ignored',
  })
})

test.each<[string, unknown, RegExp]>([
  ['a list', [], /mapping\.json: Write an object with `columns`\.$/],
  [
    'an unknown member',
    { columns: COLUMNS, zone: 'UTC' },
    /mapping\.json: zone is unknown\. Write some of columns, /,
  ],
  ['no columns', {}, /: columns: Write an object with the column of each member/],
  [
    'an unknown column',
    { columns: { ...COLUMNS, price: 'P' } },
    /: columns: price is unknown\. Write some of at, /,
  ],
  ['an empty column', { columns: { ...COLUMNS, vin: ' ' } }, /: columns\.vin: Write the name of a column/],
  ['a number as column', { columns: { ...COLUMNS, vin: 7 } }, /: columns\.vin: Write the name of a column/],
  ['no column of many', { columns: { ...COLUMNS, vin: [] } }, /: columns\.vin: Write the name of a column/],
  [
    'no amount',
    { columns: { ...COLUMNS, amount: undefined } },
    /: columns\.amount: Write the name of the column\./,
  ],
  ['no currency', { columns: { ...COLUMNS, currency: undefined } }, /or a currency as constants\.currency\./],
  [
    'no vehicle',
    { columns: { ...COLUMNS, vin: undefined } },
    /at least one of vehicleId, vin, vehicle, cardId\./,
  ],
  [
    'no unit',
    { columns: { ...COLUMNS, quantity: 'Q' } },
    /: columns\.unit: Write the name of the column with the unit/,
  ],
  [
    'two quantities',
    { columns: { ...COLUMNS, quantity: 'Q', unit: 'U', liters: 'L' } },
    /: columns\.quantity: Write either/,
  ],
  [
    'a constant vehicle',
    { columns: COLUMNS, constants: { vin: 'V' } },
    /: constants: vin is unknown\. Write some of currency, /,
  ],
  ['an empty constant', { columns: COLUMNS, constants: { unit: '' } }, /: constants\.unit: Write a text\./],
  ['a required constant', { columns: COLUMNS, required: ['country'] }, /: required: country has no column\./],
  [
    'a required stranger',
    { columns: COLUMNS, required: ['odometer'] },
    /: required\.0: Write a list of members, of at, /,
  ],
  [
    'a text as formats',
    { columns: COLUMNS, dateFormats: 'MM/DD/YYYY' },
    /: dateFormats: Write a list of formats/,
  ],
  ['no format', { columns: COLUMNS, dateFormats: [] }, /: dateFormats: Write at least one format/],
  [
    'a format without a day',
    { columns: COLUMNS, dateFormats: ['MM/YYYY'] },
    /: dateFormats\.0: Write YYYY or YY/,
  ],
  [
    'a format with words',
    { columns: COLUMNS, dateFormats: ['on MM/DD/YYYY'] },
    /: dateFormats\.0: Write YYYY or YY/,
  ],
  [
    'an unknown product',
    { columns: COLUMNS, products: { OIL: 'oil' } },
    /: products\.OIL: Write one of gasoline, diesel, /,
  ],
  [
    'another word',
    { columns: COLUMNS, otherProducts: 'fuel' },
    /: otherProducts: Write "rejected" or "other"\./,
  ],
])('a mapping file with %s is refused', async (_, mapping, message) => {
  await expect(read(JSON.stringify(mapping))).rejects.toThrow(message)
})

test('a mapping file that is no JSON, or does not exist, is refused', async () => {
  await expect(read('columns:')).rejects.toThrow(/mapping\.json is not JSON/)
  await expect(readColumnMapping('comdata')).rejects.toThrow('cannot read comdata: ENOENT')
})
