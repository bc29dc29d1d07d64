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

/** A vehicle, and the kind of energy that the reports of the fleet give it. */
export const vehicle = z.object({
  vehicle: z.looseObject({
    id,
    name: text,
    vin: text,
    make: text,
    model: text,
    /** A text. */
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
