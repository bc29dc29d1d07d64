import { type Rule, unknown, passIf } from './rule.ts'

/** The fleet uses the vehicle, and its data arrives. */
export const connected: Rule<object> = {
  unit: null,
  evaluate({ vehicle }) {
    if (!vehicle) return unknown('The vehicle was not read in time.')
    if (vehicle.isHidden) return unknown('The filters of the connection hide the vehicle.')
    if (!vehicle.isConnected) return unknown('The connection of the fleet is not connected.')
    if (!vehicle.isActive)
      return passIf(false, 'The vehicle is inactive, or its provider no longer lists it.')
    return passIf(true, 'The vehicle is active and its connection is connected.')
  },
}
