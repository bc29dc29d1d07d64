import { z } from 'zod'
import { toIso } from '../../../domain/time.ts'
import type { ProviderApi, Query } from '../../provider-api.ts'
import { ProviderError } from '../../provider-error.ts'
import { validate } from '../../mapping/validate.ts'
import type { ProviderAdapter, ReaderState, ReadPage, TimeWindow } from '../../provider.ts'
import * as drafts from '../mappers/roster.ts'
import * as records from '../schemas/roster.ts'
import { dateAfter, dateOf } from './dates.ts'
import { readAll, fullListReader, LIMIT, pageAt } from './pages.ts'

const DAY_MS = 86_400_000

export const rosterReaders = {
  Group: fullListReader('/tags', 'tag', records.tag, drafts.toGroup),
  Driver: fullListReader('/fleet/drivers', 'driver', records.driver, drafts.toDriver, {
    queries: driverLists,
  }),
  Vehicle: {
    mode: 'full',
    schema: 'vehicle',
    read: vehicles,
    normalize: (record) => drafts.toVehicle(validate(records.vehicle, record)),
  },
  Trailer: fullListReader('/fleet/trailers', 'trailer', records.trailer, drafts.toTrailer),
  Device: fullListReader('/gateways', 'gateway', records.gateway, drafts.toDevice, { queries: () => [{}] }),
} satisfies ProviderAdapter['readers']

/** Clocks differ. */
const OVERLAP_MS = 10 * 60_000

/** Those of one status at a time; who became active after the first list and before the second is in neither. */
function driverLists({ to }: TimeWindow): Query[] {
  const [active, deactivated] = ['active', 'deactivated'].map((status) => ({
    ...LIMIT,
    driverActivationStatus: status,
  }))
  return [{ ...active }, { ...deactivated }, { ...active, updatedAfterTime: toIso(to - OVERLAP_MS) }]
}

interface RosterCursor {
  readonly after: string
  readonly electric: readonly string[]
}

const withId = z.looseObject({ id: z.string() })

/** Each with its kind of energy, which only a report tells. */
async function vehicles(api: ProviderApi, state: ReaderState, window: TimeWindow): Promise<ReadPage> {
  const place = state as RosterCursor | null
  const electric = place?.electric ?? (await electricOnes(api, window))
  const page = await pageAt(api, '/fleet/vehicles', LIMIT, place?.after ?? null)
  const isElectric = new Set(electric)
  const wrapped = page.records.map((vehicle) => {
    const id = withId.safeParse(vehicle).data?.id ?? ''
    return { vehicle, energyType: isElectric.has(id) ? 'electric' : null }
  })
  return { records: wrapped, next: page.isLast ? null : { after: page.endCursor, electric } }
}

/** Vehicles that did nothing are in no report: this one is of so long that few are left out. */
const REPORT_DAYS = 30

const reported = z.looseObject({ vehicle: withId.extend({ energyType: z.string().nullish() }) })

async function electricOnes(api: ProviderApi, { to }: TimeWindow): Promise<string[]> {
  // The end is not part of it: with today.
  const [startDate, endDate] = [dateOf(to - REPORT_DAYS * DAY_MS), dateAfter(dateOf(to))]
  const query = { startDate, endDate, energyType: 'electric' }
  const reports = await readAll(api, '/fleet/reports/vehicles/fuel-energy', query, 'vehicleReports').catch(
    unlessForbidden,
  )
  return reports.flatMap((report) => {
    const { data } = reported.safeParse(report)
    return data?.vehicle.energyType === 'electric' ? [data.vehicle.id] : []
  })
}

/** Who may not read reports may still read the fleet. */
function unlessForbidden(error: unknown): [] {
  if (error instanceof ProviderError && error.kind === 'scope_missing') return []
  throw error
}
