import { readBackQueries } from '../../support/providers/read-back/read-back-queries.ts'
import type { ModelQuery, Values } from '../../support/providers/read-back/read-back-names.ts'
import type { Caller } from '../deletion/caller.ts'

const DAY_MS = 86_400_000
/** Number of concurrent requests. */
const AT_ONCE = 4
const PAGE = 1000

export interface Period {
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

export function queryOf(model: string): ModelQuery {
  const query = readBackQueries[model]
  if (!query) throw new Error(`no query for ${model}`)
  return query
}

interface Page {
  readonly nodes: readonly Values[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

/** Reads the records of one connection over the public API, as normalized records. */
export class AskedRecords {
  private constructor(
    private readonly caller: Caller,
    /** Ids of the existing vehicles by their source id. */
    private readonly vehicles: ReadonlyMap<string, string>,
  ) {}

  static async of(caller: Caller): Promise<AskedRecords> {
    const nodes = await all(caller, { list: 'vehicles', fields: 'id sourceId' }, {})
    return new AskedRecords(caller, new Map(nodes.map(({ sourceId, id }) => [String(sourceId), String(id)])))
  }

  get vehicleCount(): number {
    return this.vehicles.size
  }

  hasVehicle = (sourceId: unknown): boolean => this.vehicles.has(String(sourceId))

  /** Returns all records of a model; those of a period for a series. */
  async of(model: string, period: Period): Promise<Values[]> {
    const query = queryOf(model)
    const nodes = await this.nodesOf(model, query, period)
    return nodes.map((node) => query.toNormalized(node))
  }

  private nodesOf(model: string, query: ModelQuery, { from, to }: Period): Promise<Values[]> {
    if (query.per === 'vehicle') {
      const during = { startAt: iso(from), endAt: iso(to - 1) }
      return this.each([...this.vehicles.values()], (id) => all(this.caller, query, { id, ...during }))
    }
    if (query.per === 'day')
      return this.each(datesIn({ from, to }), async (date) =>
        (await all(this.caller, query, { date })).map((node) => ({ ...node, date })),
      )
    return all(this.caller, query, query.per === 'month' ? monthsBefore(to) : {})
  }

  /** Limits concurrency, so that the service is not overloaded. */
  private async each(keys: readonly string[], ask: (key: string) => Promise<Values[]>): Promise<Values[]> {
    const found: Values[] = []
    for (let at = 0; at < keys.length; at += AT_ONCE)
      for (const nodes of await Promise.all(keys.slice(at, at + AT_ONCE).map(ask)))
        for (const node of nodes) found.push(node)
    return found
  }
}

const iso = (at: number): string => new Date(at).toISOString()

/** Returns every date that the period touches in any zone. */
function datesIn({ from, to }: Period): string[] {
  const dates: string[] = []
  for (let at = from - DAY_MS; at < to + DAY_MS; at += DAY_MS) dates.push(iso(at).slice(0, 10))
  return dates
}

const IFTA_YEARS_MS = 2 * 365 * DAY_MS

const monthsBefore = (to: number): Values => ({
  startMonth: iso(to - IFTA_YEARS_MS).slice(0, 7),
  endMonth: iso(to + DAY_MS).slice(0, 7),
})

/** Reads a list to its end. */
async function all(
  caller: Caller,
  query: Pick<ModelQuery, 'list' | 'fields' | 'per'>,
  variables: Values,
): Promise<Values[]> {
  const text = textOf(query, Object.keys(variables))
  const nodes: Values[] = []
  for (let after: string | null = null; ;) {
    const answer: { owner?: { page: Page }; page?: Page } = await caller.graphql(text, {
      ...variables,
      after,
    })
    const page = (answer.owner ?? answer).page
    if (!page) throw new Error(`${query.list} returned no page`)
    nodes.push(...page.nodes)
    if (!page.pageInfo.hasNextPage) return nodes
    after = page.pageInfo.endCursor
  }
}

/** Argument types of the lists. */
const types: Readonly<Record<string, string>> = {
  id: 'ID!',
  date: 'Date!',
  startAt: 'DateTime',
  endAt: 'DateTime',
  startMonth: 'Month!',
  endMonth: 'Month!',
}

function textOf(
  { list, fields, per }: Pick<ModelQuery, 'list' | 'fields' | 'per'>,
  names: readonly string[],
): string {
  const declared = ['$after: String', ...names.map((name) => `$${name}: ${types[name]}`)]
  const given = names.flatMap((name) =>
    name === 'id' ? [] : name === 'date' ? ['startDate: $date', 'endDate: $date'] : [`${name}: $${name}`],
  )
  const grouped = per === 'month' ? ['groupBy: [VEHICLE, JURISDICTION, MONTH]'] : []
  const args = [`first: ${PAGE}`, 'after: $after', ...given, ...grouped].join(', ')
  const page = `page: ${list}(${args}) { nodes { ${fields} } pageInfo { hasNextPage endCursor } }`
  return `query (${declared.join(', ')}) { ${per === 'vehicle' ? `owner: vehicle(id: $id) { ${page} }` : page} }`
}
