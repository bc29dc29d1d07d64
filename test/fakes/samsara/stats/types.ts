import type { Fix, Place, Vehicle } from '../../world/truth.ts'
import { atMost, badRequest, listed } from '../http/call.ts'
import type { Switches } from '../behaviours.ts'
import { rounded, toAddress, toFineHeading, toMilesPerHour, toPlace } from '../formats.ts'

/** Type of readings. `read` returns null if a vehicle does not have it. */
interface StatType {
  /** Name in the list of newest readings, which differs for some types. */
  readonly inSnapshot: string
  read(fix: Fix, vehicle: Vehicle, switches: Switches): object | null
}

const MILLISECONDS = 1000
/** The two odometers are far apart, so that tests notice a mix. */
const GPS_ODOMETER_BEHIND_METERS = 1_234_000

export const statTypes: Readonly<Record<string, StatType>> = {
  gps: { inSnapshot: 'gps', read: (fix, _, switches) => gps(fix, switches) },
  engineStates: {
    inSnapshot: 'engineState',
    read: ({ engine }) => ({ value: { on: 'On', off: 'Off', idle: 'Idle' }[engine] }),
  },
  fuelPercents: {
    inSnapshot: 'fuelPercent',
    read: ({ fuel }, vehicle) => (vehicle.fuel === 'electric' ? null : { value: fuelPercentOf(fuel) }),
  },
  obdOdometerMeters: {
    inSnapshot: 'obdOdometerMeters',
    read: ({ odometerMeters }, vehicle, switches) =>
      hasObdOdometer(vehicle, switches) ? { value: Math.round(odometerMeters) } : null,
  },
  gpsOdometerMeters: {
    inSnapshot: 'gpsOdometerMeters',
    read: ({ odometerMeters }, vehicle, switches) => ({
      value:
        Math.round(odometerMeters) - (hasObdOdometer(vehicle, switches) ? GPS_ODOMETER_BEHIND_METERS : 0),
    }),
  },
  obdEngineSeconds: {
    inSnapshot: 'obdEngineSeconds',
    read: ({ engineRunMilliseconds }) => ({ value: engineSecondsOf(engineRunMilliseconds) }),
  },
}

export const fuelPercentOf = (fuel: number) => Math.round(fuel * 100)
export const engineSecondsOf = (milliseconds: number) => Math.floor(milliseconds / MILLISECONDS)

/** Whether the device can read the odometer of the engine. */
export const hasObdOdometer = ({ number }: Pick<Vehicle, 'number'>, { obdOdometers }: Switches): boolean =>
  obdOdometers === 'all' || number % 5 !== 4

const gps = (fix: Fix, switches: Switches) => ({
  ...reportedPlace(fix, switches),
  headingDegrees: toFineHeading(fix.headingDegrees),
  speedMilesPerHour: toMilesPerHour(fix.metersPerSecond),
  isEcuSpeed: false,
  reverseGeo: { formattedLocation: toAddress(fix) },
})

/** Whether a fix gets an invalid position. */
export const hasInvalidPosition = ({ at }: Pick<Fix, 'at'>, { badFixes }: Switches): boolean =>
  badFixes !== 'none' && Math.imul(Math.floor(at / MILLISECONDS), 0x9e3779b1) >>> 28 < 2

/** Returns the position in the response. */
export function reportedPlace(fix: Place & Pick<Fix, 'at'>, switches: Switches) {
  if (!hasInvalidPosition(fix, switches)) return toPlace(fix)
  if (switches.badFixes === 'null-island') return { latitude: 0, longitude: 0 }
  return { latitude: 122.142, longitude: rounded(fix.longitude, 6) }
}

/** Types that no vehicle of the fake has. */
const unsupportedTypes = new Set(
  `ambientAirTemperatureMilliC barometricPressurePa batteryMilliVolts defLevelMilliPercent ecuSpeedMph
  engineCoolantTemperatureMilliC engineImmobilizer engineLoadPercent engineOilPressureKPa engineRpm
  fuelConsumedMilliliters gpsDistanceMeters idlingDurationMilliseconds intakeManifoldTemperatureMilliC nfcCardScans
  syntheticEngineSeconds evStateOfChargeMilliPercent evDistanceDrivenMeters seatbeltDriver`.split(/\s+/),
)

export const isType = (type: string): boolean =>
  type === 'faultCodes' || type in statTypes || unsupportedTypes.has(type)

const MAX_TYPES = 3
const MAX_DECORATIONS = 2

export function typesIn(query: URLSearchParams): string[] {
  const types = listed(query, 'types')
  if (types.length === 0) throw badRequest('Missing required parameter: types.')
  atMost(types, MAX_TYPES, 'types')
  const unknown = types.find((type) => !isType(type))
  if (unknown) throw badRequest(`Invalid value for parameter types: ${unknown}.`)
  return types
}

export function decorationsIn(query: URLSearchParams): string[] {
  const decorations = listed(query, 'decorations')
  atMost(decorations, MAX_DECORATIONS, 'decorations')
  return decorations
}
