import { z } from 'zod'
import { metersToKilometers, rounded, secondsToMilliseconds } from '../../../domain/units.ts'
import { decimal } from '../../mapping/numbers.ts'
import { validate } from '../../mapping/validate.ts'
import type { NormalizedStatLog, StatType } from '../../../domain/models/vehicle-stat-log.ts'
import type { Reader } from '../../provider.ts'
import { readFeedPage, versionsIn } from '../feeds.ts'
import { instant, reference } from '../schema-types.ts'
import { LARGE_PAGE } from '../paged-readers.ts'

interface Measurement {
  readonly type: StatType
  readonly value?: (data: number) => number
  readonly state?: (data: number) => 'on' | 'off'
}

/** Supported measurements by diagnostic. */
const measurements: Readonly<Record<string, Measurement>> = {
  DiagnosticOdometerId: {
    type: 'odometer',
    value: (meters) => rounded(metersToKilometers(meters), 3),
  },
  DiagnosticEngineHoursId: { type: 'engine_runtime', value: secondsToMilliseconds },
  DiagnosticIgnitionId: { type: 'engine_state', state: (isOn) => (isOn === 0 ? 'off' : 'on') },
  DiagnosticFuelLevelId: { type: 'fuel_level', value: (percent) => percent },
}

const diagnostics = Object.keys(measurements)

export const measuredTypes: readonly StatType[] = Object.values(measurements).map(({ type }) => type)

const statusData = z.looseObject({
  device: reference,
  diagnostic: reference,
  dateTime: instant,
  data: decimal,
})

/**
 * Reads one feed per diagnostic, one after the other. A single feed would contain hundreds of unsupported
 * diagnostics.
 */
export const measurementReader: Reader<NormalizedStatLog> = {
  mode: 'feed',
  schema: 'StatusData',
  async read(api, state, window) {
    const { at: feed, versions } = versionsIn(state)
    const search = { diagnosticSearch: { id: diagnostics[feed] } }
    const request = { version: versions[feed], window, pageSize: LARGE_PAGE, search }
    const { data, toVersion, isCaughtUp: isFeedCaughtUp } = await readFeedPage(api, 'StatusData', request)
    const isLastFeed = feed === diagnostics.length - 1
    return {
      records: data,
      next: {
        at: isFeedCaughtUp ? (feed + 1) % diagnostics.length : feed,
        versions: diagnostics.map((_, index) => (index === feed ? toVersion : (versions[index] ?? null))),
      },
      isCaughtUp: isFeedCaughtUp && isLastFeed,
    }
  },
  normalize(record) {
    const { device, diagnostic, dateTime, data } = validate(statusData, record)
    const { type, value, state } = validate(supportedMeasurement, measurements[diagnostic])
    return {
      vehicleSourceId: device,
      type,
      timestamp: dateTime,
      sourceId: null,
      value: value?.(data) ?? null,
      state: state?.(data) ?? null,
    }
  },
}

const supportedMeasurement = z.custom<Measurement>(
  (value) => value !== undefined,
  'the diagnostic is not supported',
)
