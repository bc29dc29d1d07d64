import { everyKey, everyRow } from '../../support/database/database-dump.ts'
import { until } from './observed-state.ts'
import type { SearchTerms } from './search-terms.ts'
import type { Stage } from './stage.ts'

/** A text to search. A number must match a whole word; any other term may be part of one. */
export class Text {
  private readonly words: Set<string>

  constructor(private readonly text: string) {
    this.words = new Set(text.split(/[^\w.@+-]+/))
  }

  found(terms: Iterable<string>): string[] {
    return [...terms].filter((term) => this.contains(term))
  }

  private contains(term: string): boolean {
    return /^-?[\d.]+$/.test(term) ? this.words.has(term) : this.text.includes(term)
  }
}

const MAX_SHOWN = 5

/** Returns the data of a fleet that is left in any table or in Redis. Reports what it searched to `description`. */
export async function remainingData(
  { db, redis }: Stage,
  searchTerms: SearchTerms,
  ids: { readonly gone: string; readonly neighbour: string },
  description: (line: string) => void,
): Promise<string[]> {
  const rows = [...(await everyRow(db))]
  const isStub = (row: string) => row.startsWith('connections ') && row.includes(ids.gone)
  const others = rows.filter((row) => !isStub(row))
  const tables = new Set(rows.map((row) => row.split(' ', 1)[0]))
  description(
    `searched for ${searchTerms.identities.size + searchTerms.values.size} terms in ${rows.length} rows of ${tables.size} tables`,
  )
  const failures = [
    ...matchFailures('a table', others, searchTerms.identities),
    ...matchFailures(
      'a table',
      others.filter((row) => !row.includes(ids.neighbour)),
      searchTerms.values,
    ),
    ...matchFailures('the stub', rows.filter(isStub), searchTerms.identities),
  ]
  if (rows.filter(isStub).length !== 1) failures.push('the stub is not there')
  if (!redis) return failures
  await until(
    'the rate limits of its account expire',
    async () => !(await everyKey(redis.url, searchTerms.account)).length,
  )
  const keys = await everyKey(redis.url, '')
  description(`searched ${keys.length} keys of Redis for the same terms and ${searchTerms.ids.size} ids`)
  for (const set of [searchTerms.identities, searchTerms.values, searchTerms.ids])
    failures.push(...matchFailures('Redis', keys, set))
  return failures
}

/** Returns a failure for each term that the lines contain: the first few with their line, the others as a count. */
export function matchFailures(where: string, lines: readonly string[], terms: Iterable<string>): string[] {
  const found = new Text(lines.join('\n')).found(terms)
  const shown = found.slice(0, MAX_SHOWN).map((term) => {
    const line = lines.find((one) => one.includes(term)) ?? ''
    return `${where} still has ${term}: ${line.slice(0, 160)}`
  })
  return found.length > MAX_SHOWN ? [...shown, `${where}: ${found.length} terms in all`] : shown
}
