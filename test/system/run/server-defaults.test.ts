import { expect, test } from 'vitest'
import { type Home, makeHome, ServiceProcess } from '../../prove/support/service-process.ts'
import { stores } from '../../support/database/stores.ts'
import { openTransactions, startUnusualMariadb } from '../../support/database/unusual-mariadb.ts'
import { runInProcess } from '../../support/harnesses/cli-harness.ts'

const VEHICLES = '{ vehicles(first: 10) { nodes { name } } connection { lastSync { status } } }'
const RENAME = `mutation ($id: ID!, $name: ID!) { updateConnection(input: { connectionId: $id, externalId: $name }) {
  connection { id } } }`

interface Named {
  readonly connection: { readonly externalId: string }
}

interface Created {
  readonly id: string
  readonly key: string
}

test.skipIf(!stores.includes('mariadb'))(
  'on a server whose sessions start with other values, each process sees the writes of the others at once',
  async () => {
    await using server = await startUnusualMariadb()
    const home = await makeHome('mariadb', { mysql: server.url() })
    try {
      await using service = await ServiceProcess.start(home, ['--fleet-size', '3'])
      const synced = { vehicles: { nodes: { length: 3 } }, connection: { lastSync: { status: 'COMPLETED' } } }
      await expect.poll(() => service.graphql(VEHICLES)).toMatchObject(synced)

      const { id: application } = await command<{ id: string }>(home, 'applications', 'create', 'Łódź')
      for (let round = 0; round < 3; round++) {
        const { id, key } = await command<Created>(home, 'keys', 'create', '--application', application)
        expect(await statusesWith(service, key)).toEqual(Array(8).fill(200))
        const revoked = await command<Created>(home, 'keys', 'create', '--application', application)
        await command(home, 'keys', 'revoke', revoked.id, '--application', application)
        expect(await statusesWith(service, revoked.key)).toEqual(Array(8).fill(401))
        await command(home, 'keys', 'revoke', id, '--application', application)

        const name = `fleet ${round}`
        await service.graphql(RENAME, { id: service.ready.connectionId, name })
        const reads = Array.from({ length: 8 }, () => service.graphql<Named>('{ connection { externalId } }'))
        const names = (await Promise.all(reads)).map(({ connection }) => connection.externalId)
        expect(names).toEqual(Array(8).fill(name))
      }
      await expect.poll(() => openTransactions(server)).toEqual([])
    } finally {
      await home.remove()
    }
  },
)

async function command<Row>(home: Home, ...args: string[]): Promise<Row> {
  const { code, out, error } = await runInProcess(home, home.environment, ['--json', ...args])
  if (code !== 0) throw new Error(error)
  return JSON.parse(out) as Row
}

/** Returns the statuses of concurrent requests, which use several connections of the pool. */
const statusesWith = (service: ServiceProcess, key: string): Promise<number[]> =>
  Promise.all(
    Array.from({ length: 8 }, async () => {
      const headers = { authorization: `Bearer ${key}` }
      return (await fetch(`${service.ready.restUrl}/connections`, { headers })).status
    }),
  )
