import { z } from 'zod'
import { toIso } from '../../../domain/time.ts'
import type { ProviderApi, QueryParams } from '../../provider-api.ts'
import { ProviderError } from '../../provider-error.ts'
import { validate } from '../../mapping/validate.ts'
import type { ProviderAdapter, ReaderState, ReadPage, TimeWindow } from '../../provider.ts'
import * as mappers from '../mappers/roster.ts'
import * as records from '../schemas/roster.ts'
import { id, text } from '../schemas/schema-types.ts'
import { dateAfter } from '../../../domain/calendar.ts'
import { dateOf } from './dates.ts'
import { readAll, fullListReader, LIMIT, pageAt } from './pages.ts'

const DAY_MS = 86_400_000

export const rosterReaders = {
  Group: fullListReader('/tags', 'tag', records.tag, mappers.toGroup),
  Driver: fullListReader('/fleet/drivers', 'driver', records.driver, mappers.toDriver, {
    queries: driverLists,
  }),
  Vehicle: {
    mode: 'full',
    schema: 'vehicle',
    read: vehicles,
    normalize: (record) => mappers.toVehicle(validate(records.vehicle, record)),
  },
  Trailer: fullListReader('/fleet/trailers', 'trailer', records.trailer, mappers.toTrailer),
  // This list does not accept a page size.
  Device: fullListReader('/gateways', 'gateway', records.gateway, mappers.toDevice, { queries: () => [{}] }),
} satisfies ProviderAdapter['readers']

/** The clocks of this machine and of Samsara may differ by this time. */
const CLOCK_TOLERANCE_MS = 10 * 60_000

/**
 * Returns the lists of drivers to read: the active ones, then the deactivated ones. A driver who is activated
 * between the two reads is in neither, so the third list contains the active drivers with recent changes.
 */
function driverLists({ to }: TimeWindow): QueryParams[] {
  const [active, deactivated] = ['active', 'deactivated'].map((status) => ({
    ...LIMIT,
    driverActivationStatus: status,
  }))
  return [{ ...active }, { ...deactivated }, { ...active, updatedAfterTime: toIso(to - CLOCK_TOLERANCE_MS) }]
}

interface RosterCursor {
  readonly after: string
  readonly electric: readonly string[]
}

const recordWithId = z.looseObject({ id })

/** Reads vehicles with their energy type, which only a report contains. */
async function vehicles(api: ProviderApi, state: ReaderState, window: TimeWindow): Promise<ReadPage> {
  const cursor = state as RosterCursor | null
  const electric = cursor?.electric ?? (await electricVehicles(api, window))
  const page = await pageAt(api, '/fleet/vehicles', LIMIT, cursor?.after ?? null)
  const electricIds = new Set(electric)
  const withEnergyType = page.records.map((vehicle) => {
    const isElectric = electricIds.has(recordWithId.safeParse(vehicle).data?.id ?? '')
    return { vehicle, energyType: isElectric ? 'electric' : null }
  })
  return { records: withEnergyType, next: page.isLast ? null : { after: page.endCursor, electric } }
}

/** Length of the report. It omits vehicles without activity, and few vehicles have none for this long. */
const REPORT_DAYS = 30

const reported = z.looseObject({ vehicle: recordWithId.extend({ energyType: text.catch(null) }) })

async function electricVehicles(api: ProviderApi, { to }: TimeWindow): Promise<string[]> {
  // The end date is exclusive. The day after makes the report include today.
  const [startDate, endDate] = [dateOf(to - REPORT_DAYS * DAY_MS), dateAfter(dateOf(to))]
  const query = { startDate, endDate, energyType: 'electric' }
  const reports = await readAll(api, '/fleet/reports/vehicles/fuel-energy', query, 'vehicleReports').catch(
    emptyIfForbidden,
  )
  return reports.flatMap((report) => {
    const { data } = reported.safeParse(report)
    return data?.vehicle.energyType === 'electric' ? [data.vehicle.id] : []
  })
}

/** Returns an empty report if the account lacks the permission, so that the vehicles are still read. */
function emptyIfForbidden(error: unknown): [] {
  if (error instanceof ProviderError && error.kind === 'scope_missing') return []
  throw error
}
