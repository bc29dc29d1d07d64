import { lists, type Operation, operationOf } from '../catalogue.ts'
import { check, type Check, equals, fail, holds } from '../check.ts'
import { pathOf } from '../paths.ts'
import { type JsonObject, some, type Subject, textAt, valueAt, withQuery } from '../subject.ts'
import { keyOf, rowsOf } from './lists.ts'

/** Parts 4.9 to 4.16: time windows and their order. */

interface Window {
  readonly slug: string
  readonly after: string
  readonly before: string
  /** Member with the time. */
  readonly field: string
  /** Whether the window includes a record at its end. */
  readonly end: 'in' | 'out' | 'either'
}

const window = (slug: string, after: string, before: string, field: string, end: Window['end']): Window => ({
  slug,
  after,
  before,
  field,
  end,
})

const byModified = lists
  .filter(({ query, slug }) => 'modifiedAfter' in query && slug !== 'utilization')
  .map(({ slug }) => window(slug, 'modifiedAfter', 'modifiedBefore', 'metadata.modifiedAt', 'out'))

const byStart = ['trips', 'hos-logs', 'safety-events'].map((slug) =>
  window(slug, 'startedAfter', 'startedBefore', 'startedAt', 'out'),
)
const byEnd = window('trips', 'endedAfter', 'endedBefore', 'endedAt', 'out')
const byObservation = window('fault-codes', 'startAt', 'endAt', 'observedAt', 'either')
const byPlaceTime = window('track', 'startAt', 'endAt', 'locatedAt', 'either')
const byStatTime = window('stats', 'startAt', 'endAt', 'timestamp', 'either')
const byDay = window('daily-logs', 'startDate', 'endDate', 'date', 'in')

const timeOf = (row: JsonObject, field: string): number => Date.parse(textAt(row, field))

/** Returns the time of the middle record. */
function middle(rows: readonly JsonObject[], field: string): string {
  const times = [...new Set(rows.map((row) => textAt(row, field)))].sort()
  return times[Math.floor(times.length / 2)] ?? fail('no record')
}

async function bounds(subject: Subject, { slug, after, before, field, end }: Window): Promise<string> {
  const operation = operationOf(slug)
  const rows = (await rowsOf(subject, operation)).filter((row) => valueAt(row, field) !== undefined)
  some(rows, `${slug} with ${field}`)
  const path = await pathOf(subject, operation)
  const at = middle(rows, field)
  const from = await subject.all(withQuery(path, { [after]: at }))
  const until = await subject.all(withQuery(path, { [before]: at }))
  const edge = Date.parse(at)
  const keys = (wanted: (time: number) => boolean, of: readonly JsonObject[] = rows) =>
    of
      .filter((row) => wanted(timeOf(row, field)))
      .map(keyOf)
      .toSorted()
  equals(
    from.map(keyOf).toSorted(),
    keys((time) => time >= edge),
    `${after}=${at}`,
  )
  const got = until.map(keyOf).toSorted()
  if (end === 'either') {
    equals(
      keys((time) => time < edge, until),
      keys((time) => time < edge),
      `${before}=${at}`,
    )
    holds(
      until.every((row) => timeOf(row, field) <= edge),
      `${before}=${at} returns later records`,
    )
  } else
    equals(
      got,
      keys((time) => (end === 'in' ? time <= edge : time < edge)),
      `${before}=${at}`,
    )
  return `${from.length} from ${at} on, ${until.length} before`
}

async function ascending(subject: Subject, { slug, after, field }: Window): Promise<void> {
  const operation = operationOf(slug)
  const rows = await rowsOf(subject, operation)
  const first = rows.map((row) => textAt(row, field)).toSorted()[0]
  const path = withQuery(await pathOf(subject, operation), { [after]: first })
  const times = (await subject.all(path)).map((row) => timeOf(row, field))
  for (const [at, time] of times.entries())
    holds(at === 0 || time >= (times[at - 1] ?? 0), `${slug}: place ${at} is before the one before it`)
}

const partOf = (window: Window): string => operationOf(window.slug).part

const bounding = (window: Window, slug: string): Check => {
  const part = partOf(window)
  return part.startsWith('4.')
    ? check(`${part}-${slug}`, (subject) => bounds(subject, window))
    : check(`g3.4-${slug}`, (subject) => bounds(subject, window), window.slug)
}

const edges = (window: Window): Check[] => [
  check('d3-after-inclusive', (subject) => restarts(subject, window.slug), window.slug),
  check('d3-before-exclusive', (subject) => meets(subject, window), window.slug),
  check('4.16-ingestion-order', (subject) => ascending(subject, window), window.slug),
]

/** Expects a reader that resumes at its newest time to get all records of that time. */
async function restarts(subject: Subject, slug: string): Promise<void> {
  const operation = operationOf(slug)
  const rows = await rowsOf(subject, operation)
  const newest =
    rows
      .map((row) => textAt(row, 'metadata.modifiedAt'))
      .toSorted()
      .at(-1) ?? ''
  const again = await subject.allNow(withQuery(await pathOf(subject, operation), { modifiedAfter: newest }))
  const keys = new Set(again.map(keyOf))
  for (const row of rows)
    if (textAt(row, 'metadata.modifiedAt') === newest) holds(keys.has(keyOf(row)), `${keyOf(row)} is missed`)
}

/** Expects two adjacent windows to contain each record once. */
async function meets(subject: Subject, { slug, after, before, field }: Window): Promise<void> {
  const operation = operationOf(slug)
  const rows = await rowsOf(subject, operation)
  const path = await pathOf(subject, operation)
  const at = middle(rows, field)
  const both = [
    ...(await subject.all(withQuery(path, { [before]: at }))),
    ...(await subject.all(withQuery(path, { [after]: at }))),
  ]
  equals(both.map(keyOf).toSorted(), rows.map(keyOf).toSorted(), `the two windows around ${at}`)
}

const ordered = (window: Window) =>
  check('4.16-record-order', (subject) => ascending(subject, window), `${window.slug} ${window.field}`)

export const windowChecks: readonly Check[] = [
  ...byModified.map((window) => bounding(window, 'modified')),
  ...byModified.flatMap(edges),
  ...byStart.map((window) => bounding(window, 'started')),
  bounding(byEnd, 'ended'),
  bounding(byObservation, 'between'),
  bounding(byPlaceTime, 'between'),
  bounding(byStatTime, 'between'),
  bounding(byDay, 'dates'),
  ...[...byStart, byObservation, byPlaceTime, byStatTime, byDay].map(ordered),
  ...['drivers', 'vehicles', 'groups', 'trailers', 'devices'].map((slug) =>
    check('4.16-entities-by-modified', (subject) => restarts(subject, slug), slug),
  ),
  ...[...byStart, byDay].map((window) =>
    check('4.16-records-by-either', (subject) => either(subject, window), window.slug),
  ),
  ...[byPlaceTime, byStatTime].map((window) =>
    check('4.16-series-by-record-time', (subject) => inside(subject, window), window.slug),
  ),
  check('4.16-days-alias', days),
  check('d5-days-alias', days),
  check('g3.4-dates', utilized, 'utilization'),
]

async function either(subject: Subject, { slug, after, field }: Window): Promise<void> {
  const operation = operationOf(slug)
  const rows = await rowsOf(subject, operation)
  const path = await pathOf(subject, operation)
  for (const [name, of] of [
    [after, field],
    ['modifiedAfter', 'metadata.modifiedAt'],
  ] as const) {
    const oldest = rows.map((row) => textAt(row, of)).toSorted()[0]
    const got = await subject.allNow(withQuery(path, { [name]: oldest }))
    equals(got.length, rows.length, `how many there are by ${name}`)
  }
}

async function inside(subject: Subject, { slug, after, before, field }: Window): Promise<void> {
  const operation = operationOf(slug)
  const rows = await rowsOf(subject, operation)
  const times = [...new Set(rows.map((row) => textAt(row, field)))].toSorted()
  const [from, until] = [times[Math.floor(times.length / 4)], times[Math.floor(times.length / 2)]]
  const path = withQuery(await pathOf(subject, operation), { [after]: from, [before]: until })
  for (const row of await subject.allNow(path)) {
    const time = timeOf(row, field)
    holds(
      time >= Date.parse(from ?? '') && time <= Date.parse(until ?? ''),
      `${textAt(row, field)} is outside`,
    )
  }
}

async function days(subject: Subject): Promise<void> {
  const rows = await rowsOf(subject, operationOf('daily-logs'))
  const day = middle(rows, 'date')
  const got = await subject.allNow(`/hos/daily-logs?startDay=${day}&endDay=${day}`)
  const expected = rows.filter((row) => row['date'] === day)
  equals(got.map(keyOf).toSorted(), expected.map(keyOf).toSorted(), `the logs of ${day}`)
}

/** Expects the summary to cover the requested range; a single day is a range. */
async function utilized(subject: Subject): Promise<void> {
  const operation: Operation = operationOf('utilization')
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const whole = new Map(
    (await rowsOf(subject, operation)).map((row) => [row['vehicle'], Number(row['distance'])]),
  )
  const path = `${operation.path}?startDate=${yesterday}&endDate=${yesterday}`
  for (const row of some(await subject.allNow(path), 'utilization of yesterday')) {
    const distance = Number(row['distance'])
    holds(
      distance <= (whole.get(row['vehicle']) ?? 0) + 0.01,
      `a day of ${String(row['vehicle'])} exceeds the year`,
    )
    holds(
      Date.parse(textAt(row, 'startAt')) < Date.parse(textAt(row, 'endAt')),
      'startAt is not before endAt',
    )
  }
}
