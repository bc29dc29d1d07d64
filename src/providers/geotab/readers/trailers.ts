import { z } from 'zod'
import { validate } from '../../mapping/validate.ts'
import type { NormalizedTrailer } from '../../normalized-records.ts'
import { toPlate } from '../../mapping/state-codes.ts'
import type { Reader } from '../../provider.ts'
import { isUnknownType } from '../error-mapping.ts'
import { id, optionalReference, references, text } from '../schema-types.ts'
import { listAll } from '../paged-readers.ts'
import { lifecycleFields, lifecycleOf, statusOf } from './lifecycle.ts'

const trailer = z.looseObject({ id, name: text, groups: references })

/** Where trailers are devices too, those say so. */
export const isTrailer = z.looseObject({ tmpTrailerId: optionalReference.refine((to) => to !== null) })

const trailerDevice = isTrailer.extend({
  id,
  name: text,
  groups: references,
  licensePlate: text,
  licenseState: text,
  ...lifecycleFields,
})

/** A trailer, the device that stands for it, or both. */
const joinedTrailer = z
  .object({ trailer: trailer.nullable(), device: trailerDevice.nullable() })
  .refine(({ trailer, device }) => trailer !== null || device !== null, 'is nothing')

export const trailerReader: Reader<NormalizedTrailer> = {
  mode: 'full',
  schema: 'Trailer',
  async read(api) {
    const trailers = await listAll(api, 'Trailer').catch((error: unknown) => {
      // Of some servers it is no type.
      if (isUnknownType(error)) return []
      throw error
    })
    return { records: joined(trailers, await listAll(api, 'Device')), next: null }
  },
  normalize(record, asOf) {
    const { trailer, device } = validate(joinedTrailer, record)
    return {
      sourceId: trailer?.id ?? device?.id ?? '',
      ...lifecycleOf(device ?? {}, asOf),
      status: statusOf(device ?? {}, asOf),
      name: trailer?.name ?? device?.name ?? null,
      vin: null,
      serialNumber: null,
      make: null,
      model: null,
      year: null,
      groupSourceIds: (trailer ?? device)?.groups ?? [],
      licensePlate: device && toPlate(device.licensePlate, device.licenseState),
    }
  },
}

function joined(trailers: readonly unknown[], devices: readonly unknown[]): unknown[] {
  const standing = new Map(
    devices.flatMap((device) => {
      const { data } = trailerDevice.safeParse(device)
      return data ? [[data.tmpTrailerId ?? '', device] as const] : []
    }),
  )
  const told = trailers.map((trailer) => {
    const of = known.safeParse(trailer).data?.id ?? ''
    const device = standing.get(of) ?? null
    standing.delete(of)
    return { trailer, device }
  })
  return [...told, ...[...standing.values()].map((device) => ({ trailer: null, device }))]
}

const known = z.looseObject({ id })
