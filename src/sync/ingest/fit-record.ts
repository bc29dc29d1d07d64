import { withoutNul } from '../../domain/text.ts'
import { models } from '../../domain/models/models.ts'
import { commonRanges, type ValueRange } from '../../domain/models/value-ranges.ts'
import { modelNamed, type RawRetainedModel } from '../../domain/record-models.ts'
import type { Instant } from '../../domain/time.ts'
import { statRanges } from '../../domain/models/vehicle-stat-log.ts'

export interface FittedRecord<Normalized> {
  readonly normalized: Normalized
  /** Fields whose value was invalid, so that null replaced it. */
  readonly invalidFields: readonly string[]
}

/**
 * Replaces the values of a normalized record that the API cannot show. A number outside of its range becomes null, and
 * so does a location with an impossible coordinate. A heading of 360 degrees becomes 0. NUL characters are removed,
 * because SQLite ends a text there. A VIN is written in capitals. Throws if the model requires a field that became
 * null. Also throws for a measurement with an impossible value, and for a trip or a log that ends before it starts. A
 * safety event only loses such an end.
 */
export function fitRecord<Normalized>(
  model: RawRetainedModel,
  normalized: Normalized,
): FittedRecord<Normalized> {
  const invalidFields: string[] = []
  const fitted = fitMembers(normalized as object, invalidFields)
  for (const name of invalidFields)
    if (name in modelNamed(model).required)
      throw new Error(`${name} has no possible value, but the model requires it`)
  if (model === 'VehicleStatLog' && !isPossibleStat(normalized as { type: string; value: unknown }))
    throw new Error('value has no possible value for this type of measurement')
  if (!endsBeforeStart(fitted)) return { normalized: fitted as Normalized, invalidFields }
  if (needsEnd.has(model)) throw new Error('the record ends before it starts')
  return {
    normalized: { ...fitted, endedAt: null } as Normalized,
    invalidFields: [...invalidFields, 'endedAt'],
  }
}

/** Models in which a record without an end has another meaning: a log without one still lasts. */
const needsEnd: ReadonlySet<RawRetainedModel> = new Set(['Trip', 'HOSLog'])

/** Whether a record has a start and an earlier end. */
const endsBeforeStart = ({
  startedAt,
  endedAt,
}: {
  readonly startedAt?: Instant | null
  readonly endedAt?: Instant | null
}): boolean => startedAt != null && endedAt != null && endedAt < startedAt

/** Returns the members with impossible values replaced; the same object if every value is possible. */
function fitMembers(members: object, invalidFields: string[]): object {
  let fitted: Record<string, unknown> | undefined
  for (const [name, value] of Object.entries(members)) {
    const fit = fitValue(name, value, invalidFields)
    if (fit === value) continue
    if (fit === null) invalidFields.push(name)
    fitted ??= { ...members }
    fitted[name] = fit
  }
  return fitted ?? members
}

/** Range of every number field. A field has the same unit, and so the same range, in every model. */
export const valueRanges: Readonly<Record<string, ValueRange>> = Object.assign(
  {},
  commonRanges,
  ...models.map(({ ranges }) => ranges),
)

function fitValue(name: string, value: unknown, invalidFields: string[]): unknown {
  if (value === null || value === undefined) return value
  const range = valueRanges[name]
  if (range) return isWithin(range, value) ? (name === 'headingDegrees' && value === 360 ? 0 : value) : null
  if (typeof value === 'string') return fitText(name, value)
  if (typeof value !== 'object' || name === 'extensions') return value
  if (isPoint(value)) return isPossiblePoint(value) ? value : null
  if (!Array.isArray(value)) return fitMembers(value, invalidFields)
  const items = value.map((item: unknown) => fitValue('', item, invalidFields))
  return items.some((item, index) => item !== value[index]) ? items : value
}

const fitText = (name: string, text: string): string => {
  const clean = withoutNul(text)
  return name === 'vin' ? clean.toUpperCase() : clean
}

interface Coordinates {
  readonly longitude: unknown
  readonly latitude: unknown
}

const isPoint = (value: object): value is Coordinates => 'longitude' in value && 'latitude' in value

const isPossiblePoint = ({ longitude, latitude }: Coordinates): boolean =>
  isWithin(commonRanges.longitude, longitude) && isWithin(commonRanges.latitude, latitude)

function isPossibleStat({ type, value }: { readonly type: string; readonly value: unknown }): boolean {
  const range = (statRanges as Readonly<Record<string, ValueRange>>)[type]
  return value === null || range === undefined || isWithin(range, value)
}

const isWithin = ({ min, max, isInteger = false, sentinels = [] }: ValueRange, value: unknown): boolean =>
  typeof value === 'number' &&
  value >= min &&
  value <= max &&
  (!isInteger || Number.isInteger(value)) &&
  !sentinels.includes(value)
