import { FuelProduct } from '../../subgraphs/purchases/fuel-product.ts'

type ProductByWords = Readonly<Record<string, FuelProduct>>

/** Words for products. The first that a text contains counts, so the words of special fuels come first. */
const commonWords: ProductByWords = {
  'NATURAL GAS': FuelProduct.OTHER,
  CNG: FuelProduct.OTHER,
  LNG: FuelProduct.OTHER,
  KEROSENE: FuelProduct.OTHER,
  KERO: FuelProduct.OTHER,
  ADDITIVE: FuelProduct.OTHER,
  'ENGINE OIL': FuelProduct.OTHER,
  'MOTOR OIL': FuelProduct.OTHER,
  OTHER: FuelProduct.OTHER,
  'EXHAUST FLUID': FuelProduct.DEF,
  ADBLUE: FuelProduct.DEF,
  DEFD: FuelProduct.DEF,
  DEF: FuelProduct.DEF,
  DYED: FuelProduct.DYED_DIESEL,
  REEFER: FuelProduct.DYED_DIESEL,
  RFR: FuelProduct.DYED_DIESEL,
  ULSR: FuelProduct.DYED_DIESEL,
  'OFF ROAD': FuelProduct.DYED_DIESEL,
  ELECTRICITY: FuelProduct.ELECTRICITY,
  ELECTRIC: FuelProduct.ELECTRICITY,
  'EV CHARGING': FuelProduct.ELECTRICITY,
  PROPANE: FuelProduct.PROPANE,
  LPG: FuelProduct.PROPANE,
  DIESEL: FuelProduct.DIESEL,
  BIODIESEL: FuelProduct.DIESEL,
  ULSD: FuelProduct.DIESEL,
  DSL: FuelProduct.DIESEL,
  BDSL: FuelProduct.DIESEL,
  B5: FuelProduct.DIESEL,
  B20: FuelProduct.DIESEL,
  GASOLINE: FuelProduct.GASOLINE,
  UNLEADED: FuelProduct.GASOLINE,
  UNLD: FuelProduct.GASOLINE,
  UNL: FuelProduct.GASOLINE,
  GAS: FuelProduct.GASOLINE,
  E85: FuelProduct.GASOLINE,
  'E 85': FuelProduct.GASOLINE,
}

/** Returns the product that a text names by whole words, first those of a mapping; null if it names none. */
export function productIn(text: string, own: ProductByWords): FuelProduct | null {
  const searched = ` ${wordsOf(text)} `
  const first = Object.entries(own).find(([words]) => searched.includes(` ${wordsOf(words)} `))
  const found = first ?? Object.entries(commonWords).find(([words]) => searched.includes(` ${words} `))
  return found?.[1] ?? null
}

const wordsOf = (text: string): string =>
  text
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const GALLON = /^(?:g|us ?g|ugl|(?:us ?)?gal(?:lon)?s?)$/i
const LITER = /^(?:l|lt|ltr|lit(?:er|re))s?$/i

/** Returns the unit of fuel that a text names; null for any other text. */
export function fuelUnitIn(text: string): 'gallon' | 'liter' | null {
  const word = text.replaceAll('.', '')
  if (GALLON.test(word)) return 'gallon'
  return LITER.test(word) ? 'liter' : null
}
