import { z } from 'zod'
import { validate } from '../../mapping/validate.ts'
import type { NormalizedTrailer } from '../../../domain/models/trailer.ts'
import { toLicense } from '../../mapping/license.ts'
import type { Reader } from '../../provider.ts'
import { isUnknownType } from '../error-mapping.ts'
import { id, optionalReference, references, text } from '../schema-types.ts'
import { listAll } from '../paged-readers.ts'
import { lifecycleFields, lifecycleOf, lifecycleStatusOf } from './lifecycle.ts'

const trailerSchema = z.looseObject({ id, name: text, groups: references })

/** Device that represents a trailer: only such a device has a `tmpTrailerId`. */
export const deviceWithTrailerId = z.looseObject({
  tmpTrailerId: optionalReference.refine((to) => to !== null),
})

const trailerDevice = deviceWithTrailerId.extend({
  id,
  name: text,
  groups: references,
  licensePlate: text,
  licenseState: text,
  ...lifecycleFields,
})

/** Trailer, the device that represents a trailer, or both. */
const joinedTrailer = z
  .object({ trailer: trailerSchema.nullable(), device: trailerDevice.nullable() })
  .refine(({ trailer, device }) => trailer !== null || device !== null, 'has neither trailer nor device')

export const trailerReader: Reader<NormalizedTrailer> = {
  mode: 'full',
  schema: 'Trailer',
  async read(api) {
    const trailers = await listAll(api, 'Trailer').catch((error: unknown) => {
      // Some servers do not have the type Trailer. There, only devices represent trailers.
      if (isUnknownType(error)) return []
      throw error
    })
    return { records: join(trailers, await listAll(api, 'Device')), next: null }
  },
  normalize(record, asOf) {
    const { trailer, device } = validate(joinedTrailer, record)
    return {
      sourceId: trailer?.id ?? device?.id ?? '',
      ...lifecycleOf(device ?? {}, asOf),
      status: lifecycleStatusOf(device ?? {}, asOf),
      name: trailer?.name ?? device?.name ?? null,
      vin: null,
      serialNumber: null,
      make: null,
      model: null,
      year: null,
      groupSourceIds: (trailer ?? device)?.groups ?? [],
      licensePlate: device && toLicense(device.licensePlate, device.licenseState),
    }
  },
}

function join(trailers: readonly unknown[], devices: readonly unknown[]): unknown[] {
  const deviceByTrailer = new Map(
    devices.flatMap((device) => {
      const { data } = deviceWithTrailerId.safeParse(device)
      return data ? [[data.tmpTrailerId ?? '', device] as const] : []
    }),
  )
  const withDevices = trailers.map((trailer) => {
    const trailerId = recordWithId.safeParse(trailer).data?.id ?? ''
    const device = deviceByTrailer.get(trailerId) ?? null
    deviceByTrailer.delete(trailerId)
    return { trailer, device }
  })
  return [...withDevices, ...[...deviceByTrailer.values()].map((device) => ({ trailer: null, device }))]
}

const recordWithId = z.looseObject({ id })
