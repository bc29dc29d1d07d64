import { positionAgeSeconds } from './purchase-facts.ts'
import { type Rule, unknown, upTo } from './rule.ts'

export interface StandingLimits {
  readonly maxSpeedKmh: number
  /** Positions measured further from the time of the purchase do not show whether the vehicle stood. */
  readonly withinSeconds: number
}

/** The vehicle did not drive at the time of the purchase. */
export const standing: Rule<StandingLimits> = {
  unit: 'km/h',
  evaluate(facts, { maxSpeedKmh, withinSeconds }) {
    const { position } = facts
    const age = positionAgeSeconds(facts)
    if (!position || age === null) return unknown('The position of the vehicle is unknown.', maxSpeedKmh)
    if (age > withinSeconds)
      return unknown(
        `The speed was measured ${Math.round(age)} s from the time of the purchase.`,
        maxSpeedKmh,
      )
    const speed = position.speedKmh ?? (isStanding(position.engineState) ? 0 : null)
    if (speed === null) return unknown('The speed of the vehicle is unknown.', maxSpeedKmh)
    return upTo(speed, maxSpeedKmh, `The vehicle drove at ${Math.round(speed)} km/h.`)
  },
}

const isStanding = (engineState: string | null): boolean => engineState === 'off' || engineState === 'idle'
