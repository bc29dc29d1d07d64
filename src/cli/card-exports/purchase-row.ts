import type { Calendar } from '../../domain/calendar.ts'
import { isStorableText } from '../../domain/text.ts'
import { rounded, usGallonsToLiters } from '../../domain/units.ts'
import { vinIn } from '../../domain/vin.ts'
import { toStateCode } from '../../providers/mapping/state-codes.ts'
import type { MerchantInput, PurchasedFuelInput } from '../../subgraphs/purchases/check-purchase-input.ts'
import { FuelProduct } from '../../subgraphs/purchases/fuel-product.ts'
import { PurchasePhase } from '../../subgraphs/purchases/purchase-enums.ts'
import type { PastPurchase } from '../../subgraphs/purchases/replays/past-purchase.ts'
import { BadRow, cellsOf, type CsvRow, numberIn } from '../csv.ts'
import { fuelUnitIn, productIn } from './fuel-words.ts'
import type { MappedColumns } from './mapped-columns.ts'
import type { ColumnMapping, MappedMember } from './mapping-schema.ts'
import { instantOfPurchase } from './purchase-time.ts'

/** How a file is read. */
export interface ExportLayout {
  readonly header: readonly string[]
  readonly mapping: ColumnMapping
  readonly columns: MappedColumns
  /** Calendar of times without a zone; null if there is none. */
  readonly calendar: Calendar | null
}

/** How a row names its vehicle and driver. An empty text stands for none. */
export interface NamedVehicle {
  readonly vehicleId: string
  readonly vin: string
  /** Number or name of the vehicle. */
  readonly vehicle: string
  readonly cardId: string
  /** Whether the row has a card number in the place of an id. It is not kept. */
  readonly hasCardNumber: boolean
  readonly driverId: string
}

/** Purchase of a row before its vehicle is looked up. */
export interface PurchaseRow {
  readonly line: number
  readonly named: NamedVehicle
  readonly bought: Omit<PastPurchase, 'vehicleId' | 'driverId' | 'cardId'>
}

/** Cells of a row by member. */
interface MemberCells {
  /** Text of the first column of a member that is not empty, else the constant of the mapping. */
  text(member: MappedMember): string
  /** Name of the column of a member. */
  column(member: MappedMember): string
  number(member: MappedMember, example: number): number | null
  isMapped(member: MappedMember): boolean
  /** Texts of the mapping for members whose columns are empty. */
  readonly constants: Readonly<Partial<Record<MappedMember, string | undefined>>>
}

/** Reads a row. Throws `BadRow` without any text of the row that may be a card number. */
export function readPurchaseRow(layout: ExportLayout, row: CsvRow): PurchaseRow {
  const cells = memberCells(layout, row)
  const { text } = cells
  const cardId = text('cardId')
  const hasCardNumber = isCardNumberIn(cardId)
  return {
    line: row.line,
    named: {
      vehicleId: text('vehicleId'),
      vin: vinIn(text('vin')) ?? '',
      vehicle: text('vehicle'),
      cardId: hasCardNumber ? '' : cardId,
      hasCardNumber,
      driverId: text('driverId'),
    },
    bought: {
      purchasedAt: instantOfPurchase(
        { column: cells.column('at'), at: text('at'), time: text('time') },
        { dateFormats: layout.mapping.dateFormats, calendar: layout.calendar },
      ),
      merchant: merchantOf(cells),
      amount: { value: amountOf(cells), currency: text('currency') },
      fuel: fuelOf(cells, layout.mapping),
      phase: phaseOf(text('phase')),
    },
  }
}

function memberCells({ header, mapping, columns }: ExportLayout, row: CsvRow): MemberCells {
  const cell = cellsOf(header, row)
  const constants: MemberCells['constants'] = mapping.constants
  const column = (member: MappedMember) => columns.get(member)?.[0] ?? member
  const text = (member: MappedMember) => {
    const found = (columns.get(member) ?? []).map(cell).find((each) => each !== '')
    if (found !== undefined && !isStorableText(found))
      throw new BadRow(`${column(member)}: Leave out control characters.`)
    return found ?? constants[member] ?? ''
  }
  return {
    text,
    column,
    isMapped: (member) => columns.has(member),
    constants,
    number: (member, example) => numberIn(column(member), plainNumber(text(member)), example),
  }
}

/** Returns a number without currency sign and thousand separators. Parentheses and a trailing minus mean less than 0. */
function plainNumber(text: string): string {
  const signed = text
    .replaceAll(/[$\s]/g, '')
    .replace(/^\((.*)\)$|^(.*)-$/, '-$1$2')
    .replace(/^-?\./, (start) => start.replace('.', '0.'))
  return /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(signed) ? signed.replaceAll(',', '') : signed
}

/** Whether a text may be a card number: 13 to 19 digits, also with some masked, or as a spreadsheet shortens them. */
const isCardNumberIn = (text: string): boolean =>
  /^\d{13,19}$/.test(text.replaceAll(/[ .-]/g, '')) ||
  /[*•]|X{3}/i.test(text) ||
  /^[\d.,]+E\+?\d+$/i.test(text)

function amountOf(cells: MemberCells): number {
  const amount = boughtQuantity(cells, 'amount', 402.5)
  if (amount === null) throw new BadRow('The row has no amount.')
  return amount
}

/** Returns the number of a member that is negative for a credit. */
function boughtQuantity(cells: MemberCells, member: MappedMember, example: number): number | null {
  const quantity = cells.number(member, example)
  if (quantity !== null && quantity < 0)
    throw new BadRow(`${cells.column(member)} is negative: credits and returns are left out.`)
  return quantity
}

function merchantOf(cells: MemberCells): MerchantInput {
  const textOf = (member: MappedMember) => cells.text(member) || null
  const address = {
    line1: textOf('line1'),
    city: textOf('city'),
    state: textOf('state'),
    postalCode: textOf('postalCode'),
  }
  const country = countryOf(cells)
  const hasAddress = Object.values(address).some((part) => part !== null)
  if (hasAddress && country === null)
    throw new BadRow('country: Give the country of the address, such as US.')
  return {
    name: cells.text('merchantName'),
    siteId: textOf('siteId'),
    categoryCode: textOf('categoryCode') ?? SERVICE_STATION,
    coordinates: coordinatesOf(cells),
    address: country === null ? null : { ...address, country },
  }
}

/** Returns the country of the merchant. That of the mapping is only for states that are no Canadian provinces. */
function countryOf({ text, constants }: MemberCells): string | null {
  const country = text('country')
  const isCanadian = country === constants.country && PROVINCES.has(toStateCode(text('state')) ?? '')
  return isCanadian ? 'CA' : country || null
}

const PROVINCES: ReadonlySet<string> = new Set('AB BC MB NB NL NS NT NU ON PE QC SK YT'.split(' '))

/** Category code of merchants of exports that have none. */
const SERVICE_STATION = '5541'

function coordinatesOf(cells: MemberCells): MerchantInput['coordinates'] {
  const longitude = cells.number('longitude', -97.7431)
  const latitude = cells.number('latitude', 30.2672)
  if ((longitude === null) !== (latitude === null))
    throw new BadRow('Give both longitude and latitude, or none.')
  return longitude === null || latitude === null ? null : { longitude, latitude }
}

function fuelOf(cells: MemberCells, mapping: ColumnMapping): PurchasedFuelInput {
  const { unit, quantity } = quantityOf(cells)
  const price = cells.number('unitPrice', 1.03)
  const litersPerUnit = unit === 'gallon' ? usGallonsToLiters(1) : 1
  return {
    product: productOf(cells, mapping),
    liters: quantity === null ? null : rounded(quantity * litersPerUnit, 3),
    // Exports have the price 0 where it is not shown.
    unitPrice: price === null || price === 0 || unit === null ? null : rounded(price / litersPerUnit, 4),
  }
}

interface FuelQuantity {
  /** Unit of the quantity and the price; null if it is unknown, which only a row without a quantity permits. */
  readonly unit: 'gallon' | 'liter' | null
  readonly quantity: number | null
}

function quantityOf(cells: MemberCells): FuelQuantity {
  const quantity = boughtQuantity(cells, 'quantity', 66.04)
  const unitText = cells.text('unit')
  const unit = fuelUnitIn(unitText)
  if (quantity !== null && unitText === '') throw new BadRow(`${cells.column('unit')}: The row has no unit.`)
  if (quantity !== null && unit === null)
    throw new BadRow(`${cells.column('unit')}: ${shown(unitText)}is neither gallons nor liters.`)
  if (cells.isMapped('quantity')) return { unit, quantity }
  const liters = boughtQuantity(cells, 'liters', 250)
  const gallons = boughtQuantity(cells, 'gallons', 66.04)
  if (liters !== null && gallons !== null) throw new BadRow('Give liters or gallons, not both.')
  if (liters !== null) return { unit: 'liter', quantity: liters }
  return { unit: cells.isMapped('gallons') ? 'gallon' : 'liter', quantity: gallons }
}

function productOf(cells: MemberCells, { products, otherProducts }: ColumnMapping): FuelProduct | null {
  const text = cells.text('product')
  if (text === '') return null
  const product = productIn(text, products) ?? (otherProducts === 'other' ? FuelProduct.OTHER : null)
  if (product !== null) return product
  throw new BadRow(
    `${cells.column('product')}: ${shown(text)}is no known fuel. A mapping can name it in \`products\`.`,
  )
}

function phaseOf(text: string): PurchasePhase {
  if (text === '') return PurchasePhase.CAPTURE
  const phase = Object.values(PurchasePhase).find((value) => value === text.toLowerCase())
  if (phase) return phase
  throw new BadRow('phase: Give authorization or capture.')
}

/** Returns a text for a reason. A text that may have digits of a card number is left out. */
const shown = (text: string): string => (text.length > 40 || /\d{4}/.test(text) ? 'the text ' : `${text} `)
