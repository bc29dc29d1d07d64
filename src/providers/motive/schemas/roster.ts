import { z } from 'zod'
import { optionalMember } from '../../mapping/optional-member.ts'
import { optionalBoolean } from '../../mapping/boolean.ts'
import { optionalYear } from '../../mapping/numbers.ts'
import { id, instant, ref, text } from './schema-types.ts'

const dates = { created_at: optionalMember(instant), updated_at: optionalMember(instant) }
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
    status: text,
    ...dates,
  }),
  groupIds: ids,
})

/** Vehicle with the groups that list it. */
export const vehicle = z.object({
  vehicle: z.looseObject({
    id,
    number: text,
    status: text,
    vin: text,
    make: text,
    model: text,
    year: optionalYear,
    fuel_type: text,
    /** Units of the measurements of the vehicle, which other records do not state. */
    metric_units: optionalBoolean,
    ...plate,
    ...dates,
  }),
  groupIds: ids,
})

export const asset = z.looseObject({
  id,
  name: text,
  status: text,
  vin: text,
  make: text,
  model: text,
  year: optionalYear,
  ...plate,
  ...dates,
})

export const gateway = z.looseObject({ id, identifier: text, model: text, vehicle: ref })
