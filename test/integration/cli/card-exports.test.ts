import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readCardExport } from '../../../src/cli/card-exports/read-card-export.ts'
import { readColumnMapping } from '../../../src/cli/card-exports/read-column-mapping.ts'
import { ConnectionStatus } from '../../../src/subgraphs/connections/connection.ts'
import { hashOfCard } from '../../../src/subgraphs/purchases/cards/purchase-card.ts'
import { stores } from '../../support/database/stores.ts'
import { codeBlocks } from '../../support/documentation.ts'
import {
  type ApiClient,
  callerOf,
  driverRow,
  NOON,
  type Owner,
  seedApplication,
  type SeededApplication,
  unknownId,
  vehicleRow,
} from '../../support/factories.ts'
import { type CliHarness, openCliHarness } from '../../support/harnesses/cli-harness.ts'
import { cardRow } from '../../support/rows/purchase-rows.ts'

// A valid number of a card that no issuer gave out.
const CARD_NUMBER = '4242 4242 4242 4242'
const VIN = '1HGCM82633A004352'
const OTHER_VIN = '1M8GDM9AXKP042788'
const THIRD_VIN = '3AKJHHDR5KSKA4321'

const clock = { now: () => NOON }

describe.each(stores)('purchases of a card export on %s', (store) => {
  let harness: CliHarness
  let application: SeededApplication

  beforeAll(async () => {
    harness = await openCliHarness(store)
    application = await seedApplication(harness.db, [recordsOfFirst, recordsOfSecond])
    await seedApplication(harness.db, [
      (owner) => ({ vehicles: [vehicleRow(owner, { vin: THIRD_VIN, name: 'Foreign' })] }),
    ])
  })
  afterAll(() => harness[Symbol.asyncDispose]())

  const recordsOfFirst = (owner: Owner) => {
    const vehicles = [
      vehicleRow(owner, { vin: VIN, name: 'Truck 7' }),
      vehicleRow(owner, { vin: null, name: 'Truck 8' }),
      vehicleRow(owner, { vin: null, name: 'Twin' }),
      vehicleRow(owner, { vin: OTHER_VIN, name: 'Reused', deletedAt: NOON }),
      vehicleRow(owner, { vin: null, name: 'Reused' }),
      vehicleRow(owner, { vin: null, name: 'Sold', deletedAt: NOON }),
    ]
    const drivers = [driverRow(owner)]
    const card = (cardId: string, values: object) =>
      cardRow(owner, {
        vehicleId: vehicles[1]!.id,
        cardId,
        cardHash: hashOfCard(owner.applicationId, cardId),
        ...values,
      })
    const purchaseCards = [
      card('card-8', { driverId: drivers[0]!.id }),
      card('card-of-driver', { vehicleId: null, driverId: drivers[0]!.id }),
    ]
    return { vehicles, drivers, purchaseCards }
  }
  const recordsOfSecond = (owner: Owner) => ({
    vehicles: [vehicleRow(owner, { vin: null, name: 'twin' })],
    drivers: [driverRow(owner)],
  })

  const vehicle = (index: number) => application.connections[0]!.vehicles[index]!.id
  const driver = (connection: number) => application.connections[connection]!.drivers[0]!.id

  interface ReadOptions {
    readonly mapping?: string | object
    readonly timeZone?: string | null
    readonly client?: ApiClient
  }

  async function read(
    csv: string | readonly object[],
    { mapping = 'odograph', timeZone = null, client = application.client }: ReadOptions = {},
  ) {
    const text = typeof csv === 'string' ? csv : csvOf(csv)
    const file = join(harness.home.folder, 'purchases.csv')
    await writeFile(file, text)
    const mappingFile = join(harness.home.folder, 'mapping.json')
    if (typeof mapping === 'object') await writeFile(mappingFile, JSON.stringify(mapping))
    return readCardExport({ db: harness.db, clock }, callerOf(client), file, {
      mapping: await readColumnMapping(typeof mapping === 'object' ? mappingFile : mapping),
      timeZone,
    })
  }

  const GOOD = {
    at: '2026-01-30T14:05:00-06:00',
    vehicleId: '',
    vin: '',
    vehicle: 'Truck 7',
    cardId: '',
    driverId: '',
    merchantName: 'Pilot #322',
    amount: '402.50',
    currency: 'USD',
    product: 'diesel',
    liters: '250',
    gallons: '',
    unitPrice: '',
  }
  /** Returns rows that differ in their times, so that none is a duplicate. */
  const rowsOf = (...changes: readonly object[]) =>
    changes.map((change, index) => ({ ...GOOD, at: `2026-01-30T14:05:${padded(index)}-06:00`, ...change }))
  const padded = (number: number) => String(number).padStart(2, '0')

  /** Returns why each row of a file is rejected; null for a good row. */
  async function reasons(rows: readonly object[], options?: ReadOptions) {
    const { purchases, rejected } = await read(rows, options)
    expect(purchases.length + rejected.length).toBe(rows.length)
    return rows.map((_, index) => rejected.find(({ line }) => line === index + 2)?.reason ?? null)
  }

  describe('in the own format', () => {
    test('have all members', async () => {
      const row = {
        at: '2026-01-30T14:05:00-06:00',
        vehicleId: vehicle(0),
        cardId: 'card-17',
        driverId: driver(0),
        merchantName: 'Pilot, "the" #322',
        siteId: '322',
        categoryCode: '5542',
        longitude: '-97.7431',
        latitude: '30.2672',
        line1: '1 Main St',
        city: 'Austin',
        state: 'TX',
        postalCode: '78701',
        country: 'US',
        amount: '402.5',
        currency: 'USD',
        product: 'DYED_DIESEL',
        liters: '250',
        unitPrice: '1.61',
        phase: 'authorization',
      }
      expect(await read([row])).toEqual({
        purchases: [
          {
            line: 2,
            purchase: {
              purchasedAt: Date.parse('2026-01-30T20:05:00Z'),
              vehicleId: vehicle(0),
              driverId: driver(0),
              cardId: 'card-17',
              merchant: {
                name: 'Pilot, "the" #322',
                siteId: '322',
                categoryCode: '5542',
                coordinates: { longitude: -97.7431, latitude: 30.2672 },
                address: {
                  line1: '1 Main St',
                  city: 'Austin',
                  state: 'TX',
                  postalCode: '78701',
                  country: 'US',
                },
              },
              amount: { value: 402.5, currency: 'USD' },
              fuel: { product: 'dyed_diesel', liters: 250, unitPrice: 1.61 },
              phase: 'authorization',
            },
          },
        ],
        rejected: [],
      })
    })

    test('need a time, a merchant, an amount and a vehicle only', async () => {
      const { purchases } = await read(
        `at,vin,merchantName,amount,currency\n2026-01-30T14:05:00Z,${VIN.toLowerCase()},Pilot,40,USD\n`,
      )
      expect(purchases).toEqual([
        {
          line: 2,
          purchase: {
            purchasedAt: Date.parse('2026-01-30T14:05:00Z'),
            vehicleId: vehicle(0),
            driverId: null,
            cardId: null,
            merchant: { name: 'Pilot', siteId: null, categoryCode: '5541', coordinates: null, address: null },
            amount: { value: 40, currency: 'USD' },
            fuel: { product: null, liters: null, unitPrice: null },
            phase: 'capture',
          },
        },
      ])
    })

    test.each<[string, string, RegExp]>([
      ['nothing in it', '', /is empty/],
      [
        'no header',
        `2026-01-30T14:05:00Z,${CARD_NUMBER},Pilot,40,USD\n`,
        /name the columns in its first line/,
      ],
      ['only a header', 'at,vin,merchantName,amount,currency\n', /has no rows after its header/],
      ['an unknown column', 'at,vin,merchantName,amount,currency,odometer\n', /unknown columns: odometer\b/],
      ['a column twice', 'at,vin,merchantName,amount,currency,vin\n', /a column twice/],
      ['no time', 'vin,merchantName,amount,currency\n', /has no columns at \(at\)\. See --help/],
      ['no vehicle', 'at,merchantName,amount,currency\n', /has no column of a vehicle or a card/],
      [
        'an open quote',
        'at,vin,merchantName,amount,currency\n1,2,3,4,5\n1,"2\n',
        /not valid CSV: quote not closed/,
      ],
    ])('are not read from a file with %s', async (_, csv, message) => {
      await expect(read(csv)).rejects.toThrow(message)
    })

    test('are not read from a file with a quote after a card number, which the error does not repeat', async () => {
      const csv = `at,cardId,merchantName,amount,currency\n2026-01-30T14:05:00Z,${CARD_NUMBER}"x,Pilot,40,USD\n`
      const error = await read(csv).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ message: expect.stringContaining('opening quote on line 2') })
      expect(String(error)).not.toContain(CARD_NUMBER)
    })
  })

  test.each<[string, object, RegExp]>([
    ['no time', { at: '' }, /^The row has no time\.$/],
    ['a time without a zone', { at: '2026-01-30 14:05' }, /no zone\. Give the time zone of the file/],
    ['no time of day', { at: '2026-01-30' }, /no time of day/],
    ['a day that does not exist', { at: '2026-02-30T14:05:00Z' }, /^at: Give a date such as 2026-11-30\.$/],
    ['a date in another order', { at: '30/01/2026 14:05' }, /^at: Give a date such as/],
    ['a wrong time of day', { at: '2026-01-30 25:05Z' }, /^Give a time of day such as 14:05/],
    ['a wrong half of the day', { at: '2026-01-30 13:05 PM' }, /^Give a time of day such as 14:05/],
    ['a time in the future', { at: '2026-02-01T00:00:00Z' }, /^at: Give a time that is not in the future\.$/],
    ['no merchant', { merchantName: '' }, /^merchant\.name: Give 1 to 255 characters\.$/],
    ['a long merchant', { merchantName: 'A'.repeat(256) }, /^merchant\.name: Give 1 to 255 characters\.$/],
    ['a NUL', { merchantName: 'A\0B' }, /^merchantName: Leave out control characters\.$/],
    ['no amount', { amount: '' }, /^The row has no amount\.$/],
    ['a word as amount', { amount: 'ten' }, /^amount: Give a number such as 402\.5\.$/],
    ['a decimal comma', { amount: '402,5' }, /^amount: Give a number such as 402\.5\.$/],
    ['a credit', { amount: '-402.50' }, /^amount is negative: credits and returns are left out\.$/],
    ['a credit in parentheses', { amount: '($402.50)' }, /credits and returns are left out/],
    ['a credit with a trailing minus', { amount: '402.50-' }, /credits and returns are left out/],
    ['a negative quantity', { liters: '-250' }, /^liters is negative/],
    ['no currency', { currency: '' }, /^amount\.currency: Give three capital letters/],
    ['a huge amount', { amount: '1000000.01' }, /^amount\.value: Give a number from 0 to 1,000,000\.$/],
    ['no liters at all', { liters: '0' }, /^fuel\.liters: Give a number above 0/],
    ['liters and gallons', { gallons: '66' }, /^Give liters or gallons, not both\.$/],
    ['merchandise', { product: 'Car wash' }, /^product: Car wash is no known fuel\./],
    ['an unknown vehicle', { vehicle: 'Truck 9' }, /^There is no vehicle with this name\.$/],
    ['a vehicle of another tenant', { vehicle: 'Foreign' }, /^There is no vehicle with this name\.$/],
    ['a VIN of another tenant', { vehicle: '', vin: THIRD_VIN }, /^There is no vehicle with this VIN\.$/],
    ['two vehicles of a name', { vehicle: 'TWIN' }, /^2 vehicles have this name\.$/],
    ['a name of another VIN', { vin: OTHER_VIN.replace('8', '9') }, /another VIN than the row/],
    ['an unknown id', { vehicleId: unknownId('vehicle') }, /^There is no vehicle with this id\.$/],
    ['a text as id', { vehicleId: 'Truck 7' }, /^There is no vehicle with this id\.$/],
    ['nothing that names a vehicle', { vehicle: '' }, /^The row names no vehicle and no card\.$/],
    ['an unknown card', { vehicle: '', cardId: 'card-9' }, /^The card is assigned to no vehicle\.$/],
    [
      'a card of a driver',
      { vehicle: '', cardId: 'card-of-driver' },
      /^The card is assigned to no vehicle\.$/,
    ],
    ['only a card number', { vehicle: '', cardId: CARD_NUMBER }, /^The row has only a card number/],
    ['only a masked number', { vehicle: '', cardId: '************4242' }, /^The row has only a card number/],
    ['only a shortened number', { vehicle: '', cardId: '4.24242E+15' }, /^The row has only a card number/],
    ['an unknown driver', { driverId: unknownId('driver') }, /^There is no such driver in the connection/],
  ])('with %s are rejected, and the others are not', async (_, change, reason) => {
    const [before, bad, after] = await reasons(rowsOf({}, change, {}))
    expect([before, after]).toEqual([null, null])
    expect(bad).toMatch(reason)
  })

  test('with a driver of another connection are rejected', async () => {
    expect(await reasons(rowsOf({ driverId: driver(0) }, { driverId: driver(1) }))).toEqual([
      null,
      'There is no such driver in the connection of the vehicle.',
    ])
  })

  test('with too many or too few fields are rejected', async () => {
    const csv = `at,vin,merchantName,amount,currency
2026-01-30T14:05:00Z,${VIN},Pilot,40,USD,
Total,40
2026-01-30T14:06:00Z,${VIN},Pilot,40,USD\n`
    expect(await read(csv)).toMatchObject({
      purchases: [{ line: 4 }],
      rejected: [
        { line: 2, reason: 'The row has 6 fields, but there are 5 columns.' },
        { line: 3, reason: 'The row has 2 fields, but there are 5 columns.' },
      ],
    })
  })

  describe('belong to the vehicle', () => {
    test.each<[string, object, number]>([
      ['of the name, whatever its case and spaces', { vehicle: ' truck  8' }, 1],
      [
        'of the VIN, before that of the name',
        { vin: `${VIN.slice(0, 3)}-${VIN.slice(3)}`, vehicle: 'Truck 8' },
        0,
      ],
      [
        'of the name, if no vehicle has the VIN and that of the name is unknown',
        { vin: THIRD_VIN, vehicle: 'Truck 8' },
        1,
      ],
      ['of the name, if the VIN is none', { vin: 'N/A', vehicle: 'Truck 7' }, 0],
      ['of the name, if there is only a dash for the VIN', { vin: '-', vehicle: 'Truck 7' }, 0],
      ['of the card, if no vehicle has the name', { vehicle: 'Unit 8', cardId: 'card-8' }, 1],
      ['that is in use, before one that was removed', { vehicle: 'Reused' }, 4],
      ['that was removed, if there is no other', { vehicle: 'Sold' }, 5],
      ['that was removed, by its VIN', { vehicle: '', vin: OTHER_VIN }, 3],
    ])('%s', async (_, change, index) => {
      const { purchases } = await read(rowsOf(change))
      expect(purchases).toMatchObject([{ purchase: { vehicleId: vehicle(index) } }])
    })

    test('of the caller, without those of other connections and applications', async () => {
      const { purchases } = await read(rowsOf({ vehicle: 'Twin' }), { client: application.narrowed(0) })
      expect(purchases).toMatchObject([{ purchase: { vehicleId: vehicle(2) } }])
      const other = application.narrowed(1)
      expect(
        await reasons(rowsOf({}, { vehicle: '', cardId: 'card-8' }, { vehicleId: vehicle(0) }), {
          client: other,
        }),
      ).toEqual([
        'There is no vehicle with this name.',
        'The card is assigned to no vehicle.',
        'There is no vehicle with this id.',
      ])
    })

    test('not of a connection whose data is being deleted', async () => {
      const deleted = await seedApplication(
        harness.db,
        [(owner) => ({ vehicles: [vehicleRow(owner, { name: 'Truck 7' })] })],
        [{ status: ConnectionStatus.DELETING }],
      )
      expect(await reasons(rowsOf({}), { client: deleted.client })).toEqual([
        'There is no vehicle with this name.',
      ])
    })

    test('whose card also has the driver, unless the row names the vehicle', async () => {
      const { purchases } = await read(rowsOf({ vehicle: '', cardId: 'card-8' }, { cardId: 'card-8' }))
      expect(purchases).toMatchObject([
        { purchase: { vehicleId: vehicle(1), driverId: driver(0), cardId: 'card-8' } },
        { purchase: { vehicleId: vehicle(0), driverId: null, cardId: 'card-8' } },
      ])
    })
  })

  test.each([CARD_NUMBER, '8699-000000-00001', '708305XXXXXX1234', '****1234', '7.08305E+18'])(
    'have no card if the export has its number: %s',
    async (cardId) => {
      const found = await read(
        rowsOf({ cardId }, { cardId, vehicle: '' }, { cardId, vin: cardId, vehicle: cardId }),
      )
      expect(found.purchases).toMatchObject([{ purchase: { vehicleId: vehicle(0), cardId: null } }])
      expect(found.rejected).toHaveLength(2)
      expect(JSON.stringify(found)).not.toContain(cardId)
    },
  )

  test('are rejected the second time, with the line of the first', async () => {
    const card = { cardId: 'card-17' }
    const rows = rowsOf(card, card, { ...card, amount: '10' }, { ...card, product: 'DEF' }, {}, card, {
      vehicle: 'Truck 8',
      ...card,
    })
    expect(await reasons(rows.map((row) => ({ ...row, at: GOOD.at })))).toEqual([
      null,
      'Line 2 has the same purchase.',
      null,
      null,
      null,
      'Line 2 has the same purchase.',
      null,
    ])
  })

  test.each<[string, object, object]>([
    ['gallons', { liters: '', gallons: '100', unitPrice: '3.899' }, { liters: 378.541, unitPrice: 1.03 }],
    ['liters', { liters: '1,378.541', unitPrice: '$1.03' }, { liters: 1378.541, unitPrice: 1.03 }],
    [
      'a price alone, in a file with gallons',
      { liters: '', unitPrice: '3.785411784' },
      { liters: null, unitPrice: 1 },
    ],
    ['a price of 0', { unitPrice: '0.000' }, { liters: 250, unitPrice: null }],
    ['less than a liter', { liters: '.5' }, { liters: 0.5, unitPrice: null }],
  ])('have %s in liters', async (_, change, fuel) => {
    expect((await read(rowsOf(change))).purchases).toMatchObject([{ purchase: { fuel } }])
  })

  test.each<[string, string, string]>([
    ['2026-01-30 14:05', 'America/Chicago', '2026-01-30T20:05:00Z'],
    ['2026-01-30T14:05:09.250', 'America/Phoenix', '2026-01-30T21:05:09Z'],
    ['2026-01-30 2:05 PM', 'America/Chicago', '2026-01-30T20:05:00Z'],
    ['2026-01-30 12:05 a.m.', 'America/Chicago', '2026-01-30T06:05:00Z'],
    ['2026-01-30 1405', 'America/Chicago', '2026-01-30T20:05:00Z'],
    ['2026-01-30 905', 'America/Chicago', '2026-01-30T15:05:00Z'],
    ['2026-01-30 14:05 -0500', 'America/Chicago', '2026-01-30T19:05:00Z'],
    ['2026-01-30T14:05Z', 'America/Chicago', '2026-01-30T14:05:00Z'],
    ['2025-11-02 01:30', 'America/Chicago', '2025-11-02T06:30:00Z'],
    ['2025-03-09 02:30', 'America/Chicago', '2025-03-09T08:30:00Z'],
  ])('at %s in %s are at %s', async (at, timeZone, expected) => {
    const { purchases } = await read(rowsOf({ at }), { timeZone })
    expect(purchases).toMatchObject([{ purchase: { purchasedAt: Date.parse(expected) } }])
  })

  test('need a time zone that exists', async () => {
    await expect(read(rowsOf({}), { timeZone: 'Texas' })).rejects.toThrow(
      'There is no time zone Texas. Give one such as America/Chicago',
    )
  })

  const WEX_ROW = {
    'Transaction Date': '01/30/2026',
    'Transaction Time': '2:05 PM',
    'Post Date': '01/31/2026',
    'Account Number': '0400-00-123456-7',
    'Card Number': '00017',
    'Emboss Line 2': 'TRUCK 8',
    'Custom Vehicle/Asset ID': '',
    Units: '66.04',
    'Unit of Measure': 'GAL',
    'Unit Cost': '3.899',
    'Total Fuel Cost': '$1,257.49',
    Product: 'DSL',
    'Product Description': 'DIESEL 2 ULTRA LOW SULFUR',
    'Merchant (Brand)': 'PILOT',
    'Merchant Name': 'PILOT #322',
    'Merchant Address': '1 MAIN ST',
    'Merchant City': 'AUSTIN',
    'Merchant State / Province': 'TX',
    'Merchant Postal Code': '78701',
    'Merchant Site ID': '0322',
    'Current Odometer': '120034',
    VIN: '',
    'Driver Last Name': 'DOE',
  }

  test('of WEX are read', async () => {
    expect(await read([WEX_ROW], { mapping: 'wex', timeZone: 'America/Chicago' })).toEqual({
      rejected: [],
      purchases: [
        {
          line: 2,
          purchase: {
            purchasedAt: Date.parse('2026-01-30T20:05:00Z'),
            vehicleId: vehicle(1),
            driverId: null,
            cardId: '00017',
            merchant: {
              name: 'PILOT #322',
              siteId: '0322',
              categoryCode: '5541',
              coordinates: null,
              address: {
                line1: '1 MAIN ST',
                city: 'AUSTIN',
                state: 'TX',
                postalCode: '78701',
                country: 'US',
              },
            },
            amount: { value: 1257.49, currency: 'USD' },
            fuel: { product: 'diesel', liters: 249.989, unitPrice: 1.03 },
            phase: 'capture',
          },
        },
      ],
    })
  })

  test.each<[string, object, object]>([
    [
      'a province of Canada',
      { 'Merchant State / Province': 'ON' },
      { merchant: { address: { country: 'CA' } } },
    ],
    [
      'the name of a province',
      { 'Merchant State / Province': 'Ontario' },
      { merchant: { address: { country: 'CA' } } },
    ],
    ['liters', { 'Unit of Measure': 'Liters', Units: '250' }, { fuel: { liters: 250, unitPrice: 3.899 } }],
    ['no merchant but its brand', { 'Merchant Name': '' }, { merchant: { name: 'PILOT' } }],
    [
      'a date with midnight',
      { 'Transaction Date': '1/30/2026 12:00:00 AM' },
      { purchasedAt: Date.parse('2026-01-30T20:05:00Z') },
    ],
    [
      'a year of two digits',
      { 'Transaction Date': '1/30/26' },
      { purchasedAt: Date.parse('2026-01-30T20:05:00Z') },
    ],
    ['a number of the asset', { 'Custom Vehicle/Asset ID': 'Truck 7' }, { vehicleId: 'Truck 7' }],
  ])('of WEX are read with %s', async (_, change, purchase) => {
    const { purchases } = await read([{ ...WEX_ROW, ...change }], {
      mapping: 'wex',
      timeZone: 'America/Chicago',
    })
    const expected = 'vehicleId' in purchase ? { vehicleId: vehicle(0) } : purchase
    expect(purchases).toMatchObject([{ purchase: expected }])
  })

  test('of WEX are rejected if they are no fuel, or the unit is no volume', async () => {
    const rows = [
      { ...WEX_ROW, 'Product Description': 'CAR WASH' },
      { ...WEX_ROW, 'Product Description': `MISC ${CARD_NUMBER}` },
      { ...WEX_ROW, 'Unit of Measure': 'EA' },
      { ...WEX_ROW, 'Unit of Measure': '' },
    ]
    expect(await reasons(rows, { mapping: 'wex', timeZone: 'America/Chicago' })).toEqual([
      'Product Description: CAR WASH is no known fuel. A mapping can name it in `products`.',
      'Product Description: the text is no known fuel. A mapping can name it in `products`.',
      'Unit of Measure: EA is neither gallons nor liters.',
      'Unit of Measure: The row has no unit.',
    ])
    expect(await reasons([WEX_ROW], { mapping: 'wex' })).toEqual([
      'The time has no zone. Give the time zone of the file, such as --time-zone America/Chicago.',
    ])
  })

  test('of EFS are read', async () => {
    const row = {
      'Card #': '7083050000000000017',
      'Tran Date': '2026-01-30',
      'Tran Time': '14:05',
      Invoice: '0012345',
      Unit: 'TRUCK 7',
      'Driver Name': 'JANE DOE',
      Odometer: '120034',
      'Location Name': 'TA AUSTIN 322',
      City: 'AUSTIN',
      'State/ Prov': 'TX',
      Fees: '0.00',
      Item: 'ULSD',
      'Unit Price': '3.899',
      Qty: '66.04',
      Amt: '257.49',
      DB: 'Y',
      Currency: 'USD',
    }
    const { 'Tran Time': time, ...dateOnly } = row
    expect(
      await read([row, { ...row, Item: 'DEFD', Qty: '5', Amt: '20' }], { mapping: 'efs', timeZone: 'UTC' }),
    ).toMatchObject({
      rejected: [],
      purchases: [
        {
          purchase: {
            purchasedAt: Date.parse(`2026-01-30T${time}Z`),
            vehicleId: vehicle(0),
            cardId: null,
            merchant: { address: { city: 'AUSTIN', state: 'TX', postalCode: null, country: 'US' } },
            fuel: { product: 'diesel', liters: 249.989 },
          },
        },
        { purchase: { fuel: { product: 'def', liters: 18.927 } } },
      ],
    })
    expect(await reasons([dateOnly], { mapping: 'efs', timeZone: 'UTC' })).toEqual([
      expect.stringMatching(/^The row has no time of day/),
    ])
  })

  const OWN = {
    columns: {
      at: 'Wann',
      vehicle: ['Kennung', 'Fahrzeug'],
      merchantName: 'Station',
      amount: 'Summe',
      quantity: 'Menge',
      unit: 'Einheit',
      product: 'Ware',
    },
    constants: { currency: 'CAD', country: 'CA', categoryCode: '5542', phase: 'authorization' },
    dateFormats: ['DD-MMM-YYYY', 'DD.MM.YY'],
    products: { 'AD BLUE': 'def', '2': 'diesel' },
  }

  test('are read by the mapping of a file', async () => {
    const csv = `Wann,Fahrzeug,Station,Summe,Menge,Einheit,Ware,Sonst
30-Jan-2026 14:05,Truck 7,Nord,40,20,L,Sorte 2,x
30.1.26 14:06,Truck 7,Nord,40,20,L,ad-blue,x
30.1.26 14:07,Truck 7,Nord,40,20,L,Eis,x\n`
    const found = await read(csv, { mapping: OWN, timeZone: 'UTC' })
    expect(found).toMatchObject({
      purchases: [
        {
          purchase: {
            purchasedAt: Date.parse('2026-01-30T14:05Z'),
            merchant: { name: 'Nord', categoryCode: '5542', address: { country: 'CA', city: null } },
            amount: { value: 40, currency: 'CAD' },
            fuel: { product: 'diesel', liters: 20 },
            phase: 'authorization',
          },
        },
        { purchase: { fuel: { product: 'def' } } },
      ],
      rejected: [{ line: 4, reason: expect.stringMatching(/^Ware: Eis is no known fuel/) }],
    })
    const all = await read(csv, { mapping: { ...OWN, otherProducts: 'other' }, timeZone: 'UTC' })
    expect(all.purchases.map(({ purchase }) => purchase.fuel?.product)).toEqual(['diesel', 'def', 'other'])
  })

  test.each<[string, string, RegExp]>([
    ['a column is missing', 'Wann,Fahrzeug,Station,Summe,Menge,Ware\n', /has no columns Einheit \(unit\)/],
    [
      'two columns have a name',
      'Wann,Fahrzeug,Station,Summe,summe,Menge,Einheit,Ware\n',
      /has the column Summe twice/,
    ],
    ['it has semicolons', 'Wann;Fahrzeug;Station;Summe\n', /Separate the columns with commas/],
  ])('are not read by the mapping of a file if %s', async (_, csv, message) => {
    await expect(read(csv, { mapping: OWN })).rejects.toThrow(message)
  })

  test('cost few statements, however many rows there are', async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => ({
      ...GOOD,
      at: `2026-01-${padded((index % 28) + 1)} 14:${padded(index % 60)}:${padded(index % 53)}`,
      amount: String(index),
      vehicle: ['Truck 7', 'Truck 8', '', 'No truck'][index % 4],
      cardId: ['', `card-${index}`, 'card-8', ''][index % 4],
      driverId: index % 2 === 0 ? driver(0) : '',
    }))
    let statements = 0
    const stop = harness.db.onStatement(() => statements++)
    const { purchases, rejected } = await read(rows, { timeZone: 'America/Chicago' })
    stop()
    expect([purchases.length, rejected.length]).toEqual([15_000, 5000])
    // 5,001 cards in batches of 500, one of drivers and one page of vehicles.
    expect(statements).toBe(13)
  })

  test('are found among more vehicles than one statement reads', async () => {
    const fleet = (prefix: string) => (owner: Owner) => ({
      vehicles: Array.from({ length: 2600 }, (_, index) =>
        vehicleRow(owner, { vin: null, name: `${prefix} ${index}` }),
      ),
    })
    const large = await seedApplication(harness.db, [fleet('North'), fleet('South')])
    const names = ['North', 'South'].flatMap((prefix) =>
      Array.from({ length: 2600 }, (_, index) => `${prefix} ${index}`),
    )
    const rows = names.map((vehicle) => ({ ...GOOD, vehicle }))
    let statements = 0
    const stop = harness.db.onStatement(() => statements++)
    const { purchases } = await read(rows, { client: large.client })
    stop()
    expect(purchases.map(({ purchase }) => purchase.vehicleId)).toEqual(
      large.connections.flatMap(({ vehicles }) => vehicles.map(({ id }) => id)),
    )
    expect(statements).toBe(2)
  })

  test('are read as the documentation shows', async () => {
    const inDocs = (language: string, part: string) =>
      codeBlocks(language).find(([, code]) => code.includes(part))?.[1] ?? ''
    const mapping = JSON.parse(inDocs('json', 'dateFormats')) as object
    const csv = inDocs('csv', 'Purchased On')
    expect(await read(csv, { mapping, timeZone: 'America/Chicago' })).toMatchObject({
      purchases: [
        {
          line: 2,
          purchase: {
            purchasedAt: Date.parse('2026-01-30T20:05Z'),
            vehicleId: vehicle(0),
            cardId: 'card-17',
            merchant: {
              name: 'Pilot #322',
              categoryCode: '5542',
              address: { postalCode: '78701', country: 'US' },
            },
            amount: { value: 1257.49, currency: 'USD' },
            fuel: { product: 'diesel', liters: 1220.795 },
          },
        },
        { line: 3, purchase: { fuel: { product: 'dyed_diesel', liters: 77.601 } } },
      ],
      rejected: [],
    })
  })

  test('are read or rejected one by one, whatever the other rows have', async () => {
    const cell = fc.oneof(
      fc.string(),
      fc.constantFrom('', '-', '1e9', '()', '2026-13-01', CARD_NUMBER, 'Truck 7', 'DEF', '"', '1,2', '\n'),
    )
    const badRow = fc.record(Object.fromEntries(Object.keys(GOOD).map((name) => [name, cell])))
    await fc.assert(
      fc.asyncProperty(fc.array(badRow, { maxLength: 5 }), async (bad) => {
        const { purchases, rejected } = await read([GOOD, ...bad, { ...GOOD, amount: '7' }])
        const good = purchases.filter(({ purchase }) => purchase.purchasedAt === Date.parse(GOOD.at))
        expect(good.map(({ purchase }) => purchase.amount.value)).toEqual([402.5, 7])
        expect(JSON.stringify(rejected)).not.toContain(CARD_NUMBER)
      }),
      { numRuns: 60 },
    )
  })
})

/** Returns a CSV file with the columns of the first row. */
function csvOf(rows: readonly object[]): string {
  const header = Object.keys(rows[0] ?? {})
  const lineOf = (fields: readonly unknown[]) =>
    fields.map((field) => `"${String(field ?? '').replaceAll('"', '""')}"`).join(',')
  const lines = rows.map((row) =>
    lineOf(header.map((name) => (row as Readonly<Record<string, unknown>>)[name])),
  )
  return [lineOf(header), ...lines].join('\n')
}
