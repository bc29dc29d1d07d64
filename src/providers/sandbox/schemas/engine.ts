import { z } from 'zod'
import { id, instant, text } from './schema-types.ts'

// Measurements and fault codes of a vehicle's computer.

export const stat = z.object({
  vehicleId: z.string(),
  time: instant,
  type: z.string(),
  value: z.number().nullable(),
  state: text,
})

const fault = {
  id,
  vehicleId: z.string(),
  status: z.string(),
  lamp: text,
  observedAt: instant,
}

export const faultCode = z.discriminatedUnion('protocol', [
  z.object({
    ...fault,
    protocol: z.literal('J1939'),
    spn: z.number().int().min(0).max(524_287),
    spnName: text,
    fmi: z.number().int().min(0).max(31).nullable(),
    fmiName: text,
    occurrences: z.number().int().min(0).nullable(),
    sourceAddress: z.number().int().min(0).max(255).nullable(),
  }),
  z.object({ ...fault, protocol: z.literal('OBD-II'), code: id, text }),
])
