import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { stores } from '../../support/database/stores.ts'
import { seedApplication, type SeededApplication, unknownId, vehicleRow } from '../../support/factories.ts'
import { type CliHarness, openCliHarness } from '../../support/harnesses/cli-harness.ts'

describe.each(stores)('facts about vehicles at the command line on %s', (store) => {
  let harness: CliHarness
  let application: SeededApplication
  let ids: string[]

  beforeAll(async () => {
    harness = await openCliHarness(store)
  })
  beforeEach(async () => {
    application = await seedApplication(harness.db, [
      (owner) => ({
        vehicles: [
          vehicleRow(owner, { sourceId: 'truck-1', vin: '1HGCM82633A004352' }),
          vehicleRow(owner, { sourceId: 'truck-2', vin: null }),
          vehicleRow(owner, { sourceId: 'gone', deletedAt: 1 }),
        ],
      }),
      (owner) => ({ vehicles: [vehicleRow(owner, { sourceId: 'truck-1', vin: 'WDB9634031L123456' })] }),
    ])
    ids = application.connections.flatMap(({ vehicles }) => vehicles.map(({ id }) => id))
  })
  afterAll(() => harness[Symbol.asyncDispose]())

  const inConnection = () => ['--connection', application.connections[0]!.connection.id]
  const inApplication = () => ['--application', application.id]

  async function importing(csv: string | Buffer, ...options: string[]) {
    const file = join(harness.home.folder, 'facts.csv')
    await writeFile(file, csv)
    const { code, out, error } = await harness.cli('--json', 'vehicles', 'facts', 'import', file, ...options)
    return { code, error, result: code === 2 || out === '' ? null : (JSON.parse(out) as object) }
  }

  const listed = (...options: string[]) => harness.json<object[]>('vehicles', 'facts', 'list', ...options)

  test('are imported by the id of the provider, and listed', async () => {
    const csv = `\uFEFFsourceId,fuelTankCapacity,"fuelTankCount",fuelType,fuelConsumption,overrules\r
"truck-1",757.1,2,DIESEL,34.5,TRUE\r
truck-2,400,,,,\r\n`
    expect(await importing(csv, ...inConnection())).toEqual({
      code: 0,
      error: '',
      result: { accepted: 2, rejected: [] },
    })
    const first = {
      vehicleId: ids[0],
      fuelTankCapacity: 757.1,
      fuelTankCount: 2,
      fuelType: 'diesel',
      fuelConsumption: 34.5,
      overrules: true,
      modifiedAt: expect.any(String),
    }
    expect(await listed(...inConnection())).toEqual([
      first,
      expect.objectContaining({ vehicleId: ids[1], fuelTankCapacity: 400, fuelType: null, overrules: false }),
    ])
    expect(await listed(...inApplication(), '--limit', '1')).toEqual([first])
    expect(await listed('--connection', application.connections[1]!.connection.id)).toEqual([])
    await importing('sourceId,fuelTankCapacity\ntruck-2,\n', ...inConnection())
    expect(await listed(...inApplication())).toEqual([first])
  })

  test('leave bad rows out with their line and reason, and set the others', async () => {
    const unknown = unknownId('vehicle')
    const csv = [
      'vehicleId,fuelTankCapacity,fuelTankCount,fuelType,overrules',
      `${ids[0]},757,2,diesel,false`,
      `${unknown},757,2,diesel,false`,
      '',
      `"${ids[1]}",0,2,diesel,false`,
      `${ids[1]},about 400,2,diesel,false`,
      `${ids[1]},400,1.5,diesel,false`,
      `${ids[1]},400,2,"die\nsel",false`,
      `${ids[1]},400,2,diesel,maybe`,
      `${ids[1]},400,2`,
      `${ids[0]},800,2,diesel,false`,
      ',400,2,diesel,false',
      `${ids[1]},400,2,diesel,true`,
    ].join('\n')
    const { code, result } = await importing(csv, ...inApplication())
    expect([code, result]).toEqual([
      1,
      {
        accepted: 2,
        rejected: [
          { line: 3, vehicleId: unknown, reason: 'There is no such vehicle.' },
          {
            line: 5,
            vehicleId: ids[1],
            reason: 'fuelTankCapacity: Give more than 0 and at most 10,000 liters.',
          },
          { line: 6, vehicleId: ids[1], reason: 'fuelTankCapacity: Give a number such as 378.5.' },
          { line: 7, vehicleId: ids[1], reason: 'fuelTankCount: Give a whole number from 1 to 10.' },
          {
            line: 9,
            vehicleId: ids[1],
            reason:
              'fuelType: Give one of gasoline, diesel, propane, electric, hybrid_gasoline, hybrid_diesel.',
          },
          { line: 10, vehicleId: ids[1], reason: 'overrules: Give true or false.' },
          { line: 11, vehicleId: ids[1], reason: 'The row has 3 fields, but there are 5 columns.' },
          { line: 12, vehicleId: ids[0], reason: 'Line 2 has the same vehicle.' },
          { line: 13, vehicleId: '', reason: 'The row has no vehicleId.' },
        ],
      },
    ])
    expect(await listed(...inApplication())).toMatchObject([
      { vehicleId: ids[0], fuelTankCapacity: 757 },
      { vehicleId: ids[1], fuelTankCapacity: 400, overrules: true },
    ])
  })

  test('name vehicles that one connection or application has', async () => {
    const bySource = 'sourceId,fuelTankCount\ntruck-1,2\ngone,2\n'
    expect(await importing(bySource, ...inApplication())).toMatchObject({
      code: 1,
      result: {
        accepted: 0,
        rejected: [
          { line: 2, sourceId: 'truck-1', reason: 'Several vehicles have the sourceId truck-1.' },
          { line: 3, sourceId: 'gone', reason: 'There is no vehicle with the sourceId gone.' },
        ],
      },
    })
    const byVin = 'vin,fuelTankCount\nWDB9634031L123456,2\n'
    expect(await importing(byVin, ...inConnection())).toMatchObject({ code: 1, result: { accepted: 0 } })
    expect(await importing(byVin, ...inApplication())).toMatchObject({ code: 0, result: { accepted: 1 } })
    expect(await listed(...inApplication())).toMatchObject([{ vehicleId: ids[3] }])
  })

  test('are not changed by a check of the file', async () => {
    const csv = `vehicleId,fuelTankCount\n${ids[0]},2\n${ids[1]},11\n`
    expect(await importing(csv, '--check', ...inApplication())).toMatchObject({
      code: 1,
      result: { accepted: 1, rejected: [{ line: 3 }] },
    })
    expect(await listed(...inApplication())).toEqual([])
  })

  test.each<[string, string | Buffer, RegExp]>([
    ['an unknown column', 'vehicleId,capacity\n', /unknown columns: capacity/],
    ['a column twice', 'vehicleId,fuelType,fuelType\n', /a column twice/],
    ['no column for the vehicle', 'fuelType\ndiesel\n', /exactly one of the columns/],
    ['two columns for the vehicle', 'vin,sourceId,fuelType\n', /exactly one of the columns/],
    ['no column with facts', 'vin\n', /a column with facts/],
    ['an open quote', 'vin,fuelType\n"WDB,diesel\n', /quote not closed.*line 2/],
    ['nothing in it', '', /is empty/],
    ['only a header', 'vin,fuelType\n', /has no rows after its header/],
    ['semicolons', 'vin;fuelType\nWDB;diesel\n', /Separate the columns with commas/],
    ['a column in other case', 'VIN,fueltype\n', /VIN \(write vin\), fueltype \(write fuelType\)/],
    ['Latin-1', Buffer.from('vin,fuelType\nCaf\u00e9,diesel\n', 'latin1'), /is not UTF-8/],
  ])('are not read from a file with %s', async (_, csv, message) => {
    const { code, error } = await importing(csv, ...inApplication())
    expect([code, error]).toEqual([1, expect.stringMatching(message)])
  })

  test('are imported from a pipe', async () => {
    const pipe = join(harness.home.folder, `${application.id}.fifo`)
    execFileSync('mkfifo', [pipe])
    const [imported] = await Promise.all([
      harness.cli('vehicles', 'facts', 'import', pipe, ...inConnection()),
      writeFile(pipe, 'sourceId,fuelTankCount\ntruck-1,2\n'),
    ])
    expect(imported).toMatchObject({ code: 0, out: expect.stringMatching(/ACCEPTED\s+1/) })
  })

  test('are listed only after an id', async () => {
    const { code, error } = await harness.cli(
      'vehicles',
      'facts',
      'list',
      '--after',
      'nope',
      ...inApplication(),
    )
    expect([code, error]).toEqual([2, expect.stringMatching(/Give an id like vcl_/)])
  })

  test('need a connection or an application', async () => {
    const { code, error } = await harness.cli('vehicles', 'facts', 'list')
    expect([code, error]).toEqual([2, expect.stringContaining('--connection or --application')])
    const help = await harness.cli('vehicles', 'facts', 'import', '--help')
    expect([help.code, help.out]).toEqual([0, expect.stringContaining('sourceId,fuelTankCapacity')])
  })
})
