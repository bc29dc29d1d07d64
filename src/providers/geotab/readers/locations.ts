import { z } from 'zod'
import { metersToKilometers, rounded, secondsToMilliseconds } from '../../../domain/units.ts'
import type { NormalizedLatestLocation, NormalizedLocation } from '../../../domain/models/vehicle-location.ts'
import { optionalBoolean } from '../../mapping/boolean.ts'
import { hasValidCoordinates, latitude, longitude } from '../../mapping/valid-coordinates.ts'
import type { Reader } from '../../provider.ts'
import { get } from '../api-calls.ts'
import { validate } from '../../mapping/validate.ts'
import { instant, optionalReference, measure, reference } from '../schema-types.ts'
import { feedReader, LARGE_PAGE } from '../paged-readers.ts'

const locationFields = { device: reference, dateTime: instant, latitude, longitude, speed: measure }

const logRecord = z.looseObject(locationFields)

/** MyGeotab stores positions as log records, which have no driver and no heading. */
export const locationReader = feedReader({
  typeName: 'LogRecord',
  pageSize: LARGE_PAGE,
  shape: logRecord,
  join: async (_api, records) => records.filter(hasValidCoordinates),
  toNormalized: (record): NormalizedLocation => ({
    ...toLocationFields(record),
    driverSourceId: null,
    headingDegrees: null,
  }),
})

const toLocationFields = (record: z.infer<typeof logRecord>) => ({
  vehicleSourceId: record.device,
  locatedAt: record.dateTime,
  location: { longitude: record.longitude, latitude: record.latitude },
  address: null,
  speedKph: record.speed,
})

/**
 * Diagnostics of each measurement below, the preferred one first. The MyGeotab portal shows the adjusted values. A
 * vehicle whose engine reports no odometer has only an adjusted one.
 */
const ODOMETER = ['DiagnosticOdometerAdjustmentId', 'DiagnosticOdometerId']
const ENGINE_HOURS = ['DiagnosticEngineHoursAdjustmentId', 'DiagnosticEngineHoursId']
const FUEL_LEVEL = ['DiagnosticFuelLevelId']

const reading = z.looseObject({ diagnostic: reference, data: measure })

const statusInfo = z.looseObject({
  ...locationFields,
  bearing: measure,
  driver: optionalReference,
  isDriving: optionalBoolean,
  statusData: z
    .array(reading)
    .nullish()
    .transform((readings) => readings ?? []),
})

/** The response contains measurements only for the diagnostics in the search. */
const search = { diagnostics: [...ODOMETER, ...ENGINE_HOURS, ...FUEL_LEVEL].map((id) => ({ id })) }

export const latestLocationReader: Reader<NormalizedLatestLocation> = {
  mode: 'full',
  schema: 'DeviceStatusInfo',
  read: async (api) => ({
    records: (await get(api, 'DeviceStatusInfo', { search })).filter(hasValidCoordinates),
    next: null,
  }),
  normalize(record) {
    const info = validate(statusInfo, record)
    const measurementOf = (diagnostics: readonly string[], convert: (value: number) => number) => {
      const values = diagnostics.map(
        (id) => info.statusData.find(({ diagnostic }) => diagnostic === id)?.data,
      )
      const value = values.find((candidate) => candidate != null)
      return value == null ? null : convert(value)
    }
    return {
      ...toLocationFields(info),
      driverSourceId: info.driver,
      headingDegrees: info.bearing,
      odometerKilometers: measurementOf(ODOMETER, (meters) => rounded(metersToKilometers(meters), 3)),
      fuelPrimaryPercentage: measurementOf(FUEL_LEVEL, (percent) => percent),
      fuelSecondaryPercentage: null,
      engineState: info.isDriving == null ? null : info.isDriving ? 'on' : 'off',
      engineRuntimeMilliseconds: measurementOf(ENGINE_HOURS, secondsToMilliseconds),
    }
  },
}
