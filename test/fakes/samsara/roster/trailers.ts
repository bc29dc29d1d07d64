import type { Trailer } from '../../world/truth.ts'
import { listed, notFound, type Asked } from '../call.ts'
import { id, numberOf } from '../ids.ts'
import { pageOf } from '../pages.ts'
import { tagsOf } from './tags.ts'

/** No times, no make, no year: only what is here. */
export function listTrailers(asked: Asked): object {
  const tags = listed(asked.query, 'tagIds')
  const trailers = asked.organization
    .trailers()
    .filter(({ groups }) => tags.length === 0 || groups.some((group) => tags.includes(id('tag', group))))
  const { items, pagination } = pageOf(asked, trailers, ({ number }) => [number])
  return { data: items.map((trailer) => toTrailer(asked, trailer)), pagination }
}

export function getTrailer(asked: Asked): object {
  const number = numberOf('trailer', asked.id)
  const trailer = asked.organization.trailers().find((trailer) => trailer.number === number)
  if (!trailer) throw notFound()
  return { data: toTrailer(asked, trailer) }
}

const toTrailer = ({ organization }: Asked, trailer: Trailer) => ({
  id: id('trailer', trailer.number),
  name: trailer.name,
  trailerSerialNumber: trailer.vin,
  licensePlate: trailer.plate,
  enabledForMobile: true,
  tags: tagsOf(organization, trailer.groups),
})
