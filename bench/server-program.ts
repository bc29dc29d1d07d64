import type { AddressInfo } from 'node:net'
import type { Fleet } from './fleet.ts'
import { type ServerName, servers } from './servers.ts'
import type { StoreLocation } from './stores.ts'

/**
 * Process with one server. It sends its port once it listens, and its processor time in response to each message. It
 * exits when its parent process disconnects.
 */

interface Task {
  readonly server: ServerName
  readonly location: StoreLocation
  readonly fleet: Fleet
}

const { server, location, fleet } = JSON.parse(process.argv[2] ?? '') as Task
const app = await servers[server](location, fleet)
await app.listen({ port: 0, host: '127.0.0.1' })
process.on('message', () => process.send?.(process.cpuUsage()))
process.on('disconnect', () => process.exit())
process.send?.((app.server.address() as AddressInfo).port)
