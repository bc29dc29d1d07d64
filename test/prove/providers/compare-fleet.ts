import { setTimeout as wait } from 'node:timers/promises'
import type { Values } from '../../support/providers/read-back/read-back-names.ts'
import { queryOf, AskedRecords, type Period } from './api-records.ts'
import { begunAt, differences } from './compare-records.ts'
import type { ProvenFleet } from './proven-fleet.ts'
import type { Counts } from './sites.ts'
import type { Stage } from './stage.ts'

const DAY_MS = 86_400_000
const MAX_SHOWN = 5
/**
 * Duration of a poll round: current data is requested every other second, and Geotab takes two minutes for
 * 500 drivers.
 */
const POLLED_MS = 300_000

interface Judged {
  readonly counts: Counts
  readonly failures: readonly string[]
}

/** Compares all API data of a fleet with the truth of its provider. */
export async function judged(fleet: ProvenFleet, harness: Stage): Promise<Judged> {
  const records = await AskedRecords.of(fleet.as(harness))
  const known = await fleet.truth('Driver', 0, fleet.syncedAt)
  const drivers = new Set(known.flatMap(({ sourceId, deletedAt }) => (deletedAt == null ? [sourceId] : [])))
  const isDriver = (sourceId: unknown): boolean => drivers.has(sourceId)
  const counts: Record<string, number> = {}
  const failures: string[] = []
  for (const model of await modelsOf(fleet, harness)) {
    const wrong = isOfNow(model) ? polled : compared
    const lines: string[] = []
    counts[model] = 0
    for (const period of periodsOf(fleet, model, records.vehicleCount)) {
      const found = await wrong({ fleet, records, model, period, isDriver })
      lines.push(...found.lines)
      counts[model] += found.count
    }
    if (lines.length > 0) failures.push(`${lines.length} differ: ${lines.slice(0, MAX_SHOWN).join('\n  ')}`)
    if (counts[model] === 0 && isUsual(model)) failures.push(`no ${model} to compare`)
  }
  return { counts, failures: failures.map((failure) => `${fleet.site.provider}: ${failure}`) }
}

/** Models of which every fleet has records, however small. */
const isUsual = (model: string): boolean => ['Vehicle', 'Driver', 'Trip', 'VehicleLocation'].includes(model)

/** Returns the models that the service supports for this provider. Videos are requested one by one. */
async function modelsOf({ site }: ProvenFleet, { caller }: Stage): Promise<string[]> {
  const { provider } = await caller.graphql<{ provider: { models: { name: string; read: string }[] } }>(
    'query ($code: String!) { provider(code: $code) { models { name read } } }',
    { code: site.provider },
  )
  const read = provider.models.filter((model) => model.read === 'SUPPORTED').map(({ name }) => name)
  return read.filter((name) => name !== 'CameraMedia' && !site.computed.includes(name))
}

/** Vehicle days of one comparison: a whole series would exceed the memory. */
const VEHICLE_DAYS = 500

function periodsOf({ since, syncedAt }: ProvenFleet, model: string, vehicles: number): Period[] {
  if (queryOf(model).per !== 'vehicle') return [{ from: since, to: syncedAt }]
  const partMs = Math.max(1, Math.floor(VEHICLE_DAYS / vehicles)) * DAY_MS
  const periods: Period[] = []
  for (let from = since; from < syncedAt; from += partMs)
    periods.push({ from, to: Math.min(syncedAt, from + partMs) })
  return periods
}

interface Question {
  readonly fleet: ProvenFleet
  readonly records: AskedRecords
  readonly model: string
  readonly period: Period
  isDriver(sourceId: unknown): boolean
}

interface Found {
  readonly count: number
  readonly lines: readonly string[]
}

async function compared({ fleet, records, model, period, isDriver }: Question): Promise<Found> {
  const isThere = { vehicle: records.hasVehicle, driver: isDriver }
  const isShown = (normalized: Values): boolean =>
    normalized['deletedAt'] == null &&
    (isOfDriver(model) ? isDriver(normalized['driverSourceId']) : isOfShownVehicle(normalized, records)) &&
    (isOfNow(model) || (begunAt(normalized) ?? fleet.since) >= fleet.since)
  const truth = await fleet.truth(model, model === 'IFTASummary' ? 0 : period.from, period.to)
  const reported = await records.of(model, period)
  return {
    count: truth.length,
    lines: differences({ model, reported, truth, isShown, isThere, mayTellMore: isOfNow(model) }),
  }
}

/** Models of current data: the last known value stays after a provider stops to report it. */
const isOfNow = (model: string): boolean => model.startsWith('Latest') || model === 'HOSAvailableTime'

const isOfDriver = (model: string): boolean => model.startsWith('HOS')

const isOfShownVehicle = ({ vehicleSourceId: vehicle }: Values, { hasVehicle }: AskedRecords): boolean =>
  vehicle == null || hasVehicle(vehicle)

/** Waits until the data is polled. */
async function polled(question: Question): Promise<Found> {
  for (const until = performance.now() + POLLED_MS; ; await wait(500)) {
    const found = await compared(question).catch(unlessBusy)
    if (found.lines.length === 0 || performance.now() > until) return found
  }
}

/** Before the end of the first poll a request calls the provider, which may be rate limited then. */
function unlessBusy(error: unknown): Found {
  const reported = error instanceof Error ? error.message : ''
  if (!/TOO_MANY_REQUESTS|GATEWAY_TIMEOUT/.test(reported)) throw error
  return { count: 0, lines: [reported] }
}
