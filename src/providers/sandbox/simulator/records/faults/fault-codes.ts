import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../world/durations.ts'
import { between, dice, pick } from '../../world/random.ts'
import { legAt, legNumberAt, type TimedLeg, type VehicleRoute } from '../../world/vehicle-route.ts'
import { idOf, timestamp } from '../ids.ts'
import type { Period, TimeOrdered } from '../time-ordered.ts'
import { vehicleModelOf } from '../vehicles.ts'
import { HEAVY_FAULTS, LIGHT_FAULTS } from './catalogue.ts'

interface FaultRecord {
  id: string
  vehicleId: string
  status: 'pending' | 'active' | 'cleared'
  lamp: 'on' | 'off' | null
  observedAt: string
  clearedAt: string | null
  updatedAt: string
}

export type FaultCodeRecord = FaultRecord &
  (
    | {
        protocol: 'J1939'
        spn: number
        spnName: string
        fmi: number
        fmiName: string
        occurrences: number
        sourceAddress: number
      }
    | { protocol: 'OBD-II'; code: string; text: string }
  )

/**
 * Times of a fault: it is pending when it is observed, active when it is confirmed, and cleared at the end. A fault that
 * is cleared before its confirmation never becomes active.
 */
interface FaultTimes {
  readonly observedMs: number
  readonly confirmedMs: number
  readonly clearedMs: number
}

/** Longest time between the observation of a fault and its clearing. The shortest one is an hour. */
const MAX_DURATION_MS = 6 * DAY_MS
/** Interval between two occurrences of an open fault. */
const RECURRENCE_MS = 5 * HOUR_MS

const countDice = dice('faults of a leg')
const timeDice = dice('time of a fault')
const pendingDice = dice('confirmation of a fault')
const durationDice = dice('life of a fault')
const codeDice = dice('code of a fault')
const lampDice = dice('lamp of a fault')

/** Returns the faults of a vehicle that were open at some time in a period, in order of their observation. */
export function* faultCodes(
  route: VehicleRoute,
  period: Period,
  nowMs: number,
): Generator<TimeOrdered<FaultCodeRecord>> {
  for (let number = Math.max(0, legNumberAt(route, period.sinceMs - MAX_DURATION_MS)); ; number++) {
    const leg = legAt(route, number)
    if (leg.startMs >= period.untilMs) return
    const times = faultTimesOf(route, leg)
    if (times && times.observedMs < period.untilMs && times.clearedMs >= period.sinceMs)
      yield { timeMs: times.observedMs, record: faultRecord(route, leg, times, nowMs) }
  }
}

/** Returns the times of a leg's fault; undefined for most legs. One leg in twenty has a fault. */
function faultTimesOf(
  { fleet: { seed }, vehicle }: VehicleRoute,
  { number, startMs, endMs }: TimedLeg,
): FaultTimes | undefined {
  if (countDice(seed, vehicle, number) >= 1 / 20) return undefined
  const observedMs = Math.floor(between(startMs, endMs, timeDice(seed, vehicle, number)))
  const confirmation = pendingDice(seed, vehicle, number)
  const confirmationMs = confirmation < 0.4 ? 0 : between(20, 600, confirmation) * MINUTE_MS
  const durationMs = between(HOUR_MS, MAX_DURATION_MS, durationDice(seed, vehicle, number) ** 2)
  return {
    observedMs,
    confirmedMs: observedMs + Math.floor(confirmationMs),
    clearedMs: observedMs + Math.floor(durationMs),
  }
}

function faultRecord(
  route: VehicleRoute,
  { number }: TimedLeg,
  times: FaultTimes,
  nowMs: number,
): FaultCodeRecord {
  const { fleet, vehicle } = route
  const codeDraw = codeDice(fleet.seed, vehicle, number)
  const common = { id: idOf('flt', fleet, vehicle, number), vehicleId: idOf('veh', fleet, vehicle) }
  const isLampUnknown = lampDice(fleet.seed, vehicle, number) < 0.1
  if (vehicleModelOf(fleet, vehicle).kind === 'Van') {
    const { code, text, lamp } = pick(LIGHT_FAULTS, codeDraw)
    return { ...common, protocol: 'OBD-II', ...stateOf(times, { lamp, isLampUnknown }, nowMs), code, text }
  }
  const { lamp, ...fields } = pick(HEAVY_FAULTS, codeDraw)
  const occurrences = 1 + recurrences(times, nowMs)
  return {
    ...common,
    protocol: 'J1939',
    ...stateOf(times, { lamp, isLampUnknown }, nowMs),
    ...fields,
    occurrences,
  }
}

/**
 * Returns the state of a fault at `nowMs`. The lamp is null if the vehicle's computer does not report it.
 */
function stateOf(
  times: FaultTimes,
  { lamp, isLampUnknown }: { readonly lamp: boolean; readonly isLampUnknown: boolean },
  nowMs: number,
) {
  const { observedMs, confirmedMs, clearedMs } = times
  const isCleared = nowMs >= clearedMs
  const isActive = !isCleared && nowMs >= confirmedMs
  const recurredMs = observedMs + recurrences(times, nowMs) * RECURRENCE_MS
  return {
    status: isCleared ? ('cleared' as const) : isActive ? ('active' as const) : ('pending' as const),
    lamp: isLampUnknown ? null : lamp && isActive ? ('on' as const) : ('off' as const),
    observedAt: timestamp(observedMs),
    clearedAt: isCleared ? timestamp(clearedMs) : null,
    updatedAt: timestamp(isCleared ? clearedMs : Math.max(recurredMs, isActive ? confirmedMs : observedMs)),
  }
}

/** Returns how often a fault occurred again after its observation. */
function recurrences({ observedMs, clearedMs }: FaultTimes, nowMs: number): number {
  return Math.floor((Math.min(nowMs, clearedMs) - observedMs) / RECURRENCE_MS)
}
