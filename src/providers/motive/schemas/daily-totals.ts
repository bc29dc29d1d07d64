import { z } from 'zod'
import { decimalOrNull } from '../../mapping/numbers.ts'
import { distance, measuredVehicle, number, text } from './schema-types.ts'

/** Utilization of a vehicle on a day in the company's time zone, in the units of the vehicle. */
export const utilization = z.object({
  date: z.string(),
  row: z.looseObject({
    vehicle: measuredVehicle,
    total_distance: decimalOrNull,
    total_fuel: number,
    driving_time: number,
    idle_time: number,
    message: text,
  }),
})

/** Distance of a vehicle in a jurisdiction and a month of the company's time zone. */
export const ifta = z.object({
  month: z.string(),
  row: z.looseObject({
    vehicle: measuredVehicle,
    jurisdiction: text,
    distance,
  }),
})
