import type { FakeOptions } from '../../fakes/kit/start-fake.ts'
import type { Guest } from '../support/link-through-pages.ts'

/** Number of records by model. */
export type Counts = Readonly<Record<string, number>>

/** The fake of a provider, and the input for a sign-in there. */
export interface Site {
  readonly provider: string
  readonly fake: FakeOptions
  /** Models that the service computes from others. */
  readonly computed: readonly string[]
  guest(url: string): Guest
  /** Minimum number of calls for a first sync, with pages as full as possible. */
  minCalls(counts: Counts): number
}

/** Number of pages; an empty list takes one. */
const pages = (count: number | undefined, most: number): number => Math.max(1, Math.ceil((count ?? 0) / most))

const samsara: Site = {
  provider: 'samsara',
  fake: {},
  computed: [],
  guest: () => ({ provider: 'samsara', typed: { token: 'fake-token-1' } }),
  // Trips have drivers only if requested by vehicle; reports cover a day or month of all vehicles.
  minCalls: (counts) =>
    ['Group', 'Vehicle', 'Device', 'Trailer', 'SafetyEvent', 'HOSLog', 'HOSDailyLog'].reduce(
      (sum, model) => sum + pages(counts[model], 512),
      2 * pages(counts['Driver'], 512) +
        pages(counts['Trip'], 512) +
        (counts['Vehicle'] ?? 0) +
        pages(counts['VehicleUtilization'], 512) +
        // Positions, and two lists of measurements at the same times.
        3 * pages(counts['VehicleLocation'], 5_000) +
        pages(counts['IFTASummary'], 512),
    ),
}

const READER = 'reader@fleet.example'

const geotab: Site = {
  provider: 'geotab',
  fake: { settings: { warm: 'yes' } },
  computed: ['IFTASummary'],
  guest: () => ({
    provider: 'geotab',
    typed: { database: 'fleet_1', userName: READER, password: `the password of ${READER}`, server: '' },
  }),
  minCalls: (counts) =>
    ['Trip', 'SafetyEvent', 'FaultCodeEvent', 'HOSLog', 'VehicleLocation', 'VehicleStatLog'].reduce(
      (sum, model) => sum + pages(counts[model], 50_000),
      // Groups, users, devices and trailers, each in one call.
      4,
    ),
}

const traccar: Site = {
  provider: 'traccar',
  fake: {},
  computed: ['IFTASummary'],
  guest: (url) => ({ provider: 'traccar', typed: { serverUrl: url, token: 'token-1' } }),
  // Groups, drivers and devices; trips, events and sums of all devices; then the positions of each.
  minCalls: (counts) => 3 + 3 + (counts['Vehicle'] ?? 0),
}

const motive: Site = {
  provider: 'motive',
  fake: {},
  computed: [],
  guest: () => ({ provider: 'motive', typed: { apiKey: 'fake-key-1' } }),
  // Group members take one call per group, and histories one per vehicle.
  minCalls: (counts) =>
    ['Group', 'Vehicle', 'Driver', 'Device', 'Trailer', 'Trip', 'SafetyEvent', 'FaultCodeEvent'].reduce(
      (sum, model) => sum + pages(counts[model], 100),
      2 * (counts['Group'] ?? 0) +
        (counts['Vehicle'] ?? 0) +
        pages(counts['HOSDailyLog'], 100) +
        pages(counts['VehicleUtilization'], 100) +
        pages(counts['IFTASummary'], 100),
    ),
}

export const sites: readonly Site[] = [samsara, geotab, traccar, motive]
