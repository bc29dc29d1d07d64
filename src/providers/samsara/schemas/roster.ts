import { z } from 'zod'
import { optionalMember } from '../../mapping/optional-member.ts'
import { optionalYear } from '../../mapping/numbers.ts'
import { id, instant, reference, tags, text } from './schema-types.ts'

export const organization = z.looseObject({
  data: z.looseObject({
    id,
    name: text,
    carrierSettings: z.looseObject({ carrierName: text, dotNumber: text }).nullish(),
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
  driverActivationStatus: text,
  tags,
  createdAtTime: optionalMember(instant),
  updatedAtTime: optionalMember(instant),
})

/** Vehicle with its energy type from the fleet's reports. */
export const vehicle = z.object({
  vehicle: z.looseObject({
    id,
    name: text,
    vin: text,
    make: text,
    model: text,
    year: optionalYear,
    licensePlate: text,
    tags,
    createdAtTime: optionalMember(instant),
    updatedAtTime: optionalMember(instant),
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
  connectionStatus: z.looseObject({ lastConnected: optionalMember(instant) }).nullish(),
})
