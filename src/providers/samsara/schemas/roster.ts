import { z } from 'zod'
import { id, instant, reference, tags, text } from './schema-types.ts'

export const organization = z.looseObject({
  data: z.looseObject({
    id,
    name: text,
    carrierSettings: z
      .looseObject({ carrierName: text, dotNumber: z.union([z.number(), z.string()]).nullish() })
      .nullish(),
  }),
})

export const tag = z.looseObject({ id, name: text, parentTagId: text })

export const driver = z.looseObject({
  id,
  name: text,
  username: text,
  phone: text,
  licenseNumber: text,
  licenseState: text,
  driverActivationStatus: z.string().nullish(),
  tags,
  createdAtTime: instant.nullish(),
  updatedAtTime: instant.nullish(),
})

/** Vehicle with its energy type from the fleet's reports. */
export const vehicle = z.object({
  vehicle: z.looseObject({
    id,
    name: text,
    vin: text,
    make: text,
    model: text,
    year: text,
    licensePlate: text,
    tags,
    createdAtTime: instant.nullish(),
    updatedAtTime: instant.nullish(),
  }),
  energyType: z.string().nullable(),
})

export const trailer = z.looseObject({
  id,
  name: text,
  trailerSerialNumber: text,
  licensePlate: text,
  tags,
})

export const gateway = z.looseObject({
  serial: id,
  model: text,
  asset: reference,
  connectionStatus: z.looseObject({ lastConnected: instant.nullish().catch(null) }).nullish(),
})
