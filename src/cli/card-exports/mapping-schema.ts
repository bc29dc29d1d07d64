import { z } from 'zod'
import { FuelProduct } from '../../subgraphs/purchases/fuel-product.ts'
import { CliError } from '../cli-error.ts'
import { isDateFormat } from './purchase-time.ts'

/** Columns of a file in Odograph's own format. */
export const PURCHASE_COLUMNS = [
  'at',
  'vehicleId',
  'vin',
  'vehicle',
  'cardId',
  'driverId',
  'merchantName',
  'siteId',
  'categoryCode',
  'longitude',
  'latitude',
  'line1',
  'city',
  'state',
  'postalCode',
  'country',
  'amount',
  'currency',
  'product',
  'liters',
  'gallons',
  'unitPrice',
  'phase',
] as const

/** Members of a purchase that a mapping can take from the columns of an export. */
export const MAPPED_MEMBERS = [...PURCHASE_COLUMNS, 'time', 'quantity', 'unit'] as const

export type MappedMember = (typeof MAPPED_MEMBERS)[number]

/** Members of which one identifies the vehicle, the most reliable first. */
export const IDENTIFYING_MEMBERS = ['vehicleId', 'vin', 'vehicle', 'cardId'] as const

/** Members that a mapping can give for all rows. */
const CONSTANT_MEMBERS = ['currency', 'country', 'categoryCode', 'phase', 'product', 'unit'] as const

const COLUMNS_FORM =
  'Write the name of a column, or a list of names of which the first that is not empty counts.'
const columnNames = z.string().trim().min(1, COLUMNS_FORM)
const columnsSchema = z.union(
  [columnNames.transform((name) => [name]), z.array(columnNames).min(1, COLUMNS_FORM)],
  {
    error: COLUMNS_FORM,
  },
)

/** Returns the schema of an object without other members than these. */
const objectOf = <Shape extends z.ZodRawShape>(shape: Shape, form: string) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `${issue.keys.join(', ')} is unknown. Write some of ${Object.keys(shape).join(', ')}.`
        : form,
  })

/** Returns the shape of an object that may have these members, all with the same schema. */
const optional = <Member extends string, Schema extends z.ZodType>(
  members: readonly Member[],
  schema: Schema,
) =>
  Object.fromEntries(members.map((member) => [member, schema.optional()])) as Record<
    Member,
    z.ZodOptional<Schema>
  >

const constant = z.string({ error: 'Write a text.' }).trim().min(1, 'Write a text.')
const membersForm = `Write a list of members, of ${MAPPED_MEMBERS.join(', ')}.`
const productForm = `Write one of ${Object.values(FuelProduct).join(', ')}.`

const mappingSchema = objectOf(
  {
    columns: objectOf(
      optional(MAPPED_MEMBERS, columnsSchema),
      'Write an object with the column of each member, such as {"amount": "Total"}.',
    ),
    required: z.array(z.enum(MAPPED_MEMBERS, membersForm), membersForm).optional(),
    constants: objectOf(
      optional(CONSTANT_MEMBERS, constant),
      'Write an object, such as {"currency": "USD"}.',
    ).default({}),
    dateFormats: z
      .array(
        z.string().refine(isDateFormat, 'Write YYYY or YY, MM or MMM, and DD, such as MM/DD/YYYY.'),
        'Write a list of formats, such as ["MM/DD/YYYY"].',
      )
      .min(1, 'Write at least one format, such as MM/DD/YYYY.')
      .default(['YYYY-MM-DD']),
    products: z
      .record(z.string(), z.enum(FuelProduct, productForm), 'Write an object, such as {"ULSD": "diesel"}.')
      .default({}),
    otherProducts: z.enum(['rejected', 'other'], 'Write "rejected" or "other".').default('rejected'),
    otherColumns: z.enum(['ignored', 'refused'], 'Write "ignored" or "refused".').default('ignored'),
  },
  'Write an object with `columns`.',
)

/** Mapping as a JSON file has it. */
export type MappingJson = z.input<typeof mappingSchema>

/** How the columns of an export become members of purchases. */
export type ColumnMapping = z.output<typeof mappingSchema>

/** Validates a mapping. `name` is what errors call it. */
export function validateMapping(json: unknown, name: string): ColumnMapping {
  const { data, error } = mappingSchema.safeParse(json)
  const [issue] = error?.issues ?? []
  const problem = issue ? `${issue.path.join('.')}: ${issue.message}` : data && problemOf(data)
  if (!data || problem) throw new CliError(`${name}: ${String(problem).replace(/^: /, '')}`)
  return data
}

/** Returns what members of a mapping lack of each other; null if nothing. */
function problemOf({ columns, constants, required = [] }: ColumnMapping): string | null {
  const isGiven = (member: MappedMember) => member in columns || member in constants
  const missing = (['at', 'merchantName', 'amount'] as const).find((member) => !columns[member])
  if (missing) return `columns.${missing}: Write the name of the column.`
  if (!isGiven('currency'))
    return 'columns.currency: Write the name of the column, or a currency as constants.currency.'
  if (!IDENTIFYING_MEMBERS.some((member) => columns[member]))
    return `columns: Write the column of at least one of ${IDENTIFYING_MEMBERS.join(', ')}.`
  if (columns.quantity && !isGiven('unit'))
    return 'columns.unit: Write the name of the column with the unit of the quantity, or use columns.gallons or columns.liters.'
  if (columns.quantity && (columns.gallons || columns.liters))
    return 'columns.quantity: Write either this, or columns.gallons or columns.liters.'
  const unmapped = required.find((member) => !columns[member])
  return unmapped ? `required: ${unmapped} has no column.` : null
}
