import type { Trailer } from '../../world/truth.ts'
import type { FakeRequest } from '../fake-request.ts'
import { id } from '../ids.ts'
import { pageOf } from '../pages.ts'
import { toTime } from '../formats.ts'

/** `/v1/assets`: the trailers. */
export const listAssets = (request: FakeRequest): object =>
  pageOf(request, { list: 'assets', item: 'asset' }, request.company.trailers(), toAsset)

export const toAsset = (trailer: Trailer) => ({
  id: id('asset', trailer.number),
  name: trailer.name,
  status: 'active',
  type: 'dry_van',
  vin: trailer.vin,
  license_plate_state: trailer.plateState,
  license_plate_number: trailer.plate,
  make: trailer.make,
  model: trailer.model,
  year: String(trailer.year),
  created_at: toTime(trailer.createdAt),
  updated_at: toTime(trailer.updatedAt),
})
