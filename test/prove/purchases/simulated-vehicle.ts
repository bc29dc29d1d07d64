import type { Point } from '../../../src/domain/models/point.ts'
import type { Instant } from '../../../src/domain/time.ts'
import { milesPerHourToKilometersPerHour, secondsToMilliseconds } from '../../../src/domain/units.ts'
import { Draws } from '../../../src/providers/sandbox/simulator/purchases/draws.ts'
import { FueledVehicle } from '../../../src/providers/sandbox/simulator/purchases/fueled-vehicle.ts'
import { locationAt } from '../../../src/providers/sandbox/simulator/records/locations.ts'
import { MINUTE_MS } from '../../../src/providers/sandbox/simulator/world/durations.ts'
import { IDLE_AFTER_MS, IDLE_BEFORE_MS } from '../../../src/providers/sandbox/simulator/world/engine.ts'
import type { Fleet } from '../../../src/providers/sandbox/simulator/world/fleet.ts'
import { type Motion, motionAt } from '../../../src/providers/sandbox/simulator/world/motion.ts'
import { uploadedMs } from '../../../src/providers/sandbox/simulator/world/upload-delays.ts'
import type { TimedLeg } from '../../../src/providers/sandbox/simulator/world/vehicle-route.ts'

/** What the fuel sensor of a vehicle reports. */
export type Sensor = 'good' | 'stuck' | 'none'

/** Position or fuel level as the tracker reports it. */
export interface Sample {
  readonly at: Instant
  readonly receivedAt: Instant
  readonly position: Point & { readonly speedKmh: number; readonly driverId: string | null }
  readonly engineState: 'on' | 'idle' | 'off'
  /** Null if the tracker did not measure the level then. */
  readonly percent: number | null
  /** For how long the engine has run so far; null if the tracker does not read it. */
  readonly runtimeMs: number | null
}

const SECOND_MS = 1000
const DRIVING_STEP_MS = 10 * MINUTE_MS
const STANDING_STEP_MS = 30 * MINUTE_MS
/** Sensors round to this step. */
const SENSOR_STEP_PERCENT = 0.4
const SLOSHING_LITERS = 15

/** A vehicle of the simulated world, with its fuel sensor and its tracker. */
export class SimulatedVehicle extends FueledVehicle {
  /** Capacity that the provider lists; null if it lists none. */
  readonly listedLiters: number | null
  readonly sensor: Sensor
  /** What the tracker sends while the engine is off. */
  readonly sendsWhileOff: 'levels' | 'positions' | 'nothing'
  private readonly readsRuntime: boolean
  private readonly noise: Draws

  constructor(fleet: Fleet, vehicle: number) {
    super(fleet, vehicle)
    this.noise = new Draws(fleet.seed, -1 - vehicle)
    const draws = new Draws(fleet.seed, vehicle)
    const listed = draws.next()
    this.listedLiters = listed < 0.2 ? null : this.capacityLiters / (listed < 0.22 ? 2 : 1)
    const sensor = draws.next()
    this.sensor = sensor < 0.15 ? 'none' : sensor < 0.18 ? 'stuck' : 'good'
    const sending = draws.next()
    this.sendsWhileOff = sending < 0.4 ? 'levels' : sending < 0.8 ? 'positions' : 'nothing'
    this.readsRuntime = draws.next() < 0.8
  }

  override get hasReliableLevel(): boolean {
    return this.sensor === 'good' && this.listedLiters === this.capacityLiters
  }

  override get sendsLevelWhileOff(): boolean {
    return this.sendsWhileOff === 'levels'
  }

  /** Returns what a live read at a time gives: a new sample, or null if the tracker sends none. */
  liveSampleAt(at: Instant): Sample | null {
    if (!this.isOnlineAt(at)) return null
    const sample = this.sampleAt(at, true)
    return sample.engineState === 'off' && this.sendsWhileOff === 'nothing' ? null : sample
  }

  /** Returns the sample at a time, with a fuel level if `isMeasured`. */
  sampleAt(at: Instant, isMeasured: boolean): Sample {
    const motion = motionAt(this.route, at)
    const { lat, lng, speedMph, driverId, engineState, engineSeconds } = locationAt(this.route, at)
    const uploadedAt = motion.leg ? uploadedMs(this.route, motion.leg) : 0
    return {
      at,
      receivedAt: Math.max(at + Math.floor(this.noise.between(5, 60)) * SECOND_MS, uploadedAt),
      position: {
        latitude: lat,
        longitude: lng,
        speedKmh: milesPerHourToKilometersPerHour(speedMph),
        driverId,
      },
      engineState,
      percent: isMeasured ? this.measuredAt(motion, at) : null,
      runtimeMs: isMeasured && this.readsRuntime ? secondsToMilliseconds(engineSeconds) : null,
    }
  }

  /** Returns what the tracker samples from the start of a leg until the start of the next one, in order. */
  samplesOf(leg: TimedLeg): Sample[] {
    const next = this.nextLeg(leg)
    const [onAt, offAt] = [leg.startMs - IDLE_BEFORE_MS, leg.endMs + IDLE_AFTER_MS]
    const running = [...times(onAt, offAt - SECOND_MS, DRIVING_STEP_MS), offAt - SECOND_MS]
    const standing =
      this.sendsWhileOff === 'nothing'
        ? []
        : times(offAt + MINUTE_MS, next.startMs - IDLE_BEFORE_MS, STANDING_STEP_MS)
    return [
      ...running.map((at) => this.sampleAt(at, true)),
      ...standing.map((at) => this.sampleAt(at, this.sendsWhileOff === 'levels')),
    ]
  }

  private measuredAt({ moving }: Motion, at: Instant): number | null {
    if (this.sensor === 'none') return null
    if (this.sensor === 'stuck') return 62
    const sloshing = Math.min(3, (SLOSHING_LITERS / this.capacityLiters) * 100) * (moving ? 1 : 0.2)
    const level = this.levelAt(at) + this.noise.between(-sloshing, sloshing)
    return Math.min(100, Math.max(0, Math.round(level / SENSOR_STEP_PERCENT) * SENSOR_STEP_PERCENT))
  }
}

const times = (from: Instant, until: Instant, step: number): Instant[] =>
  Array.from({ length: Math.max(0, Math.ceil((until - from) / step)) }, (_, at) => from + at * step)
