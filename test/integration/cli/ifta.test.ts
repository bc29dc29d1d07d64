import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { milesToKilometers, usGallonsToLiters } from '../../../src/domain/units.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { FuelProduct } from '../../../src/subgraphs/purchases/fuel-product.ts'
import { PurchaseCheck } from '../../../src/subgraphs/purchases/purchase-check.ts'
import { PurchasePhase } from '../../../src/subgraphs/purchases/purchase-enums.ts'
import { IftaVehicleMonth } from '../../../src/subgraphs/records/totals/ifta-summary.ts'
import { stores } from '../../support/database/stores.ts'
import {
  groupRow,
  seedApplication,
  type SeededApplication,
  unknownId,
  vehicleRow,
} from '../../support/factories.ts'
import { setFilters } from '../../support/graph/set-filters.ts'
import { type CliHarness, openCliHarness, runProgram } from '../../support/harnesses/cli-harness.ts'
import { purchaseCheckRow } from '../../support/rows/purchase-rows.ts'
import { iftaMonthRow } from '../../support/rows/record-rows.ts'

const MONTHS = ['2026-01', '2026-02', '2026-03']

/** Miles and gallons of the example in docs/ifta.md by jurisdiction. */
const EXAMPLE = [
  ['AL', 5742, 1140],
  ['DC', 60, 0],
  ['TX', 166_700, 31_683],
  ['', 906, 100],
] as const

describe.each(stores)('the fuel tax report at the command line on %s', (store) => {
  let harness: CliHarness
  let application: SeededApplication
  let own: readonly string[]

  beforeAll(async () => {
    harness = await openCliHarness(store)
    application = await seedApplication(harness.db, [
      (owner) => ({ vehicles: [vehicleRow(owner), vehicleRow(owner)], groups: [groupRow(owner)] }),
      (owner) => ({ vehicles: [vehicleRow(owner)] }),
    ])
    own = ['--application', application.id, '--quarter', '2026-Q1']
    const { connection, vehicles } = application.connections[0]!
    const owner = { applicationId: application.id, connectionId: connection.id }
    const vehicleId = vehicles[0]!.id
    await harness.db.transaction(async (tx) => {
      await tx.insert(
        tableOf(IftaVehicleMonth),
        EXAMPLE.flatMap(([jurisdiction, miles]) =>
          MONTHS.map((month) =>
            iftaMonthRow(owner, { vehicleId, month, jurisdiction, distance: milesToKilometers(miles / 3) }),
          ),
        ),
      )
      await tx.insert(
        tableOf(PurchaseCheck),
        EXAMPLE.map(([state, , gallons]) =>
          purchaseCheckRow(owner, {
            vehicleId,
            phase: PurchasePhase.CAPTURE,
            purchasedAt: Date.UTC(2026, 1, 1),
            merchant: { name: 'Stop', categoryCode: '5542', address: { state, country: 'US' } },
            fuel: { product: FuelProduct.DIESEL, liters: usGallonsToLiters(gallons) },
          }),
        ),
      )
    })
  })
  afterAll(() => harness[Symbol.asyncDispose]())

  const report = (...options: string[]) => harness.cli('ifta', 'report', ...own, ...options)

  test('is a table of at most 80 columns, with the gaps on standard error', async () => {
    const { code, out, error } = await report()
    expect([code, out.split('\n').map((line) => line.replaceAll(/ +/g, ' '))]).toEqual([
      0,
      [
        'JURISDICTION MILES GALLONS BOUGHT GALLONS USED GALLONS NET',
        'AL 5742 1140 1090 -50',
        'DC 60 0 - -',
        'TX 166700 31683 31632 -51',
        '- 906 100 - -',
        'total 173408 32923 32722 -101',
        '',
      ],
    ])
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    expect(error).toMatch(/^Gap: distance without jurisdiction \(vehicles: 1, miles: 906\)\. /m)
    expect(error).toMatch(/^Gap: fuel without jurisdiction \(captures: 1, gallons: 100\)\. /m)
    expect(error).toContain('Mean: 173408 / 32923 = 5.27 mpg. Tax-paid: 32823\n')
  })

  test('writes CSV to a file, or to standard output without anything else', async () => {
    const file = join(harness.home.folder, 'report.csv')
    const written = await report('--output', file)
    const csv = `jurisdiction,miles,gallonsBought,gallonsUsed,gallonsNet
AL,5742,1140,1090,-50
DC,60,0,,
TX,166700,31683,31632,-51
,906,100,,
`
    expect([written.code, await readFile(file, 'utf8')]).toEqual([0, csv])
    expect(written.out).toContain('JURISDICTION')
    expect(await report('--output', '-')).toMatchObject({
      out: csv,
      error: expect.stringContaining('Mean: 173408 / 32923 = 5.27 mpg. Tax-paid: 32823\n'),
    })
    const refused = await report('--output', join(harness.home.folder, 'missing', 'report.csv'))
    expect([refused.code, refused.error]).toEqual([1, expect.stringContaining('cannot write')])
  })

  test('has kilometers and liters on request', async () => {
    const { out, error } = await report('--units', 'metric', '--output', '-')
    expect(out.split('\n').slice(0, 2)).toEqual([
      'jurisdiction,kilometers,litersBought,litersUsed,litersNet',
      'AL,9241,4315,4125,-190',
    ])
    expect(error).not.toContain('is not over')
    expect(error).toMatch(/^Gap: distance without jurisdiction \(vehicles: 1, km: 1458.066\)\. /m)
    expect(error).toMatch(/^Gap: fuel without jurisdiction \(captures: 1, liters: 378.541\)\. /m)
  })

  test('has both sets of units as JSON', async () => {
    expect(await harness.json('ifta', 'report', ...own)).toMatchObject({
      quarter: '2026-Q1',
      fuel: 'diesel',
      isComplete: true,
      us: { distancePerFuel: 5.27 },
      metric: { distancePerFuel: 2.24 },
    })
  })

  test('is of the fuel, the fleet, the vehicles and the groups that are given', async () => {
    const [first, second] = application.connections as [
      SeededApplication['connections'][number],
      SeededApplication['connections'][number],
    ]
    const totals = async (...options: string[]) =>
      (await harness.json<{ us: { distance: number } }>('ifta', 'report', ...own, ...options)).us.distance
    expect(await totals('--connection', first.connection.id)).toBe(173_408)
    expect(await totals('--connection', second.connection.id)).toBe(0)
    expect(await totals('--vehicles', first.vehicles[0]!.id)).toBe(173_408)
    expect(await totals('--vehicles', ` ${first.vehicles[0]!.id} , ${first.vehicles[1]!.id},`)).toBe(173_408)
    expect(await totals('--groups', first.groups[0]!.id)).toBe(0)
    expect(await totals('--quarter', '2026-q1')).toBe(173_408)
    expect(await totals('--fuel', 'gasoline')).toBe(0)
  })

  test('says that a quarter is not over', async () => {
    const now = new Date()
    const quarter = `${now.getUTCFullYear()}-Q${Math.floor(now.getUTCMonth() / 3) + 1}`
    expect((await report('--quarter', quarter)).error).toContain(`${quarter} is not over`)
  })

  test('says why a report has no used fuel', async () => {
    const { connection, vehicles } = application.connections[1]!
    const withoutDistance = await report('--connection', connection.id)
    expect(withoutDistance.error).toContain(
      'Mean: 0 / 0 = unknown mpg. Without fuel, USED and NET are empty. Tax-paid: 0\n',
    )
    const owner = { applicationId: application.id, connectionId: connection.id }
    const vehicleId = vehicles[0]!.id
    await harness.db.transaction((tx) =>
      tx.insert(
        tableOf(IftaVehicleMonth),
        MONTHS.map((month) => iftaMonthRow(owner, { vehicleId, month, distance: milesToKilometers(100) })),
      ),
    )
    const { error } = await report('--vehicles', vehicleId)
    expect(error).toMatch(/^Gap: distance without fuel \(vehicles: 1, miles: 300\)\. /m)
    expect(error).toContain(
      'Mean: 300 / 0 = unknown mpg. Without fuel, USED and NET are empty. Tax-paid: 0\n',
    )
  })

  test('refuses the vehicles and groups of others, and hidden ones', async () => {
    const [first, second] = application.connections
    const other = await seedApplication(harness.db, [
      (owner) => ({ vehicles: [vehicleRow(owner)], groups: [groupRow(owner)] }),
    ])
    const foreign = other.connections[0]!
    const refusalOf = async (...options: string[]) => {
      const { code, error } = await report(...options)
      return [code, error]
    }
    const ofApplication = `of application ${application.id}`
    expect(await refusalOf('--vehicles', `${first!.vehicles[0]!.id},${foreign.vehicles[0]!.id}`)).toEqual([
      1,
      expect.stringContaining(`there is no vehicle ${foreign.vehicles[0]!.id} ${ofApplication}`),
    ])
    expect(await refusalOf('--groups', foreign.groups[0]!.id)).toEqual([
      1,
      expect.stringContaining(`there is no group ${foreign.groups[0]!.id} ${ofApplication}`),
    ])
    const ofOther = ['--connection', second!.connection.id, '--vehicles', first!.vehicles[0]!.id]
    expect(await refusalOf(...ofOther)).toEqual([
      1,
      expect.stringContaining(
        `there is no vehicle ${first!.vehicles[0]!.id} of connection ${second!.connection.id}`,
      ),
    ])
    await setFilters(harness.db, first!, { vehicles: { excludeIds: [first!.vehicles[1]!.id] } })
    expect(await refusalOf('--vehicles', first!.vehicles[1]!.id)).toEqual([
      1,
      expect.stringContaining(`there is no vehicle ${first!.vehicles[1]!.id} ${ofApplication}`),
    ])
  })

  test.each<[readonly string[], number, RegExp]>([
    [['--quarter', '2026-07'], 2, /Give a quarter like 2026-Q3/],
    [['--fuel', 'def'], 2, /Give one of diesel, gasoline, propane/],
    [['--units', 'imperial'], 2, /Give one of metric, us/],
    [['--connection', unknownId('connection')], 1, /there is no connection/],
    [['--quarter', '1999-Q1'], 2, /Give a quarter like 2026-Q3, from 2000 to 2099/],
    [['--quarter', '2099-Q1'], 2, /2099-Q1 has not begun/],
    [['--vehicles', `${unknownId('vehicle')}, drv_1`], 2, /--vehicles <ids>.* drv_1 is no id like vcl_/],
    [['--vehicles', ' ,'], 2, /--vehicles <ids>.* Give at least one id/],
    [['--vehicles', unknownId('vehicle')], 1, /there is no vehicle vcl_/],
    [['--groups', unknownId('vehicle')], 2, /--groups <ids>.* is no id like group_/],
    [['--groups', unknownId('group')], 1, /there is no group group_/],
    [['--application', unknownId('application')], 1, /there is no application/],
  ])('refuses %j', async (options, code, message) => {
    expect(await report(...options)).toMatchObject({ code, error: expect.stringMatching(message) })
  })

  test('requires an application and a quarter', async () => {
    const withoutQuarter = await harness.cli('ifta', 'report', '--application', application.id)
    expect(withoutQuarter).toMatchObject({ code: 2, error: expect.stringContaining('--quarter') })
    const withoutApplication = await harness.cli('ifta', 'report', '--quarter', '2026-Q1')
    expect(withoutApplication).toMatchObject({
      code: 2,
      error: expect.stringContaining('`odograph applications list` shows the ids'),
    })
    const { out } = await runProgram(['ifta', 'report', '--help'])
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    expect(out).toMatch(/--quarter <quarter>\s+the quarter, such as 2026-Q3 \(required\)/)
  })
})
