import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Random } from '../../fuzz/random.ts'
import { DistributedService, partNames } from '../support/distributed-service.ts'
import { proof } from '../proof.ts'
import { type Home, makeHome } from '../support/service-process.ts'
import { LOOPBACK } from '../support/webhook-endpoints.ts'
import { Client } from './client.ts'
import { distributedFaults, type DistributedVictims } from './distributed-faults.ts'
import { HostClocks } from './host-clocks.ts'
import { judge } from './judge.ts'
import { OwnServers } from './own-servers.ts'
import { type Receiver, startReceivers } from './receivers.ts'
import { allReady } from './rest.ts'
import { Rounds } from './rounds.ts'
import { Supervisor } from './supervisor.ts'
import { TokenFleets } from './token-fleets.ts'
import { Workload } from './workload.ts'

/** Processes and servers of the distributed size fail repeatedly. The service must keep every guarantee. */
export const chaos = proof(
  {
    name: 'chaos',
    description:
      'under kills, pauses, skewed clocks, data loss and cuts: data as at the provider, no fleet disconnected, one event per change, every webhook delivered, no job lost',
    options: {
      rounds: { preset: 200, short: 12, description: 'number of faults' },
      seed: { preset: 1, description: 'the same seed draws the same faults' },
      'calm-every': {
        preset: 12,
        description: 'number of rounds after which it waits until all parts are ready, and measures the time',
      },
    },
  },
  ({ rounds, seed, 'calm-every': calmEvery }) => prove(rounds, seed, calmEvery),
)

/** Short intervals, so that work is always in progress. */
const BUSY = { LOCATION_POLL_SECONDS: '2', SYNC_INTERVAL_MINUTES: '1', REMOVAL_HOLD_MINUTES: '0' }

async function prove(rounds: number, seed: number, calmEvery: number): Promise<readonly string[]> {
  await using servers = await OwnServers.start()
  const { sandbox, ...stores } = servers.behindProxies
  const home = await makeHome('mariadb', stores)
  using clocks = new HostClocks(home.folder)
  await using service = await DistributedService.start(
    home,
    ['--fleet-size', '5'],
    {
      ...BUSY,
      SANDBOX_URL: sandbox,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      // Links must not depend on the process that creates them.
      LINK_URL: 'https://link.example.com',
      WEBHOOK_ALLOW: LOOPBACK,
    },
    clocks.environmentOf,
  )
  const receivers = await receiversOf(home, service, seed)
  const client = new Client(service.ready)
  const workload = new Workload(client, service.ready, servers.sandbox, seed)
  const supervisor = new Supervisor(service)
  const db = await home.open()
  await workload.begin()
  const tokenFleets = new TokenFleets(workload.tokenFleets, servers.sandbox, db)
  const victims = { servers, supervisor, clocks, tokenFleets }
  const history = await strike(new Random(seed), victims, service, rounds, calmEvery)
  await db.close()
  for (const name of partNames) clocks.set(name, 0)
  await allReady(service)
  const failures = [
    ...history.problems,
    ...(await judge({ home, servers, service, client, workload, receivers })),
    ...supervisor.crashes.map((crash) => `crashed: ${crash}`),
  ]
  await supervisor.stop()
  history.print(supervisor, client)
  if (failures.length > 0) keepLogs(service)
  await service.end()
  for (const receiver of receivers) await receiver[Symbol.asyncDispose]()
  await home.remove()
  return failures
}

async function receiversOf(home: Home, { ready }: DistributedService, seed: number): Promise<Receiver[]> {
  const db = await home.open()
  try {
    return await startReceivers(db, ready.connectionId, new Random(seed))
  } finally {
    await db.close()
  }
}

/** Runs the rounds: in each a fault starts, lasts and is repaired, mostly without a wait for recovery. */
async function strike(
  random: Random,
  victims: DistributedVictims,
  service: DistributedService,
  rounds: number,
  calmEvery: number,
): Promise<Rounds> {
  const history = new Rounds()
  for (let round = 1; round <= rounds; round++) {
    const fault = random.pick(distributedFaults)(random, victims)
    history.begin(round, fault)
    await fault.strike()
    await wait(fault.lastsMs)
    const problem = await fault.repair()
    if (problem) history.problems.push(`${problem}, after ${fault.name} (${fault.of})`)
    if (round % calmEvery === 0) history.recovered(fault, await allReady(service))
    else await wait(300 + random.below(900))
  }
  return history
}

/** Keeps the logs of all parts in a folder. */
function keepLogs(service: DistributedService): void {
  const folder = mkdtempSync(join(tmpdir(), 'odograph-chaos-'))
  for (const { name, output } of service.parts.values())
    writeFileSync(join(folder, `${name.replace(':', '-')}.log`), output())
  console.log(`the logs of the parts are in ${folder}`)
}
