import type { AddressInfo } from 'node:net'
import type { Fleet } from './fleet.ts'
import { type ServerName, servers } from './servers.ts'
import type { StoreLocation } from './stores.ts'

/** A process with one server in it; it ends with the one that started it. */

interface Task {
  readonly server: ServerName
  readonly place: StoreLocation
  readonly fleet: Fleet
}

const { server, place, fleet } = JSON.parse(process.argv[2] ?? '') as Task
const app = await servers[server](place, fleet)
await app.listen({ port: 0, host: '127.0.0.1' })
process.on('message', () => process.send?.(process.cpuUsage()))
process.on('disconnect', () => process.exit())
process.send?.((app.server.address() as AddressInfo).port)
