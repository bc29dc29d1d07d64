import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { Accounts, type Fleets } from './accounts.ts'
import { FakeClock } from './clock.ts'
import type { Fake, FakeContext } from './fake.ts'
import { serverOf } from './server.ts'

const options = {
  port: { type: 'string', default: '0' },
  seed: { type: 'string', default: '7' },
  now: { type: 'string', default: '2026-06-15T18:00:00.000Z' },
  vehicles: { type: 'string', default: '5' },
  accounts: { type: 'string', default: '1' },
  days: { type: 'string', default: '30' },
  /** Options of the simulated fleet, as JSON. */
  world: { type: 'string', default: '{}' },
  /** Provider-specific settings, as JSON. */
  settings: { type: 'string', default: '{}' },
  /** Whether the fake exits with its parent process. */
  attached: { type: 'boolean', default: false },
} as const

/**
 * Runs a fake in this process: `node main.js --port 0 --vehicles 500 --seed 7 --now 2026-06-15T18:00:00Z`. It
 * prints its address as one line of JSON.
 */
export function runFake(fakeOf: (context: FakeContext) => Fake): void {
  const { values } = parseArgs({ options })
  const clock = new FakeClock(Date.parse(values.now))
  const fleets: Fleets = {
    seed: Number(values.seed),
    vehicles: Number(values.vehicles),
    accounts: Number(values.accounts),
    days: Number(values.days),
    startsAt: clock.now(),
    world: JSON.parse(values.world) as Fleets['world'],
  }
  const settings = JSON.parse(values.settings) as FakeContext['settings']
  const context = { clock, accounts: new Accounts(fleets, clock.now), settings }
  const server = serverOf(fakeOf(context), context, fleets.seed)
  server.listen(Number(values.port), '127.0.0.1', () => {
    process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`)
  })
  const end = () => process.exit(0)
  process.once('SIGTERM', end).once('SIGINT', end)
  if (values.attached) process.stdin.once('end', end).resume()
}
