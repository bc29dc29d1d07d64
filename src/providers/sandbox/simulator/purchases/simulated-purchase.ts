import { HOUR_MS } from '../world/durations.ts'
import type { Draws } from './draws.ts'
import type { Station } from './stations.ts'

export const theftKinds = [
  'far from the vehicle',
  'two places at once',
  'more than the tank holds',
  'filled into cans',
  'wrong product',
  'siphoned',
  'shared card',
] as const

export type TheftKind = (typeof theftKinds)[number]

/** A theft. The service never sees it. */
export interface Theft {
  readonly kind: TheftKind
  /** Whether the data that the service stores can show the theft at all. */
  readonly isVisible: boolean
  /** An honest purchase whose fuel the level shows together with that of the theft: a flag of either shows it. */
  readonly twin?: SimulatedPurchase
}

/** A purchase as it happens: it is authorized at once, and captured later. */
export interface SimulatedPurchase {
  readonly at: number
  readonly capturedAt: number
  readonly station: Station
  readonly liters: number
  readonly product: 'gasoline' | 'diesel' | 'dyed_diesel' | 'def'
  /** Whether the fuel has flowed when the card is authorized, so that its liters are known. */
  readonly isCounted: boolean
  readonly namesDriver: boolean
  /** Null for an honest purchase. */
  readonly theft: Theft | null
}

const PRICE_OF_LITER = 1.05
/** Amount of an authorization before fuel has flowed. */
const NOMINAL_AMOUNT = 125

export const captureAmountOf = ({ liters }: Pick<SimulatedPurchase, 'liters'>): number =>
  Math.round(liters * PRICE_OF_LITER * 100) / 100

export const authorizationAmountOf = (purchase: SimulatedPurchase): number =>
  purchase.isCounted ? captureAmountOf(purchase) : NOMINAL_AMOUNT

/** Draws the rest of an honest purchase. */
export const drawPurchase = (
  draws: Draws,
  { at, station, liters, product }: Pick<SimulatedPurchase, 'at' | 'station' | 'liters' | 'product'>,
): SimulatedPurchase => ({
  at,
  station,
  product,
  liters: Math.round(liters * 100) / 100,
  capturedAt: at + Math.floor(draws.magnitude(0.5, draws.chance(0.03) ? 120 : 48) * HOUR_MS),
  isCounted: draws.chance(0.15),
  namesDriver: draws.chance(0.5),
  theft: null,
})
