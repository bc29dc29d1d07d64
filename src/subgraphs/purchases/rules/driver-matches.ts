import { type Rule, unknown, verdict } from './rule.ts'

/** The driver of the purchase drives the vehicle. It applies if the caller names a driver. */
export const driverMatches: Rule<object> = {
  unit: null,
  evaluate({ purchase, position }) {
    if (purchase.driverId === null) return null
    if (!position?.driverId) return unknown('The driver of the vehicle is unknown.')
    return position.driverId === purchase.driverId
      ? verdict(true, 'The driver of the purchase drives the vehicle.')
      : verdict(false, 'Another driver drives the vehicle.')
  },
}
