import { MINUTE_MS } from '../../world/durations.ts'
import { rounded } from '../../world/road-network/geometry.ts'
import { type Motion, motionAt } from '../../world/motion.ts'
import { dice } from '../../world/random.ts'
import type { VehicleRoute } from '../../world/vehicle-route.ts'
import { engineSecondsAt, fuelLevelAt, odometerMilesAt } from '../locations.ts'
import { gallonsPerMile } from '../vehicles.ts'

export const ENGINE_STATE = 'engineState'

/** State of a vehicle at a moment at which its engine runs. */
interface Sample {
  readonly route: VehicleRoute
  readonly timeMs: number
  readonly motion: Motion
  /** Time since the engine was started. */
  readonly runningMs: number
  /** Random part of the reading, in [0, 1). */
  readonly noise: number
}

export interface Gauge {
  readonly type: string
  /** Interval between readings, in steps of `stats.ts`. */
  readonly everySteps: number
  /** Whether only vehicles that burn fuel have the gauge. */
  readonly burnsFuel: boolean
  read(sample: Sample): number
}

const noiseDice = dice('noise of a gauge')

export function sampleAt(route: VehicleRoute, timeMs: number, runningMs: number): Sample {
  const noise = noiseDice(route.fleet.seed, route.vehicle, Math.floor(timeMs / 1000))
  return { route, timeMs, motion: motionAt(route, timeMs), runningMs, noise }
}

const odometerOf = ({ route, motion }: Sample) => odometerMilesAt(route, motion)
const isMoving = ({ motion }: Sample) => motion.speedMph > 0

/**
 * Returns the temperature of an engine that warms up from `cold` to `hot`. Every `minutes`, the difference from
 * `hot` shrinks to about a third.
 */
const warmUp = (cold: number, hot: number, minutes: number, runningMs: number) =>
  hot - (hot - cold) * Math.exp(-runningMs / (minutes * MINUTE_MS))

/** Returns the wear since the last service, which is every `serviceMiles`, in [0, 1). */
const wear = (sample: Sample, serviceMiles: number) => (odometerOf(sample) % serviceMiles) / serviceMiles

export const GAUGES: readonly Gauge[] = [
  gauge('odometerMiles', 1, odometerOf),
  gauge('fuelPercent', 1, ({ route, motion, timeMs }) => fuelLevelAt(route, motion, timeMs)),
  gauge('engineSeconds', 1, ({ route, motion, timeMs }) => engineSecondsAt(route, motion, timeMs)),
  gauge('coolantTemperatureF', 1, ({ runningMs, noise }) =>
    rounded(warmUp(64, 193, 9, runningMs) + 4 * noise, 1),
  ),
  gauge('coolantPercent', 6, (sample) => rounded(98 - 7 * wear(sample, 25_000), 1)),
  gauge('batteryVolts', 1, ({ noise }) => rounded(13.7 + 0.5 * noise, 2)),
  gaugeOfFuelBurner('totalFuelGallons', 1, (sample) => {
    const { fleet, vehicle } = sample.route
    return rounded(odometerOf(sample) * (gallonsPerMile(fleet, vehicle) ?? 0), 2)
  }),
  gaugeOfFuelBurner('engineRpm', 1, (sample) =>
    Math.round(
      isMoving(sample) ? 1020 + 6 * sample.motion.speedMph + 90 * sample.noise : 610 + 60 * sample.noise,
    ),
  ),
  gaugeOfFuelBurner('oilPressurePsi', 1, (sample) =>
    rounded((isMoving(sample) ? 44 : 27) + 6 * sample.noise, 1),
  ),
  gaugeOfFuelBurner('oilTemperatureF', 1, ({ runningMs, noise }) =>
    rounded(warmUp(66, 214, 16, runningMs) + 5 * noise, 1),
  ),
  gaugeOfFuelBurner('oilPercent', 6, (sample) => rounded(100 - 24 * wear(sample, 18_000), 1)),
]

function gauge(type: string, everySteps: number, read: Gauge['read']): Gauge {
  return { type, everySteps, read, burnsFuel: false }
}

function gaugeOfFuelBurner(type: string, everySteps: number, read: Gauge['read']): Gauge {
  return { type, everySteps, read, burnsFuel: true }
}
