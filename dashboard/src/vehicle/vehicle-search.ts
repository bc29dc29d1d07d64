import { isDay } from './day-bounds.ts'

/** What the address of a vehicle's page holds. */
export interface VehicleSearch {
  /** Day in the time zone of the page, such as 2026-11-30. Absent for the present day. */
  readonly day?: string
  /** Time since the start of the day at which the replay stands, such as 14:05:00. */
  readonly at?: string
}

/** Reads the search parameters of an address. Unknown and invalid ones are left out. */
export const vehicleSearch = ({ day, at }: Readonly<Record<string, unknown>>): VehicleSearch => ({
  ...(isDay(day) && { day }),
  ...(typeof at === 'string' && /^\d{2}:\d{2}:\d{2}$/.test(at) && { at }),
})
