import { setTimeout as wait } from 'node:timers/promises'
import type { Values } from '../../support/providers/read-back/read-back-names.ts'
import { askingOf, AskedRecords, type Period } from './asked-records.ts'
import { begunAt, differences } from './compared.ts'
import type { ProvenFleet } from './proven-fleet.ts'
import type { Counts } from './sites.ts'
import type { Stage } from './stage.ts'

const DAY_MS = 86_400_000
const MOST_SHOWN = 5
/** What is only of now is asked for every other second; of five hundred drivers Geotab tells it in two minutes. */
const POLLED_MS = 300_000

interface Judged {
  readonly counts: Counts
  readonly failures: readonly string[]
}

/** Holds everything that the API tells of a fleet against what its provider knows to be true. */
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
    if (lines.length > 0) failures.push(`${lines.length} differ: ${lines.slice(0, MOST_SHOWN).join('\n  ')}`)
    if (counts[model] === 0 && isUsual(model)) failures.push(`there is no ${model} to compare`)
  }
  return { counts, failures: failures.map((failure) => `${fleet.site.provider}: ${failure}`) }
}

/** What every fleet has, be it ever so small. */
const isUsual = (model: string): boolean => ['Vehicle', 'Driver', 'Trip', 'VehicleLocation'].includes(model)

/** What the service says that it reads of this provider. Films are asked for one by one. */
async function modelsOf({ site }: ProvenFleet, { caller }: Stage): Promise<string[]> {
  const { provider } = await caller.graphql<{ provider: { models: { name: string; read: string }[] } }>(
    'query ($code: String!) { provider(code: $code) { models { name read } } }',
    { code: site.provider },
  )
  const read = provider.models.filter((model) => model.read === 'SUPPORTED').map(({ name }) => name)
  return read.filter((name) => name !== 'CameraMedia' && !site.computed.includes(name))
}

/** So many vehicles for a day are compared at once: a series as a whole would not fit into anybody's memory. */
const VEHICLE_DAYS = 500

function periodsOf({ since, syncedAt }: ProvenFleet, model: string, vehicles: number): Period[] {
  if (askingOf(model).per !== 'vehicle') return [{ from: since, to: syncedAt }]
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
  const isShown = (draft: Values): boolean =>
    draft['deletedAt'] == null &&
    (isOfDriver(model) ? isDriver(draft['driverSourceId']) : isOfShownVehicle(draft, records)) &&
    (isOfNow(model) || (begunAt(draft) ?? fleet.since) >= fleet.since)
  const truth = await fleet.truth(model, model === 'IFTASummary' ? 0 : period.from, period.to)
  const told = await records.of(model, period)
  return {
    count: truth.length,
    lines: differences({ model, told, truth, isShown, isThere, mayTellMore: isOfNow(model) }),
  }
}

/** What is only of now: what was last known of who tells nothing more stays known. */
const isOfNow = (model: string): boolean => model.startsWith('Latest') || model === 'HOSAvailableTime'

const isOfDriver = (model: string): boolean => model.startsWith('HOS')

const isOfShownVehicle = ({ vehicleSourceId: vehicle }: Values, { hasVehicle }: AskedRecords): boolean =>
  vehicle == null || hasVehicle(vehicle)

/** Waits until it was polled. */
async function polled(question: Question): Promise<Found> {
  for (const until = performance.now() + POLLED_MS; ; await wait(500)) {
    const found = await compared(question).catch(unlessBusy)
    if (found.lines.length === 0 || performance.now() > until) return found
  }
}

/** Before the first poll has come to its end its provider is asked, which may take no more requests for now. */
function unlessBusy(error: unknown): Found {
  const told = error instanceof Error ? error.message : ''
  if (!/TOO_MANY_REQUESTS|GATEWAY_TIMEOUT/.test(told)) throw error
  return { count: 0, lines: [told] }
}
