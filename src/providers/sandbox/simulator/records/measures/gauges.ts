import { MINUTE_MS } from '../../world/durations.ts'
import { rounded } from '../../world/road-network/geometry.ts'
import { type Motion, motionAt } from '../../world/motion.ts'
import { dice } from '../../world/random.ts'
import type { VehicleRoute } from '../../world/vehicle-route.ts'
import { engineSecondsAt, fuelLevelAt, odometerMilesAt } from '../locations.ts'
import { gallonsPerMile } from '../vehicles.ts'

export const ENGINE_STATE = 'engineState'

/** A vehicle at a moment at which its engine runs. */
interface Sample {
  readonly track: VehicleRoute
  readonly timeMs: number
  readonly motion: Motion
  readonly runningMs: number
  /** In [0, 1): what makes two readings of one gauge differ. */
  readonly noise: number
}

export interface Gauge {
  readonly type: string
  /** Of so many steps it is read at the first. */
  readonly everySteps: number
  /** An electric vehicle has none. */
  readonly burnsFuel: boolean
  read(sample: Sample): number
}

const noiseDice = dice('noise of a gauge')

export function sampleAt(track: VehicleRoute, timeMs: number, runningMs: number): Sample {
  const noise = noiseDice(track.fleet.seed, track.vehicle, Math.floor(timeMs / 1000))
  return { track, timeMs, motion: motionAt(track, timeMs), runningMs, noise }
}

const odometerOf = ({ track, motion }: Sample) => odometerMilesAt(track, motion)
const moves = ({ motion }: Sample) => motion.speedMph > 0

/** From cold to hot, nearing it by two thirds in so many minutes. */
const warmed = (cold: number, hot: number, minutes: number, runningMs: number) =>
  hot - (hot - cold) * Math.exp(-runningMs / (minutes * MINUTE_MS))

/** What is lost between two services, as a part of it. */
const wear = (sample: Sample, serviceMiles: number) => (odometerOf(sample) % serviceMiles) / serviceMiles

export const GAUGES: readonly Gauge[] = [
  gauge('odometerMiles', 1, odometerOf),
  gauge('fuelPercent', 1, ({ track, motion, timeMs }) => fuelLevelAt(track, motion, timeMs)),
  gauge('engineSeconds', 1, ({ track, motion, timeMs }) => engineSecondsAt(track, motion, timeMs)),
  gauge('coolantTemperatureF', 1, ({ runningMs, noise }) =>
    rounded(warmed(64, 193, 9, runningMs) + 4 * noise, 1),
  ),
  gauge('coolantPercent', 6, (sample) => rounded(98 - 7 * wear(sample, 25_000), 1)),
  gauge('batteryVolts', 1, ({ noise }) => rounded(13.7 + 0.5 * noise, 2)),
  fuelled('totalFuelGallons', 1, (sample) => {
    const { fleet, vehicle } = sample.track
    return rounded(odometerOf(sample) * (gallonsPerMile(fleet, vehicle) ?? 0), 2)
  }),
  fuelled('engineRpm', 1, (sample) =>
    Math.round(
      moves(sample) ? 1020 + 6 * sample.motion.speedMph + 90 * sample.noise : 610 + 60 * sample.noise,
    ),
  ),
  fuelled('oilPressurePsi', 1, (sample) => rounded((moves(sample) ? 44 : 27) + 6 * sample.noise, 1)),
  fuelled('oilTemperatureF', 1, ({ runningMs, noise }) =>
    rounded(warmed(66, 214, 16, runningMs) + 5 * noise, 1),
  ),
  fuelled('oilPercent', 6, (sample) => rounded(100 - 24 * wear(sample, 18_000), 1)),
]

function gauge(type: string, everySteps: number, read: Gauge['read']): Gauge {
  return { type, everySteps, read, burnsFuel: false }
}

function fuelled(type: string, everySteps: number, read: Gauge['read']): Gauge {
  return { type, everySteps, read, burnsFuel: true }
}
