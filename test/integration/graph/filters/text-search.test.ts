import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContextFor } from '../../../../src/gateway/context.ts'
import { createInProcessExecutor } from '../../../../src/gateway/gateway.ts'
import type { Database } from '../../../../src/storage/database.ts'
import {
  dialects,
  driverRow,
  type RecordsOf,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
  vehicleRow,
} from '../../../support/factories.ts'
import { ask, contextsOver, documentOf, supergraph } from '../../../support/graph/graph-harness.ts'

const executor = createInProcessExecutor(supergraph)

/** Names of vehicles, each with characters that mean something in a pattern or that have another case. */
const names = [
  'Truck 7',
  'TRUCK 70',
  'Équipe Été',
  'équipe été',
  'Equipe',
  'Über ŁÓDŹ',
  'über łódź',
  'ΩΜΕΓΑ ΣΊΣΥΦΟΣ',
  'ωμεγα σίσυφος',
  'Straße',
  'STRASSE',
  'İzmir',
  '100% load',
  '1000 load',
  'a_b',
  'axb',
  'a*b',
  'a?b',
  'a[b]',
  'a.b',
  'a\\b',
  'a^b$',
  '(a|b)+{2}',
  'O\'Neill -- "x"',
  '🚚🚚 Lorry',
  '🚛 Lorry',
  'two  spaces',
  'Трак',
  'ТРАК',
]

const bare = { name: null, vin: null, licensePlateNumber: null }

const searchedRecords: RecordsOf = (owner) => ({
  vehicles: [
    ...names.map((name) => vehicleRow(owner, { ...bare, name, sourceId: 'x' })),
    vehicleRow(owner, { ...bare, vin: '1M8GDM9AXKP042788', sourceId: 'by-vin' }),
    vehicleRow(owner, { ...bare, licensePlateNumber: 'QC É42', sourceId: 'by-plate' }),
    vehicleRow(owner, { ...bare, sourceId: 'Unit-0042' }),
  ],
  drivers: [
    driverRow(owner, { ...someone, firstName: 'Zoë', middleName: 'Q.', lastName: 'Núñez', sourceId: 'd-1' }),
    driverRow(owner, { ...someone, lastName: 'Solo', sourceId: 'd-2' }),
    driverRow(owner, { ...someone, phone: '+15551234567', sourceId: 'd-3' }),
    driverRow(owner, { ...someone, email: 'Zed.Last@Example.com', sourceId: 'd-4' }),
    driverRow(owner, { ...someone, licenseNumber: 'K-55512', sourceId: 'd-5' }),
  ],
})

const someone = {
  firstName: null,
  middleName: null,
  lastName: null,
  email: null,
  phone: null,
  licenseNumber: null,
}

const lower = (text: string): string => Array.from(text, (character) => character.toLowerCase()).join('')

describe.each(dialects)('on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let contextFor: ContextFor
  let fleet: SeededApplication

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    contextFor = contextsOver(db)
    fleet = await seedApplication(db, [searchedRecords, searchedRecords])
    await seedApplication(db, [searchedRecords])
  })
  afterAll(() => db[Symbol.asyncDispose]())

  const answerOf = (list: string, search: string | null, client = fleet.narrowed(0)) =>
    ask(executor, contextFor, {
      client,
      document: documentOf(
        `query ($search: String) { list: ${list}(search: $search) { nodes { sourceId ${list === 'vehicles' ? 'name' : ''} } totalCount } }`,
      ),
      variables: { search },
    })

  interface Found {
    readonly sourceId: string
    readonly name?: string | null
  }

  async function found(...given: Parameters<typeof answerOf>): Promise<readonly Found[]> {
    const { data, errors } = await answerOf(...given)
    expect(errors).toBeUndefined()
    const { nodes, totalCount } = (
      data as { list: { readonly nodes: readonly Found[]; readonly totalCount: number } }
    ).list
    expect(totalCount).toBe(nodes.length)
    return nodes
  }

  const namesFound = async (search: string) => (await found('vehicles', search)).map(({ name }) => name)
  const idsFound = async (list: string, search: string) =>
    (await found(list, search)).map(({ sourceId }) => sourceId)

  test.each([
    ['truck 7', ['Truck 7', 'TRUCK 70']],
    ['ÉQUIPE ÉTÉ', ['Équipe Été', 'équipe été']],
    ['équipe', ['Équipe Été', 'équipe été']],
    ['EQUIPE', ['Equipe']],
    ['ŁÓDŹ', ['Über ŁÓDŹ', 'über łódź']],
    ['σίσυφος', ['ΩΜΕΓΑ ΣΊΣΥΦΟΣ', 'ωμεγα σίσυφος']],
    ['straße', ['Straße']],
    ['strasse', ['STRASSE']],
    ['трак', ['Трак', 'ТРАК']],
    ['%%', []],
    ['0%', ['100% load']],
    ['a_b', ['a_b']],
    ['a*b', ['a*b']],
    ['a?b', ['a?b']],
    ['a[b]', ['a[b]']],
    ['A[B', ['a[b]']],
    ['b]', ['a[b]']],
    ['a.b', ['a.b']],
    ['a\\b', ['a\\b']],
    ['^b$', ['a^b$']],
    ['(a|b)+{2}', ['(a|b)+{2}']],
    ['o\'neill -- "', ['O\'Neill -- "x"']],
    ['🚚🚚 l', ['🚚🚚 Lorry']],
    ['  truck 70  ', ['TRUCK 70']],
    ['two  spaces', ['two  spaces']],
    ['.*', []],
    ['**', []],
  ] as const)('vehicles with %j in their name are %j', async (search, expected) => {
    expect(await namesFound(search)).toEqual(names.filter((name) => expected.includes(name as never)))
  })

  test('a search in any case finds every vehicle by any part of its name', async () => {
    for (const name of names) {
      expect(await namesFound(name)).toContain(name)
      expect(await namesFound(Array.from(name).slice(1).join(''))).toContain(name)
      expect(await namesFound(lower(name))).toEqual(
        expect.arrayContaining(['İzmir'].includes(name) ? [] : [name]),
      )
    }
  })

  test.each([
    ['9axkp', ['by-vin']],
    ['qc é4', ['by-plate']],
    ['UNIT-00', ['Unit-0042']],
    ['042', ['by-vin', 'Unit-0042']],
  ])('vehicles with %j are found by VIN, plate and source id', async (search, expected) => {
    expect(await idsFound('vehicles', search)).toEqual(expected)
  })

  test.each([
    ['zoË nÚ', ['d-1']],
    ['zoë q. núñez', ['d-1']],
    ['Q. Núñez', ['d-1']],
    ['solo', ['d-2']],
    ['555123', ['d-3']],
    ['(555) 123-45', ['d-3']],
    ['+1 555', ['d-3']],
    ['zed.last@example', ['d-4']],
    ['55512', ['d-3', 'd-5']],
    ['k-555', ['d-5']],
    ['D-4', ['d-4']],
    ['()', []],
  ])('drivers with %j in a name, phone number, e-mail address or id are %j', async (search, expected) => {
    expect(await idsFound('drivers', search)).toEqual(expected)
  })

  test.each(['vehicles', 'drivers'])(
    'a search of %s stays in its application and its connection',
    async (list) => {
      const search = list === 'vehicles' ? 'truck' : 'solo'
      const [first, second, both] = await Promise.all(
        [fleet.narrowed(0), fleet.narrowed(1), fleet.client].map((client) => found(list, search, client)),
      )
      expect(first!.length).toBeGreaterThan(0)
      expect(both!.length).toBe(first!.length + second!.length)
    },
  )

  test.each(['vehicles', 'drivers'])('a search of %s has 2 to 100 characters', async (list) => {
    const all = (await found(list, null)).length
    expect(all).toBeGreaterThan(0)
    expect(await found(list, 'ÿ'.repeat(100))).toEqual([])
    expect(await found(list, '🚚'.repeat(100))).toEqual([])
    for (const search of ['', 'x', ' x ', '🚚', 'x'.repeat(101)])
      expect((await answerOf(list, search)).errors).toMatchObject([
        { path: ['list'], extensions: { code: 'BAD_USER_INPUT', detail: [{ path: 'search' }] } },
      ])
  })
})
