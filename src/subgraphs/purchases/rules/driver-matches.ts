import { positionAgeSeconds } from './purchase-facts.ts'
import { type Rule, unknown, passIf } from './rule.ts'

export interface DriverMatchesLimits {
  /** An older position does not show who drives. */
  readonly maxAgeSeconds: number
}

/** The driver of the purchase drives the vehicle. It applies if the caller names a driver. */
export const driverMatches: Rule<DriverMatchesLimits> = {
  unit: null,
  evaluate(facts, { maxAgeSeconds }) {
    const { purchase, position } = facts
    const age = positionAgeSeconds(facts)
    if (purchase.driverId === null) return null
    if (!position?.driverId || age === null) return unknown('The driver of the vehicle is unknown.')
    if (position.driverId === purchase.driverId)
      return passIf(true, 'The driver of the purchase drives the vehicle.')
    return age > maxAgeSeconds
      ? unknown(`Another driver drove the vehicle ${Math.round(age)} s from the time of the purchase.`)
      : passIf(false, 'Another driver drives the vehicle.')
  },
}
