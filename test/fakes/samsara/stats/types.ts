import type { Fix, Place, Vehicle } from '../../world/truth.ts'
import { atMost, badRequest, listed } from '../http/call.ts'
import type { Switches } from '../behaviours.ts'
import { rounded, toAddress, toFineHeading, toMilesPerHour, toPlace } from '../formats.ts'

/** A stat type: its value in a fix of the world; null if the vehicle does not support it. */
interface StatType {
  /** Some types have another name in snapshots. */
  readonly inSnapshot: string
  read(fix: Fix, vehicle: Vehicle, switches: Switches): object | null
}

const MILLISECONDS = 1000
/** The two odometers started at different times, so a mix of them is detectable. */
const GPS_ODOMETER_BEHIND_METERS = 1_234_000

export const readTypes: Readonly<Record<string, StatType>> = {
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

/** The gateway cannot read the odometer of every fifth vehicle. */
export const hasObdOdometer = ({ number }: Pick<Vehicle, 'number'>, { obdOdometers }: Switches): boolean =>
  obdOdometers === 'all' || number % 5 !== 4

const gps = (fix: Fix, switches: Switches) => ({
  ...reportedPlace(fix, switches),
  headingDegrees: toFineHeading(fix.headingDegrees),
  speedMilesPerHour: toMilesPerHour(fix.metersPerSecond),
  isEcuSpeed: false,
  reverseGeo: { formattedLocation: toAddress(fix) },
})

/** Returns whether a fix gets an invalid position: some do, if the switch is on. */
export const isBad = ({ at }: Pick<Fix, 'at'>, { badFixes }: Switches): boolean =>
  badFixes !== 'none' && Math.imul(Math.floor(at / MILLISECONDS), 0x9e3779b1) >>> 28 < 2

/** Returns a position as the response shows it. */
export function reportedPlace(fix: Place & Pick<Fix, 'at'>, switches: Switches) {
  if (!isBad(fix, switches)) return toPlace(fix)
  if (switches.badFixes === 'null-island') return { latitude: 0, longitude: 0 }
  return { latitude: 122.142, longitude: rounded(fix.longitude, 6) }
}

/** Types of Samsara that this fleet does not support. */
const silentTypes = new Set(
  `ambientAirTemperatureMilliC barometricPressurePa batteryMilliVolts defLevelMilliPercent ecuSpeedMph
  engineCoolantTemperatureMilliC engineImmobilizer engineLoadPercent engineOilPressureKPa engineRpm
  fuelConsumedMilliliters gpsDistanceMeters idlingDurationMilliseconds intakeManifoldTemperatureMilliC nfcCardScans
  syntheticEngineSeconds evStateOfChargeMilliPercent evDistanceDrivenMeters seatbeltDriver`.split(/\s+/),
)

export const isType = (type: string): boolean =>
  type === 'faultCodes' || type in readTypes || silentTypes.has(type)

const MOST_TYPES = 3
const MOST_DECORATIONS = 2

export function typesIn(query: URLSearchParams): string[] {
  const types = listed(query, 'types')
  if (types.length === 0) throw badRequest('Missing required parameter: types.')
  atMost(types, MOST_TYPES, 'types')
  const unknown = types.find((type) => !isType(type))
  if (unknown) throw badRequest(`Invalid value for parameter types: ${unknown}.`)
  return types
}

export function decorationsIn(query: URLSearchParams): string[] {
  const decorations = listed(query, 'decorations')
  atMost(decorations, MOST_DECORATIONS, 'decorations')
  return decorations
}
