import { expect, test } from 'vitest'
import { FuelPurchases, SECRET } from '../../support/federation/fuel-subgraph.ts'
import { until } from '../../support/federation/federation-harness.ts'
import { makeHome, ServiceProcess } from '../../prove/support/service-process.ts'

const VEHICLES = '{ vehicles { nodes { id name fuelPurchases { liters } } } }'

interface VehiclesWithFuel {
  readonly vehicles: { readonly nodes: readonly { readonly id: string; readonly fuelPurchases: unknown }[] }
}

test('a service serves the example subgraph, and later starts while the subgraph is down', async () => {
  const home = await makeHome('sqlite')
  const fuel = await FuelPurchases.start()
  const settings = { SUBGRAPH_URLS: `fuel=${fuel.url}`, SUBGRAPH_SECRET: SECRET }
  const start = () => ServiceProcess.start(home, ['--fleet-size', '2'], settings)
  try {
    await using service = await start()
    await until(async () => (await service.graphql<VehiclesWithFuel>(VEHICLES)).vehicles.nodes.length === 2)
    const [{ id }] = (await service.graphql<VehiclesWithFuel>(VEHICLES)).vehicles.nodes as [
      VehiclesWithFuel['vehicles']['nodes'][number],
    ]
    const add =
      'mutation ($id: ID!) { addFuelPurchase(vehicleId: $id, liters: 80.5, station: "A") { liters } }'
    await service.graphql(add, { id })
    const { vehicles } = await service.graphql<VehiclesWithFuel>(VEHICLES)
    expect(vehicles.nodes.find((vehicle) => vehicle.id === id)).toMatchObject({
      fuelPurchases: [{ liters: 80.5 }],
    })
    await service.end('SIGTERM')

    await fuel[Symbol.asyncDispose]()
    await using again = await start()
    expect(await (await fetch(`${again.ready.url}/readyz`)).json()).toMatchObject({
      status: 'degraded',
      failures: ['subgraph fuel'],
    })
    expect(await again.rest(`/vehicles/${id}`)).toMatchObject({ id })
    await expect(again.graphql(VEHICLES)).rejects.toThrow(
      'The subgraph fuel is unavailable. Try again later.',
    )
    await again.end('SIGTERM')
  } finally {
    await fuel[Symbol.asyncDispose]()
    await home.remove()
  }
})
