import type { DistributedService } from '../support/distributed-service.ts'
import type { Home } from '../support/service-process.ts'
import type { Client } from './client.ts'
import { judgeCopies, judgeLogReader } from './oracles/copies-oracle.ts'
import type { Fleet } from './fleets.ts'
import { judgeHistories, judgePositions, judgeSyncs, logOf } from './oracles/log-oracle.ts'
import type { OwnServers } from './own-servers.ts'
import type { Receiver } from './receivers.ts'
import { comesToRest, syncOnceMore, until } from './rest.ts'
import { judgeLatest, judgeStored } from './oracles/stored-oracle.ts'
import { CheckResults } from './check-results.ts'
import type { Workload } from './workload.ts'

export interface Aftermath {
  readonly home: Home
  readonly servers: OwnServers
  readonly service: DistributedService
  readonly client: Client
  readonly workload: Workload
  readonly receivers: readonly Receiver[]
}

const READ_MS = 120_000
/** Retries to an endpoint that fails for long come every half hour at most. */
const DELIVERED_MS = 240_000
/** The service leaves an open write of a dead process alone for two minutes. */
const ABANDONED_MS = 180_000

/** Waits for all work to finish in an unchanged world. Returns the violated guarantees. */
export async function judge(aftermath: Aftermath): Promise<string[]> {
  const { home, servers, service, client, workload } = aftermath
  await workload.end()
  await servers.sandbox.control('clock', { stands: true })
  const db = await home.open()
  try {
    const problems = await comesToRest(db)
    // The second sync removes what the first one held.
    for (let sync = 0; sync < 2; sync++)
      problems.push(...(await syncOnceMore(db, workload, (fleet) => askForSync(client, fleet))))
    const polled = await until(READ_MS, async () => (await latestIn(db, aftermath)).problems.length === 0)
    if (polled === null) problems.push('polls stand still')
    for (const id of await connectedIn(db)) await becomesManual(client, service.ready.secretKey, id)
    problems.push(...(await comesToRest(db)))
    if ((await until(ABANDONED_MS, async () => (await openWrites(db)) === 0)) === null)
      problems.push('an abandoned write is still open: it holds readers back')
    for (const reader of [...workload.readers, workload.log])
      if ((await until(READ_MS, () => reader.catchUp())) === null)
        problems.push(`a reader does not reach the end`)
    const tallies = await talliesOf(db, service.ready.connectionId, aftermath)
    console.log(`\nThe longest time without a sync completed: ${(await longestPauseMs(db)) / 1000} s`)
    console.log('Oracle')
    for (const checkResults of tallies) console.log(`  ${checkResults.line()}`)
    return [...problems, ...tallies.flatMap((checkResults) => checkResults.problems)]
  } finally {
    await db.close()
  }
}

type Db = Awaited<ReturnType<Home['open']>>

async function talliesOf(db: Db, demoId: string, aftermath: Aftermath): Promise<CheckResults[]> {
  const { servers, workload, client, receivers } = aftermath
  const [stored, positions, histories, syncs, copies, followed, connected, delivered, jobs] = [
    'the stored data equals the provider’s',
    'positions are gapless',
    'every change has exactly one event',
    'a sync has one event for each step',
    'copies of readers equal the stored rows',
    'a reader of the log has every event once',
    'no fleet is disconnected',
    'every event reaches every healthy endpoint',
    'no job is lost',
  ].map((description) => new CheckResults(description)) as [
    CheckResults,
    CheckResults,
    CheckResults,
    CheckResults,
    CheckResults,
    CheckResults,
    CheckResults,
    CheckResults,
    CheckResults,
  ]
  const [demo] = await db.rows<{ applicationId: string }>(
    'SELECT `applicationId` FROM `connections` WHERE `id` = ?',
    [demoId],
  )
  const applicationId = String(demo?.applicationId)
  const log = await logOf(db)
  await judgeStored(stored, db, servers.sandbox.url, workload.live)
  judgePositions(positions, log)
  await judgeHistories(histories, db, log)
  await judgeSyncs(syncs, db, log)
  await judgeCopies(copies, db, applicationId, workload.readers)
  judgeLogReader(followed, workload.log, log, applicationId)
  await judgeConnected(connected, db, workload)
  await judgeDeliveries(delivered, receivers, log, applicationId, workload)
  await judgeJobs(jobs, db, workload)
  return [stored, positions, histories, syncs, copies, followed, connected, delivered, jobs, answers(client)]
}

type Log = Awaited<ReturnType<typeof logOf>>

/** Waits for deliveries that are retried. Deliveries of archived connections are not required. */
async function judgeDeliveries(
  checkResults: CheckResults,
  receivers: readonly Receiver[],
  log: Log,
  applicationId: string,
  { fleets, live }: Workload,
): Promise<void> {
  const kept = new Set(live.map(({ connectionId }) => connectionId))
  const gone = new Set(fleets.map(({ connectionId }) => connectionId).filter((id) => !kept.has(id)))
  for (const receiver of receivers) {
    const missing = () => receiver.missing(log, applicationId, (id) => gone.has(id))
    await until(DELIVERED_MS, async () => missing().length === 0)
    receiver.judge(checkResults, missing())
  }
}

/** Returns the longest time without a completed sync. */
async function longestPauseMs(db: Db): Promise<number> {
  const [row] = await db.rows<{ longest: number | null }>(
    `SELECT MAX(pause) AS longest FROM (SELECT \`completedAt\` - LAG(\`completedAt\`) OVER (ORDER BY \`completedAt\`) AS pause
      FROM \`syncs\` WHERE \`status\` = 'completed') AS pauses`,
  )
  return Number(row?.longest)
}

async function latestIn(db: Db, { servers, workload }: Aftermath): Promise<CheckResults> {
  const checkResults = new CheckResults('polls')
  for (const fleet of workload.live) await judgeLatest(checkResults, db, servers.sandbox.url, fleet)
  return checkResults
}

async function askForSync(client: Client, { credentials }: Fleet): Promise<string | null> {
  const answer = await client.rest<{ id: string }>(credentials, 'POST', '/syncs', {})
  return answer?.status === 201 ? answer.body.id : null
}

/** Includes connections whose link request got no response. */
const connectedIn = async (db: Db): Promise<string[]> =>
  (await db.rows<{ id: string }>("SELECT `id` FROM `connections` WHERE `status` = 'connected'")).map(
    ({ id }) => id,
  )

const TO_MANUAL = `mutation ($id: ID!) { updateConnection(input: { connectionId: $id, syncMode: MANUAL }) { connection { id } } }`

/** Switches a connection to manual syncs, so that only requested work remains. */
const becomesManual = (client: Client, secretKey: string, id: string): Promise<number | null> =>
  until(READ_MS, async () => (await client.graphql({ secretKey }, TO_MANUAL, { id })) !== null)

/** Checks that no fleet lost its credentials: the provider accepts them all. */
async function judgeConnected(checkResults: CheckResults, db: Db, { live }: Workload): Promise<void> {
  const statuses = await db.rows<{ id: string; status: string }>('SELECT `id`, `status` FROM `connections`')
  const byId = new Map(statuses.map(({ id, status }) => [id, status]))
  for (const { connectionId } of live) {
    const status = byId.get(connectionId)
    checkResults.count('fleets')
    checkResults.holds(status === 'connected', `${connectionId} is ${status}`)
  }
}

/** Checks that every accepted sync has ended, and that no dead worker holds a lease. */
async function judgeJobs(checkResults: CheckResults, db: Db, { requested }: Workload): Promise<void> {
  const syncs = await db.rows<{ id: string; status: string; leaseOwner: string | null }>(
    'SELECT `id`, `status`, `leaseOwner` FROM `syncs`',
  )
  const ended = new Set(
    syncs.filter(({ status }) => status === 'completed' || status === 'failed').map(({ id }) => id),
  )
  checkResults.count('syncs promised to callers', requested.size)
  for (const id of requested) checkResults.holds(ended.has(id), `sync ${id} was promised and has not ended`)
  for (const { id, leaseOwner } of syncs) {
    checkResults.count('syncs')
    checkResults.holds(ended.has(id), `sync ${id} has not ended`)
    checkResults.holds(leaseOwner === null, `sync ${id} is still held by ${leaseOwner}`)
  }
  checkResults.holds((await openWrites(db)) === 0, 'a write is still open')
}

async function openWrites(db: Db): Promise<number> {
  const [row] = await db.rows<{ open: number }>('SELECT COUNT(*) AS open FROM `open_writes`')
  return Number(row?.open)
}

function answers({ counts }: Client): CheckResults {
  const checkResults = new CheckResults('every request gets a response or a refusal in time')
  for (const [kind, count] of counts) {
    checkResults.count('requests', count)
    checkResults.holds(!kind.endsWith('hung'), `${count} × ${kind}`)
  }
  return checkResults
}
