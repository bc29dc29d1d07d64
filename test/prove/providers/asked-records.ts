import { readBackQueries } from '../../support/providers/read-back/read-back-queries.ts'
import type { Asking, Values } from '../../support/providers/read-back/read-back-names.ts'
import type { Caller } from '../deletion/caller.ts'

const DAY_MS = 86_400_000
/** So many requests at once. */
const AT_ONCE = 4
const PAGE = 1000

export interface Period {
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

export function askingOf(model: string): Asking {
  const asking = readBackQueries[model]
  if (!asking) throw new Error(`nothing asks for ${model}`)
  return asking
}

interface Page {
  readonly nodes: readonly Values[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

/** What the public API tells of one connection, page by page, in the words of drafts. */
export class AskedRecords {
  private constructor(
    private readonly caller: Caller,
    /** Our ids of the vehicles that are there, by the provider's. */
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

  /** All records of a model, or those of a period where it is a series. */
  async of(model: string, period: Period): Promise<Values[]> {
    const asking = askingOf(model)
    const nodes = await this.nodesOf(model, asking, period)
    return nodes.map((node) => asking.toDraft(node))
  }

  private nodesOf(model: string, asking: Asking, { from, to }: Period): Promise<Values[]> {
    if (asking.per === 'vehicle') {
      const during = { startAt: iso(from), endAt: iso(to - 1) }
      return this.each([...this.vehicles.values()], (id) => all(this.caller, asking, { id, ...during }))
    }
    if (asking.per === 'day')
      return this.each(datesIn({ from, to }), async (date) =>
        (await all(this.caller, asking, { date })).map((node) => ({ ...node, date })),
      )
    return all(this.caller, asking, asking.per === 'month' ? monthsBefore(to) : {})
  }

  /** In turns: the service is to be asked, not flooded. */
  private async each(keys: readonly string[], ask: (key: string) => Promise<Values[]>): Promise<Values[]> {
    const found: Values[] = []
    for (let at = 0; at < keys.length; at += AT_ONCE)
      for (const nodes of await Promise.all(keys.slice(at, at + AT_ONCE).map(ask)))
        for (const node of nodes) found.push(node)
    return found
  }
}

const iso = (at: number): string => new Date(at).toISOString()

/** All dates that anybody may have in the period, wherever they live. */
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

/** A list to its end. */
async function all(
  caller: Caller,
  asking: Pick<Asking, 'list' | 'fields' | 'per'>,
  variables: Values,
): Promise<Values[]> {
  const text = textOf(asking, Object.keys(variables))
  const nodes: Values[] = []
  for (let after: string | null = null; ;) {
    const answer: { owner?: { page: Page }; page?: Page } = await caller.graphql(text, {
      ...variables,
      after,
    })
    const page = (answer.owner ?? answer).page
    if (!page) throw new Error(`${asking.list} told no page`)
    nodes.push(...page.nodes)
    if (!page.pageInfo.hasNextPage) return nodes
    after = page.pageInfo.endCursor
  }
}

/** The types of the arguments that lists take here. */
const types: Readonly<Record<string, string>> = {
  id: 'ID!',
  date: 'Date!',
  startAt: 'DateTime',
  endAt: 'DateTime',
  startMonth: 'Month!',
  endMonth: 'Month!',
}

function textOf(
  { list, fields, per }: Pick<Asking, 'list' | 'fields' | 'per'>,
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
