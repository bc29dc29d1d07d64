import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContextFor } from '../../../src/gateway/context.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import type { Database } from '../../../src/storage/database.ts'
import {
  dialects,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
} from '../../support/factories.ts'
import { ask, contextsOver, documentOf, supergraph } from '../../support/graph/graph-harness.ts'
import { variedRecords } from '../../support/graph/varied/records.ts'

const executor = createInProcessExecutor(supergraph)

interface State {
  readonly id: string
  readonly of?: { readonly id: string } | null
}

describe.each(dialects)('on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let contextFor: ContextFor
  let fleet: SeededApplication

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    contextFor = contextsOver(db)
    fleet = await seedApplication(db, [variedRecords, variedRecords])
  })
  afterAll(() => db[Symbol.asyncDispose]())

  async function dataOf<Data>(text: string): Promise<Data> {
    const { data, errors } = await ask(executor, contextFor, {
      client: fleet.client,
      document: documentOf(text),
    })
    expect(errors).toBeUndefined()
    return data as Data
  }

  const statesIn = async (list: string, selection: string): Promise<readonly State[]> =>
    (await dataOf<{ list: { nodes: State[] } }>(`{ list: ${list} { nodes { ${selection} } } }`)).list.nodes

  test.each([
    ['vehicleLocations', 'vehicle', 'vehicles', 'latestLocation'],
    ['trailerLocations', 'trailer', 'trailers', 'latestLocation'],
    ['hosAvailableTimes', 'driver', 'drivers', 'hosAvailableTime'],
  ])('%s have one id per %s, the same wherever they are read', async (list, owner, owners, field) => {
    const states = await statesIn(list, `id of: ${owner} { id }`)
    expect(states.length).toBeGreaterThan(1)
    expect(new Set(states.map(({ id }) => id)).size).toBe(states.length)
    const { list: read } = await dataOf<{ list: { nodes: { id: string; state: { id: string } | null }[] } }>(
      `{ list: ${owners} { nodes { id state: ${field} { id } } } }`,
    )
    const idByOwner = new Map(read.nodes.map(({ id, state }) => [id, state?.id]))
    for (const { id, of } of states) if (of && idByOwner.has(of.id)) expect(idByOwner.get(of.id)).toBe(id)
    expect(states.some(({ of }) => of && idByOwner.has(of.id))).toBe(true)
  })

  test('utilizations have one id per vehicle and range of days', async () => {
    const all = await statesIn('vehicleUtilization', 'id of: vehicle { id }')
    expect(all.length).toBeGreaterThan(1)
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    expect(await statesIn('vehicleUtilization', 'id of: vehicle { id }')).toEqual(all)
  })
})
