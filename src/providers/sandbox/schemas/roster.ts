import { z } from 'zod'
import { instant, number, plate, removable, status, text } from './schema-types.ts'

// Account and roster of a fleet.

export const account = z.object({
  id: z.string(),
  name: z.string(),
  usdotNumbers: z.array(z.string()),
  timeZone: text,
  user: z.object({ id: z.string(), firstName: z.string(), lastName: z.string(), email: z.string() }),
})

export const group = z.object({ ...removable, name: text, description: text, parentId: text })

export const driver = z.object({
  ...removable,
  status,
  firstName: text,
  middleName: text,
  lastName: text,
  email: text,
  phone: text,
  username: text,
  license: plate,
  groupIds: z.array(z.string()),
})

const assetFields = {
  status,
  name: text,
  vin: text,
  make: text,
  model: text,
  year: z.number().int().nullable(),
  groupIds: z.array(z.string()),
  licensePlate: plate,
}

export const vehicle = z.object({
  ...removable,
  ...assetFields,
  fuelType: text,
  fuelTankGallons: number,
  fuelEconomyMpg: z.number().positive().nullable(),
})

export const trailer = z.object({ ...removable, ...assetFields, serialNumber: text })

export const device = z.object({
  ...removable,
  type: z.string(),
  vehicleId: text,
  serialNumber: text,
  description: text,
  lastConnectedAt: instant.nullable(),
})
