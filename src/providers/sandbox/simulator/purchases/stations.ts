import { hashText } from '../world/random.ts'
import { kilometersBetween, type Point } from '../world/road-network/geometry.ts'
import { Draws } from './draws.ts'
import table from './postal-codes.json' with { type: 'json' }

interface PostalCode extends Point {
  readonly code: string
  readonly city: string
  readonly state: string
  readonly country: 'US' | 'CA'
}

/** What the card network reports of the place of a merchant. */
export type Reported = 'coordinates' | 'postal code' | 'city' | 'state' | 'head office'

export interface Station {
  readonly merchant: {
    readonly name: string
    readonly categoryCode: string
    readonly coordinates?: Point
    readonly address?: StationAddress
  }
  readonly reported: Reported
  /** Where the pumps are. */
  readonly point: Point
}

interface StationAddress {
  readonly line1?: string
  readonly city?: string
  readonly state: string
  readonly postalCode?: string
  readonly country: string
}

const HEAD_OFFICE = {
  line1: '5508 Lonas Dr',
  city: 'Knoxville',
  state: 'TN',
  postalCode: '37909',
  country: 'US',
}
const BRANDS = ['Lone Star Fuel', 'Blue Route Travel Plaza', 'Milepost', 'Prairie Gas & Go', 'Harbor Fuels']
/** A pump has the category code 5542, a cashier 5541. */
const CATEGORY_CODES = ['5542', '5542', '5541']
/** Share of the stations whose names have a store number. */
const NUMBERED_SHARE = 0.6
/** Stations stand on a grid of about 110 m. */
const STEPS_PER_DEGREE = 1000
const CELLS_PER_DEGREE = 2
/** A postal code reaches about so far, as a part of the distance to the nearest other one. */
const REACH = 1.5

/** Postal codes by the half degree that they are in. */
const cells = new Map<string, PostalCode[]>()
for (const postalCode of Object.entries(table.states).flatMap(postalCodesOf)) {
  const key = cellOf(postalCode)
  const cell = cells.get(key)
  if (cell) cell.push(postalCode)
  else cells.set(key, [postalCode])
}

/** Parses the postal codes of a state, such as `79101 35.2035 -101.8421 Amarillo;`. */
function postalCodesOf([state, codes]: [string, string]): PostalCode[] {
  return [...codes.matchAll(/(\S+) (\S+) (\S+) ([^;]+);/g)].map(([, code = '', lat, lng, city = '']) => ({
    code,
    lat: Number(lat),
    lng: Number(lng),
    city,
    state,
    country: /^\d/.test(code) ? 'US' : 'CA',
  }))
}

/** Returns the station at a point. The same place always has the same merchant. */
export function stationAt({ lat, lng }: Point): Station {
  const onGrid = (degrees: number) => Math.round(degrees * STEPS_PER_DEGREE) / STEPS_PER_DEGREE
  const point = { lat: onGrid(lat), lng: onGrid(lng) }
  const draws = new Draws(0, hashText(0, `${point.lat} ${point.lng}`))
  const code = nearestPostalCode(point)
  // The simulated roads are straight: they cross lakes and deserts, where no town is.
  const reported = isWithin(point, code) ? reportedOf(draws) : 'coordinates'
  const [brand, categoryCode] = [draws.pick(BRANDS), draws.pick(CATEGORY_CODES)]
  const name = draws.chance(NUMBERED_SHARE) ? `${brand} #${Math.floor(draws.between(100, 10_000))}` : brand
  const merchant = { name, categoryCode }
  if (reported === 'coordinates') return { merchant: { ...merchant, coordinates: point }, reported, point }
  if (reported === 'head office') return { merchant: { ...merchant, address: HEAD_OFFICE }, reported, point }
  const { city, state, country } = code
  const postalCode = country === 'US' ? code.code : `${code.code} 1A1`
  const address = {
    country,
    state,
    ...(reported === 'state' ? {} : { city }),
    ...(reported === 'postal code' ? { postalCode } : {}),
  }
  return { merchant: { ...merchant, address }, reported, point }
}

function reportedOf(draws: Draws): Reported {
  const share = draws.next()
  if (share < 0.005) return 'head office'
  if (share < 0.1) return 'coordinates'
  if (share < 0.8) return 'postal code'
  return share < 0.93 ? 'city' : 'state'
}

/** Whether a point may be in the area of its nearest postal code. */
function isWithin(point: Point, code: PostalCode): boolean {
  const others = codesAround(code).filter((other) => other !== code)
  const toNext = Math.min(...others.map((other) => kilometersBetween(code, other)))
  return kilometersBetween(point, code) <= REACH * toNext
}

function nearestPostalCode(point: Point): PostalCode {
  return codesAround(point).reduce((one, other) => (isCloser(point, other, one) ? other : one))
}

/** Returns the postal codes near a point, at least two. */
function codesAround(point: Point): PostalCode[] {
  for (let reach = 1; reach < 20; reach++) {
    const near = codesWithin(point, reach)
    if (near.length > 1) return near
  }
  throw new Error(`There is no postal code near ${point.lat}, ${point.lng}.`)
}

const isCloser = (point: Point, one: Point, other: Point): boolean =>
  kilometersBetween(point, one) < kilometersBetween(point, other)

/** Returns the postal codes of the cells around a point. */
function codesWithin({ lat, lng }: Point, reach: number): PostalCode[] {
  const steps = Array.from({ length: 2 * reach + 1 }, (_, at) => (at - reach) / CELLS_PER_DEGREE)
  return steps.flatMap((north) =>
    steps.flatMap((east) => cells.get(cellOf({ lat: lat + north, lng: lng + east })) ?? []),
  )
}

function cellOf({ lat, lng }: Point): string {
  return `${Math.floor(lat * CELLS_PER_DEGREE)} ${Math.floor(lng * CELLS_PER_DEGREE)}`
}
