import { z } from 'zod'
import { amount, id, instant, point, text } from './schema-types.ts'

// Hours of service.

export const hosLog = z.object({
  id,
  driverId: z.string(),
  vehicleId: text,
  codriverIds: z.array(z.string()),
  status: z.string(),
  startedAt: instant,
  endedAt: instant.nullable(),
  location: point,
  remarks: z.array(z.object({ id: text, text: z.string(), at: instant.nullable() })),
})

export const dailyLog = z.object({
  id,
  driverId: z.string(),
  date: z.iso.date(),
  seconds: z.object({
    onDuty: amount,
    offDuty: amount,
    driving: amount,
    sleeperBerth: amount,
    yardMove: amount,
    personalConveyance: amount,
    wellSiteWaiting: amount,
  }),
  miles: z.object({ total: amount, driving: amount, yardMove: amount, personalConveyance: amount }),
})

export const clocks = z.object({
  driverId: z.string(),
  status: text,
  remainingSeconds: z.object({ cycle: amount, shift: amount, drive: amount, break: amount }),
})
