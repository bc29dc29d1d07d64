import { type Instant, toIso } from '../domain/time.ts'

/** Where invalid records come from. */
export interface Origin {
  readonly model: string
  readonly providerName: string
  /** Start of the time window in which the records are; null if the next read contains them anyway. */
  readonly readFrom: Instant | null
}

export const leftOutMessage = (records: number, { model, providerName, readFrom }: Origin): string =>
  `${count(records, model)} left out: ${providerName} sent them in a form that cannot be read. ` +
  `Correct them at ${providerName}${readAgain(readFrom)}, or report this issue by its id.`

export const invalidValuesMessage = (
  records: number,
  fields: Iterable<string>,
  { model, providerName, readFrom }: Origin,
): string =>
  `${count(records, model)} stored without their impossible values (${[...fields].sort().join(', ')}). ` +
  `Correct them at ${providerName}${readAgain(readFrom)}, or report this issue by its id.`

export const clashesMessage = (
  records: number,
  { model, providerName }: Pick<Origin, 'model' | 'providerName'>,
): string =>
  `${count(records, model)} not stored: ${providerName} sent another record with the same identity. ` +
  `Correct them at ${providerName}, or report this issue by its id.`

export const mistypedVinsMessage = (
  records: number,
  vins: readonly string[],
  { model, providerName }: Pick<Origin, 'model' | 'providerName'>,
): string =>
  `${count(records, model)} stored with a mistyped VIN, such as ${vins.slice(0, MAX_SHOWN_VINS).join(', ')}. ` +
  `Correct them at ${providerName}: the check digit is wrong, or there is a letter I, O or Q.`

const MAX_SHOWN_VINS = 5

const count = (records: number, model: string): string =>
  `${records} ${model} ${records === 1 ? 'record was' : 'records were'}`

/** Names the `startFrom` with which a sync reads the records again: later syncs may not look back so far. */
const readAgain = (readFrom: Instant | null): string =>
  readFrom === null ? '' : ` and start a sync with startFrom ${toIso(readFrom)}`
