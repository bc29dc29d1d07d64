import { everyKey, everyRow } from '../../support/database/database-dump.ts'
import { until } from './observed-state.ts'
import type { SearchTerms } from './search-terms.ts'
import type { Stage } from './stage.ts'

/** A text to search for marks: as whole words, or at any place. */
export class Text {
  private readonly formats: Set<string>

  constructor(private readonly text: string) {
    this.formats = new Set(text.split(/[^\w.@+-]+/))
  }

  among(searchTerms: Iterable<string>): string[] {
    return [...searchTerms].filter((mark) => this.holds(mark))
  }

  private holds(mark: string): boolean {
    return /^-?[\d.]+$/.test(mark) ? this.formats.has(mark) : this.text.includes(mark)
  }
}

const MAX_SHOWN = 5

/** Returns the remains of a fleet in all tables and in Redis. Writes the searched places to `description`. */
export async function leftIn(
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
    `looked for ${searchTerms.identities.size + searchTerms.values.size} marks in ${rows.length} rows of ${tables.size} tables`,
  )
  const failures = [
    ...named('a table', others, searchTerms.identities),
    ...named(
      'a table',
      others.filter((row) => !row.includes(ids.neighbour)),
      searchTerms.values,
    ),
    ...named('the stub', rows.filter(isStub), searchTerms.identities),
  ]
  if (rows.filter(isStub).length !== 1) failures.push('the stub is not there')
  if (!redis) return failures
  await until(
    'the rate limits of its account expire',
    async () => !(await everyKey(redis.url, searchTerms.account)).length,
  )
  const keys = await everyKey(redis.url, '')
  description(`searched ${keys.length} keys of Redis for them and ${searchTerms.ids.size} ids`)
  for (const set of [searchTerms.identities, searchTerms.values, searchTerms.ids])
    failures.push(...named('Redis', keys, set))
  return failures
}

/** Reports the first finds and their place. */
export function named(where: string, lines: readonly string[], searchTerms: Iterable<string>): string[] {
  const found = new Text(lines.join('\n')).among(searchTerms)
  const shown = found.slice(0, MAX_SHOWN).map((mark) => {
    const line = lines.find((one) => one.includes(mark)) ?? ''
    return `${where} still has ${mark}: ${line.slice(0, 160)}`
  })
  return found.length > MAX_SHOWN ? [...shown, `${where}: ${found.length} marks in all`] : shown
}
