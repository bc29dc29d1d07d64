import { DAY } from '../../world/calendar.ts'
import type { Fix, Trailer } from '../../world/truth.ts'
import type { FakeRequest } from '../fake-request.ts'
import { locationId } from '../ids.ts'
import { pageOf } from '../pages.ts'
import { toAsset } from '../roster/assets.ts'
import { toDegrees, toTime } from '../formats.ts'
import { describe } from './fixes.ts'

const RECENTLY = 3 * DAY

/** Returns the last fix of a trailer. */
export const lastFixOf = ({ company }: FakeRequest, { number }: Trailer): Fix | null =>
  company.cached(`trailer ${number}`, () => {
    const { world, now } = company
    const recent = world.trailerFixes(number, now - RECENTLY, now + 1)
    const fixes = recent.length > 0 ? recent : world.trailerFixes(number, world.startsAt, now + 1)
    return fixes.toSorted((one, other) => one.at - other.at).at(-1) ?? null
  })

/** `/v1/asset_locations`: last position of each trailer, or null. */
export const assetLocations = (request: FakeRequest): object =>
  pageOf(request, { list: 'assets', item: 'asset' }, request.company.trailers(), (trailer) => {
    const fix = lastFixOf(request, trailer)
    const name = request.is('assetPlace', 'last_location') ? 'last_location' : 'current_location'
    return { ...toAsset(trailer), [name]: fix && toPlace(trailer, fix) }
  })

const toPlace = ({ number }: Trailer, fix: Fix) => ({
  id: locationId(number, fix.at),
  located_at: toTime(fix.at),
  lat: toDegrees(fix.latitude),
  lon: toDegrees(fix.longitude),
  description: describe(fix),
})
