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

/** When a fault was seen first, for certain, and no more. */
interface Life {
  readonly observedMs: number
  readonly confirmedMs: number
  readonly clearedMs: number
}

const MAX_MS = 6 * DAY_MS
/** A fault that goes on is counted again so often. */
const RECURS_MS = 5 * HOUR_MS

const countDice = dice('faults of a leg')
const timeDice = dice('time of a fault')
const pendingDice = dice('confirmation of a fault')
const lifeDice = dice('life of a fault')
const codeDice = dice('code of a fault')
const lampDice = dice('lamp of a fault')

/** The faults of a vehicle that were there at some time of a period, in the order in which they began. */
export function* faultCodes(
  track: VehicleRoute,
  period: Period,
  nowMs: number,
): Generator<TimeOrdered<FaultCodeRecord>> {
  for (let number = Math.max(0, legNumberAt(track, period.sinceMs - MAX_MS)); ; number++) {
    const leg = legAt(track, number)
    if (leg.startMs >= period.untilMs) return
    const life = lifeOf(track, leg)
    if (life && life.observedMs < period.untilMs && life.clearedMs >= period.sinceMs)
      yield { timeMs: life.observedMs, record: faultRecord(track, leg, life, nowMs) }
  }
}

/** Of twenty legs one has a fault; it lasts from an hour to six days. */
function lifeOf(
  { fleet: { seed }, vehicle }: VehicleRoute,
  { number, startMs, endMs }: TimedLeg,
): Life | undefined {
  if (countDice(seed, vehicle, number) >= 1 / 20) return undefined
  const observedMs = Math.floor(between(startMs, endMs, timeDice(seed, vehicle, number)))
  const pending = pendingDice(seed, vehicle, number)
  const pendingMs = pending < 0.4 ? 0 : between(20, 600, pending) * MINUTE_MS
  const lifeMs = between(HOUR_MS, MAX_MS, lifeDice(seed, vehicle, number) ** 2)
  return {
    observedMs,
    confirmedMs: observedMs + Math.floor(pendingMs),
    clearedMs: observedMs + Math.floor(lifeMs),
  }
}

function faultRecord(track: VehicleRoute, { number }: TimedLeg, life: Life, nowMs: number): FaultCodeRecord {
  const { fleet, vehicle } = track
  const chance = codeDice(fleet.seed, vehicle, number)
  const told = { id: idOf('flt', fleet, vehicle, number), vehicleId: idOf('veh', fleet, vehicle) }
  const blind = lampDice(fleet.seed, vehicle, number) < 0.1
  if (vehicleModelOf(fleet, vehicle).kind === 'Van') {
    const { code, text, lamp } = pick(LIGHT_FAULTS, chance)
    return { ...told, protocol: 'OBD-II', ...stateOf(life, lamp, blind, nowMs), code, text }
  }
  const { lamp, ...words } = pick(HEAVY_FAULTS, chance)
  const occurrences = 1 + recurrences(life, nowMs)
  return { ...told, protocol: 'J1939', ...stateOf(life, lamp, blind, nowMs), ...words, occurrences }
}

/** Pending, then active, then cleared; a computer that is `blind` to its lamp does not tell of it. */
function stateOf(life: Life, lamp: boolean, blind: boolean, nowMs: number) {
  const { observedMs, confirmedMs, clearedMs } = life
  const cleared = nowMs >= clearedMs
  const active = !cleared && nowMs >= confirmedMs
  const recurredMs = observedMs + recurrences(life, nowMs) * RECURS_MS
  return {
    status: cleared ? ('cleared' as const) : active ? ('active' as const) : ('pending' as const),
    lamp: blind ? null : lamp && active ? ('on' as const) : ('off' as const),
    observedAt: timestamp(observedMs),
    clearedAt: cleared ? timestamp(clearedMs) : null,
    updatedAt: timestamp(cleared ? clearedMs : Math.max(recurredMs, active ? confirmedMs : observedMs)),
  }
}

function recurrences({ observedMs, clearedMs }: Life, nowMs: number): number {
  return Math.floor((Math.min(nowMs, clearedMs) - observedMs) / RECURS_MS)
}
