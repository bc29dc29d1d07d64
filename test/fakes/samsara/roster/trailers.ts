import type { Trailer } from '../../world/truth.ts'
import { listed, notFound, type FakeRequest } from '../http/call.ts'
import { id, numberOf } from '../ids.ts'
import { pageOf } from '../http/pages.ts'
import { tagsOf } from './tags.ts'

/** Trailers have no times, no make and no year. */
export function listTrailers(request: FakeRequest): object {
  const tags = listed(request.query, 'tagIds')
  const trailers = request.organization
    .trailers()
    .filter(({ groups }) => tags.length === 0 || groups.some((group) => tags.includes(id('tag', group))))
  const { items, pagination } = pageOf(request, trailers, ({ number }) => [number])
  return { data: items.map((trailer) => toTrailer(request, trailer)), pagination }
}

export function getTrailer(request: FakeRequest): object {
  const number = numberOf('trailer', request.id)
  const trailer = request.organization.trailers().find((trailer) => trailer.number === number)
  if (!trailer) throw notFound()
  return { data: toTrailer(request, trailer) }
}

const toTrailer = ({ organization }: FakeRequest, trailer: Trailer) => ({
  id: id('trailer', trailer.number),
  name: trailer.name,
  trailerSerialNumber: trailer.vin,
  licensePlate: trailer.plate,
  enabledForMobile: true,
  tags: tagsOf(organization, trailer.groups),
})
