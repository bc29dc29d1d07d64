import { isDeepStrictEqual } from 'node:util'
import autocannon, { type Result } from 'autocannon'
import { tableOf } from '../../src/storage/sql/table.ts'
import { VehicleStatLog } from '../../src/subgraphs/telemetry/stat-log.ts'
import { compared, type Measured } from '../report.ts'
import { inTurn, type Running } from '../rounds.ts'
import { type RunningServer, runServer } from '../run-server.ts'
import { databaseAt, type Store } from '../stores.ts'
import type { PurchaseInput } from './hand-purchase.ts'

/**
 * Compares purchase checks of the service with those of the hand-written server over HTTP, on MariaDB. Each request is a
 * new authorization at a pump. Then measures the latency of the service at a part of its capacity.
 */

const GOAL = 0.7
const CONNECTIONS = 10
const PART_OF_CAPACITY = 0.6

const MUTATION = `mutation CheckPurchase($input: CheckPurchaseInput!) {
  checkPurchase(input: $input) { recorded check { decision wouldBe { v1 v2 v3 } } }
}`
const POLICY =
  'mutation { setPurchasePolicy(input: { stage: V2, rules: [{ rule: FREQUENCY, action: OFF }] }) { policy { version } } }'

interface Side {
  readonly name: string
  readonly server: RunningServer
  readonly url: string
}

interface Pump {
  readonly vehicleId: string
  readonly longitude: number
  readonly latitude: number
}

export async function comparePurchases({ location, fleet }: Store, running: Running): Promise<void> {
  const pumps = await vehiclesAtPumps({ location, fleet })
  using ours = await runServer('ours', location, fleet)
  using hand = await runServer('hand', location, fleet)
  const headers = { authorization: `Bearer ${fleet.secretKey}`, 'content-type': 'application/json' }
  const sides: readonly [Side, Side] = [
    { name: 'ours', server: ours, url: `${ours.url}/graphql` },
    { name: 'hand', server: hand, url: `${hand.url}/PURCHASE` },
  ]
  await post(sides[0].url, headers, JSON.stringify({ query: POLICY }))
  let count = 0
  const bodyOf = (side: Side) => {
    const number = ++count
    const { vehicleId, ...coordinates } = pumps[number % pumps.length]!
    const input: PurchaseInput = {
      idempotencyKey: `${side.name} ${number}`,
      vehicleId,
      cardId: `card ${vehicleId}`,
      merchant: { name: 'Lone Star Fuel', categoryCode: '5542', coordinates },
      amount: { value: 125, currency: 'USD' },
    }
    return JSON.stringify({ query: MUTATION, variables: { input } })
  }
  for (let time = 0; time < 3; time++) {
    const [response, baseline] = [
      await post(sides[0].url, headers, bodyOf(sides[0])),
      await post(sides[1].url, headers, bodyOf(sides[1])),
    ]
    if (!isDeepStrictEqual(response, baseline))
      throw new Error(`the checks differ\n${JSON.stringify(response)}\n${JSON.stringify(baseline)}`)
  }
  const load = (side: Side, duration: number, overallRate?: number) =>
    autocannon({
      url: side.url,
      method: 'POST',
      headers,
      connections: CONNECTIONS,
      duration,
      sampleInt: 50,
      ...(overallRate === undefined ? {} : { overallRate }),
      requests: [{ setupRequest: (request) => Object.assign(request, { body: bodyOf(side) }) }],
    })
  const measure = async (side: Side, duration: number): Promise<Measured> => {
    const before = await side.server.cpuMicroseconds()
    const result = await load(side, duration)
    const cpu = (await side.server.cpuMicroseconds()) - before
    requireSuccess(result)
    return { perSecond: result['2xx'] / result.duration, cpuMicroseconds: cpu / result['2xx'] }
  }
  const [a, b] = await inTurn(sides, running, measure)
  const comparison = compared({ group: location.store, name: 'PURCHASE', goal: GOAL, ours: a, baseline: b })
  running.report(comparison)
  const rate = Math.round(PART_OF_CAPACITY * comparison.ours)
  const result = await load(sides[0], running.seconds, rate)
  requireSuccess(result)
  const { p50, p99, p99_9: p999 } = result.latency
  console.log(
    `  at ${rate} checks a second: p50 ${p50} ms, p99 ${p99} ms, p99.9 ${p999} ms (goal: p99 under 50 ms)`,
  )
}

function requireSuccess({ '2xx': succeeded, non2xx, errors }: Result): void {
  if (non2xx + errors > 0 || succeeded === 0)
    throw new Error(`${succeeded} checks succeeded, ${non2xx} were refused, ${errors} failed`)
}

async function post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<unknown> {
  const response = await fetch(url, { method: 'POST', headers, body })
  const text = await response.text()
  if (!response.ok || text.includes('"errors"')) throw new Error(`${url}: ${response.status} ${text}`)
  return JSON.parse(text)
}

/** Lets the vehicles stand at pumps now, with a fuel level. Returns those that the fleet uses. */
async function vehiclesAtPumps({
  location,
  fleet: { owner },
}: Pick<Store, 'location' | 'fleet'>): Promise<Pump[]> {
  const db = await databaseAt(location)
  try {
    const now = Date.now()
    const pumps = await db.rows<Pump>(
      `SELECT l.vehicleId, l.longitude, l.latitude FROM latest_vehicle_locations AS l
        JOIN vehicles AS v ON v.id = l.vehicleId WHERE v.applicationId = ? AND v.status = 'active'`,
      [owner.applicationId],
    )
    const levels = pumps.map(({ vehicleId }) => ({
      ...owner,
      vehicleId,
      provider: 'sandbox',
      timestamp: now - 60_000,
      type: 'fuel_level',
      sourceId: null,
      value: 40,
      state: null,
      modifiedAt: now,
    }))
    await db.transaction(async (tx) => {
      await tx.run('UPDATE latest_vehicle_locations SET locatedAt = ?, modifiedAt = ?, speed = 0', [now, now])
      await tx.insert(tableOf(VehicleStatLog), levels as unknown as VehicleStatLog[])
    })
    return pumps
  } finally {
    await db.close()
  }
}
