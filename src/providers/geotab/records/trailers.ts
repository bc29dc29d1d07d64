import { z } from 'zod'
import { checked } from '../../checked.ts'
import type { TrailerDraft } from '../../drafts.ts'
import { plateOf } from '../../states.ts'
import type { Reader } from '../../provider.ts'
import { isUnknownType } from '../dialect.ts'
import { id, maybeReference, references, text } from '../fields.ts'
import { all } from '../readers.ts'
import { life, lifeOf, statusOf } from './members.ts'

const trailer = z.looseObject({ id, name: text, groups: references })

/** Where trailers are devices too, those say so. */
export const isTrailer = z.looseObject({ tmpTrailerId: maybeReference.refine((to) => to !== null) })

const trailerDevice = isTrailer.extend({
  id,
  name: text,
  groups: references,
  licensePlate: text,
  licenseState: text,
  ...life,
})

/** A trailer, the device that stands for it, or both. */
const joinedTrailer = z
  .object({ trailer: trailer.nullable(), device: trailerDevice.nullable() })
  .refine(({ trailer, device }) => trailer !== null || device !== null, 'is nothing')

export const trailerReader: Reader<TrailerDraft> = {
  mode: 'full',
  schema: 'Trailer',
  async read(api) {
    const trailers = await all(api, 'Trailer').catch((error: unknown) => {
      // Of some servers it is no type.
      if (isUnknownType(error)) return []
      throw error
    })
    return { records: joined(trailers, await all(api, 'Device')), next: null }
  },
  toDraft(record, asOf) {
    const { trailer, device } = checked(joinedTrailer, record)
    return {
      sourceId: trailer?.id ?? device?.id ?? '',
      ...lifeOf(device ?? {}, asOf),
      status: statusOf(device ?? {}, asOf),
      name: trailer?.name ?? device?.name ?? null,
      vin: null,
      serialNumber: null,
      make: null,
      model: null,
      year: null,
      groupSourceIds: (trailer ?? device)?.groups ?? [],
      licensePlate: device && plateOf(device.licensePlate, device.licenseState),
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
