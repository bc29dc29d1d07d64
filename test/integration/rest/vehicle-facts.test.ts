import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import {
  dialects,
  seedApplication,
  type SeededApplication,
  unknownId,
  vehicleRow,
} from '../../support/factories.ts'
import { ask, contextsOver, documentOf, supergraph } from '../../support/graph/graph-harness.ts'
import { asRest } from '../../support/rest/graph-as-rest.ts'
import { type RestHarness, startRest } from '../../support/rest/rest-harness.ts'

const executor = createInProcessExecutor(supergraph)
const { apiSchema } = supergraph

describe.each(dialects)('the facts of a vehicle over REST on %s', (dialect) => {
  let rest: RestHarness
  let application: SeededApplication
  let vehicleId: string

  beforeAll(async () => {
    rest = await startRest({ dialect })
    application = await seedApplication(rest.db, [
      (owner) => ({ vehicles: [vehicleRow(owner)] }),
      (owner) => ({ vehicles: [vehicleRow(owner)] }),
    ])
    vehicleId = application.connections[0]!.vehicles[0]!.id
  })
  afterAll(() => rest[Symbol.asyncDispose]())

  const path = (id = vehicleId) => `/vehicles/${id}/facts`
  const get = (client = application.client) => rest.get(path(), client)
  const put = (body: unknown, client = application.client) => rest.write('PUT', path(), client, body)

  const graphqlBody = async () => {
    const { data, errors } = await ask(executor, contextsOver(rest.db), {
      client: application.client,
      document: documentOf(`{ vehicle(id: "${vehicleId}") {
        id fuelType fuelTankCapacity ownFacts { fuelTankCapacity fuelTankCount fuelType fuelConsumption overrules modifiedAt } } }`),
    })
    expect(errors).toBeUndefined()
    return asRest(
      (data as Record<string, unknown>)['vehicle'],
      apiSchema.getType('Vehicle') as never,
      apiSchema,
    )
  }

  test('are those of GraphQL, with those of the provider', async () => {
    const provider = { id: vehicleId, fuelType: 'diesel', fuelTankCapacity: 900 }
    expect(await get()).toMatchObject({ status: 200, body: provider })
    const facts = { fuelTankCapacity: 757.1, fuelTankCount: 2, fuelType: 'hybrid_diesel', overrules: true }
    const { status, body } = await put({ ...facts, fuelConsumption: null })
    expect([status, body]).toEqual([
      200,
      { ...provider, ownFacts: { ...facts, modifiedAt: expect.any(String) } },
    ])
    expect(body).toEqual(await graphqlBody())
    expect((await get()).body).toEqual(body)
    expect((await get(application.narrowed(0))).body).toEqual(body)
    expect((await rest.get(`/vehicles/${vehicleId}`, application.narrowed(0))).body).not.toHaveProperty(
      'ownFacts',
    )
    expect((await put({})).body).toEqual(provider)
    expect((await get()).body).toEqual(provider)
  })

  test.each<[string, unknown, string]>([
    ['a capacity of 0', { fuelTankCapacity: 0 }, 'fuelTankCapacity'],
    ['half a tank', { fuelTankCount: 1.5 }, 'fuelTankCount'],
    ['an unknown fuel', { fuelType: 'water' }, 'fuelType'],
    ['a text', { fuelConsumption: 'much' }, 'fuelConsumption'],
    ['an unknown member', { capacity: 400 }, 'capacity'],
    ['a vehicle in the body', { vehicleId: unknownId('vehicle') }, 'vehicleId'],
  ])('are not set with %s', async (_, given, member) => {
    const { status, body } = await put(given)
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(member)])
    expect(await rest.db.rows('SELECT 1 FROM `vehicle_facts`')).toEqual([])
  })

  test('of a vehicle that the caller does not have are not found', async () => {
    const others = await seedApplication(rest.db, [() => ({})])
    for (const client of [others.client, application.narrowed(1)]) {
      expect((await get(client)).status).toBe(404)
      expect((await put({ fuelTankCount: 2 }, client)).status).toBe(404)
    }
    expect((await rest.get(path(unknownId('vehicle')), application.client)).status).toBe(404)
    expect((await rest.write('PUT', path('truck-1'), application.client, {})).status).toBe(404)
  })
})
