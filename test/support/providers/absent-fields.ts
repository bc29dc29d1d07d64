import { goldenModels, goldenPairs, goldenProviders } from './golden-pairs.ts'

type NormalizedValues = Readonly<Record<string, unknown>>

/**
 * Returns the fields of a model to which the mapping of a provider never gives a value: those without one in all
 * golden pairs. A member of an object is named like `license.state`, unless the whole object is absent.
 */
export function absentFields(provider: string, model: string): string[] {
  if (!goldenModels(provider).includes(model)) return []
  const filled = filledFields(recordsOf(provider, model))
  const fields = goldenProviders().flatMap((each) => fieldNames(recordsOf(each, model)))
  const absent = new Set([...fields, ...(ONLY_SANDBOX[model] ?? [])].filter((name) => !filled.has(name)))
  for (const name of NOT_PROVIDED[model] ?? ['deletedAt']) absent.delete(name)
  return [...absent].filter((name) => !absent.has(name.split('.')[0]!) || !name.includes('.'))
}

/** Fields that only the sandbox has, so that no golden pair names them. */
const ONLY_SANDBOX: Readonly<Record<string, readonly string[]>> = {
  Vehicle: ['fuelEfficiencyLitersPer100Kilometers'],
}

/** Fields that REST does not take from the record. Odograph itself notes when a provider removes a record. */
const NOT_PROVIDED: Readonly<Record<string, readonly string[]>> = { LatestVehicleLocation: ['sourceId'] }

/** Returns the fields that have a value in at least one record. */
export const filledFields = (records: readonly NormalizedValues[]): ReadonlySet<string> =>
  new Set(records.flatMap(membersOf).flatMap(([name, value]) => (isEmpty(value) ? [] : [name])))

const fieldNames = (records: readonly NormalizedValues[]) => records.flatMap(membersOf).map(([name]) => name)

const recordsOf = (provider: string, model: string): readonly NormalizedValues[] =>
  goldenModels(provider).includes(model)
    ? goldenPairs(provider, model).flatMap(({ normalized }) => (normalized ? [normalized] : []))
    : []

const membersOf = (record: NormalizedValues): (readonly [string, unknown])[] =>
  Object.entries(record).flatMap(([name, value]) => [
    [name, value] as const,
    ...(isObject(value) ? membersOf(value).map(([member, of]) => [`${name}.${member}`, of] as const) : []),
  ])

const isObject = (value: unknown): value is NormalizedValues =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0)

/** Returns the name of a field of a normalized record in REST. */
export function restName(model: string, field: string): string {
  const name =
    SPECIAL[field] ??
    field
      .replace(/SourceIds$/, 's')
      .replace(/SourceId$/, '')
      .replace(UNITS, '')
  return `${parentOf(model, field)}${name}`
}

const UNITS = /(Kilometers|Milliseconds|Kph|Degrees|Liters|LitersPer100Kilometers)$/

const SPECIAL: Readonly<Record<string, string>> = {
  fuelSecondaryPercentage: 'fuel.secondaryPercentage',
  frontCamera: 'cameraMedia.frontFacing',
  rearCamera: 'cameraMedia.rearFacing',
  'frontCamera.sourceId': 'cameraMedia.frontFacing.sourceId',
  'rearCamera.sourceId': 'cameraMedia.rearFacing.sourceId',
}

function parentOf(model: string, field: string): string {
  if (model === 'HOSDailyLog' && field.endsWith('Kilometers')) return 'distances.'
  if (model === 'HOSDailyLog' && field.endsWith('Milliseconds')) return 'statusDurations.'
  if (model === 'VehicleUtilization' && field.endsWith('Milliseconds')) return 'durations.'
  if (model === 'SafetyEvent' && /(Kph|Degrees)$|^gForce/.test(field)) return 'stats.'
  if (model === 'FaultCodeEvent' && /^(spn|fmi|occurrence|sourceAddress)/.test(field)) return 'j1939.'
  return ''
}
