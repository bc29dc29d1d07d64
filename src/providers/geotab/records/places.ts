import { z } from 'zod'
import { metersToKilometers, rounded, secondsToMilliseconds } from '../../../units.ts'
import type { LatestLocationDraft, LocationDraft } from '../../drafts.ts'
import { isPlace } from '../../places.ts'
import type { Reader } from '../../provider.ts'
import { get } from '../calls.ts'
import { checked } from '../../checked.ts'
import { instant, latitude, longitude, maybeReference, measure, reference } from '../fields.ts'
import { fed, LARGE_PAGE } from '../readers.ts'

const place = { device: reference, dateTime: instant, latitude, longitude, speed: measure }

const logRecord = z.looseObject(place)

/** It tells neither who drives nor whereto. */
export const locationReader = fed({
  typeName: 'LogRecord',
  most: LARGE_PAGE,
  shape: logRecord,
  joined: async (_api, records) => records.filter(isPlace),
  toDraft: (record): LocationDraft => ({ ...placed(record), driverSourceId: null, headingDegrees: null }),
})

const placed = (record: z.infer<typeof logRecord>) => ({
  vehicleSourceId: record.device,
  locatedAt: record.dateTime,
  location: { longitude: record.longitude, latitude: record.latitude },
  address: null,
  speedKph: record.speed,
})

const ODOMETER = 'DiagnosticOdometerId'
const ENGINE_HOURS = 'DiagnosticEngineHoursId'
const FUEL_LEVEL = 'DiagnosticFuelLevelId'

const reading = z.looseObject({ diagnostic: reference, data: measure })

const statusInfo = z.looseObject({
  ...place,
  bearing: z.number().min(0).max(360).nullish().catch(null),
  driver: maybeReference,
  isDriving: z.boolean().nullish(),
  statusData: z
    .array(reading)
    .nullish()
    .transform((readings) => readings ?? []),
})

/** What is measured is told of the diagnostics that are named. */
const search = { diagnostics: [ODOMETER, ENGINE_HOURS, FUEL_LEVEL].map((id) => ({ id })) }

export const latestLocationReader: Reader<LatestLocationDraft> = {
  mode: 'full',
  schema: 'DeviceStatusInfo',
  read: async (api) => ({
    records: (await get(api, 'DeviceStatusInfo', { search })).filter(isPlace),
    next: null,
  }),
  toDraft(record) {
    const info = checked(statusInfo, record)
    const measured = (diagnostic: string, convert: (value: number) => number) => {
      const value = info.statusData.find((one) => one.diagnostic === diagnostic)?.data
      return value == null ? null : convert(value)
    }
    return {
      ...placed(info),
      driverSourceId: info.driver,
      headingDegrees: info.bearing == null ? null : info.bearing % 360,
      odometerKilometers: measured(ODOMETER, (meters) => rounded(metersToKilometers(meters), 3)),
      fuelPrimaryPercentage: measured(FUEL_LEVEL, (percent) => percent),
      fuelSecondaryPercentage: null,
      engineState: info.isDriving == null ? null : info.isDriving ? 'on' : 'off',
      engineRuntimeMilliseconds: measured(ENGINE_HOURS, secondsToMilliseconds),
    }
  },
}
