import { z } from 'zod'
import { id, instant, ref, text } from './schema-types.ts'

const dates = { created_at: instant.nullish().catch(null), updated_at: instant.nullish().catch(null) }
const plate = { license_plate_state: text, license_plate_number: text }

export const group = z.looseObject({ id, name: text, parent_id: id.nullish() })

const ids = z.array(id)

/** Driver with the groups that list it. */
export const driver = z.object({
  user: z.looseObject({
    id,
    first_name: text,
    last_name: text,
    email: text,
    phone: text,
    username: text,
    drivers_license_number: text,
    drivers_license_state: text,
    status: z.string().nullish(),
    ...dates,
  }),
  groupIds: ids,
})

/** Vehicle with the groups that list it. */
export const vehicle = z.object({
  vehicle: z.looseObject({
    id,
    number: text,
    status: z.string().nullish(),
    vin: text,
    make: text,
    model: text,
    year: text,
    fuel_type: text,
    ...plate,
    ...dates,
  }),
  groupIds: ids,
})

export const asset = z.looseObject({
  id,
  name: text,
  status: z.string().nullish(),
  vin: text,
  make: text,
  model: text,
  year: text,
  ...plate,
  ...dates,
})

export const gateway = z.looseObject({ id, identifier: text, model: text, vehicle: ref })
