import { parse } from 'graphql'
import { createInProcessExecutor } from '../../../../src/gateway/gateway.ts'
import type { Database } from '../../../../src/storage/database.ts'
import type { Connection } from '../../../../src/subgraphs/connections/connection.ts'
import { ask, contextsOver, supergraph } from '../../graph/graph-harness.ts'
import { readBackQueries } from './read-back-queries.ts'
import { type ModelQuery, toMillimeters, type Values } from './read-back-names.ts'

interface Page {
  readonly nodes: readonly Values[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

const executor = createInProcessExecutor(supergraph)

/** Reads the stored records of a connection over GraphQL, as normalized records. */
export class ReadBack {
  private readonly contextFor
  private readonly members = new Map<string, Promise<ReadonlyMap<string, string>>>()

  constructor(
    db: Database,
    private readonly connection: Connection,
  ) {
    this.contextFor = contextsOver(db)
  }

  /**
   * Returns the records of a model by key. Time-dependent models are queried for these days or months.
   * Records of deleted vehicles and drivers are left out.
   */
  async read(model: string, times: readonly string[]): Promise<Record<string, Values>> {
    const query = queryOf(model)
    const reported: Values[] = []
    if (query.per === 'vehicle')
      for (const id of (await this.present('vehicles')).values())
        reported.push(...(await this.all(query, { id })))
    else if (query.per) for (const time of times) reported.push(...(await this.allOf(query, query.per, time)))
    else reported.push(...(await this.all(query, {})))
    const [owner, owners] =
      query.of === 'driver'
        ? ['driverSourceId', await this.present('drivers')]
        : ['vehicleSourceId', await this.present('vehicles')]
    const records = reported.map((node) => query.toNormalized(node))
    return keyed(records.filter(({ [owner]: of }) => of === undefined || owners.has(String(of))))
  }

  private async allOf(query: ModelQuery, period: keyof typeof timeOf, time: string): Promise<Values[]> {
    const nodes = await this.all(query, { time })
    return nodes.map((node) => ({ ...node, [timeOf[period]]: time }))
  }

  private present(list: 'vehicles' | 'drivers'): Promise<ReadonlyMap<string, string>> {
    const known = this.members.get(list) ?? this.membersOf(list)
    this.members.set(list, known)
    return known
  }

  private async membersOf(list: string): Promise<ReadonlyMap<string, string>> {
    const nodes = await this.all({ list, fields: 'id sourceId' }, {})
    return new Map(nodes.map(({ id, sourceId }) => [String(sourceId), String(id)]))
  }

  private async all(
    query: Pick<ModelQuery, 'list' | 'fields' | 'per'>,
    variables: Values,
  ): Promise<Values[]> {
    const document = parse(textOf(query))
    const nodes: Values[] = []
    for (let after: string | null = null; ;) {
      const page: Page = await this.page(document, { ...variables, after })
      nodes.push(...page.nodes)
      if (!page.pageInfo.hasNextPage) return nodes
      after = page.pageInfo.endCursor
    }
  }

  private async page(document: ReturnType<typeof parse>, variables: Values): Promise<Page> {
    // A caller without a connection token gets stored data, and the service calls no provider. The
    // application has one connection.
    const { applicationId } = this.connection
    const client = { applicationId, connectionId: null, secretKey: '', token: null }
    const { data, errors } = await ask(executor, this.contextFor, { client, document, variables })
    if (errors) throw new Error(JSON.stringify(errors))
    const { owner, page } = data as { owner?: { page: Page }; page: Page }
    return owner ? owner.page : page
  }
}

/** Returns the expected result of `read` for these records. */
export const expected = (model: string, truth: readonly Values[]): Record<string, Values> =>
  keyed(truth.filter(isThere).map((normalized) => responseMembersOf(queryOf(model), normalized)))

/** Some providers still return removed records. */
export const isThere = ({ deletedAt }: Values): boolean => deletedAt == null

/** Reduces a normalized record to the members of a response. Rounds speeds to hundredths and sorts groups. */
function responseMembersOf({ members }: ModelQuery, normalized: Values): Values {
  const values = members.map((name) => {
    const value = normalized[name] ?? null
    if (name.endsWith('Kph') && typeof value === 'number') return [name, Math.round(value * 100) / 100]
    if (name === 'distanceKilometers') return [name, toMillimeters(value)]
    return [name, Array.isArray(value) ? value.toSorted() : value]
  })
  return Object.fromEntries(values) as Values
}

function queryOf(model: string): ModelQuery {
  const query = readBackQueries[model]
  if (!query) throw new Error(`${model} cannot be read back`)
  return query
}

const keyed = (records: readonly Values[]): Record<string, Values> =>
  Object.fromEntries(records.map((normalized) => [keyOf(normalized), normalized]))

/** Key of a record: its id, or its owner, type and time. */
const keyOf = ({ sourceId, type, jurisdiction, ...normalized }: Values): string =>
  sourceId != null
    ? String(sourceId)
    : [
        normalized['vehicleSourceId'] ?? normalized['trailerSourceId'] ?? normalized['driverSourceId'],
        type,
        normalized['locatedAt'] ?? normalized['timestamp'] ?? normalized['date'] ?? normalized['month'],
        jurisdiction,
      ].join(' ')

/** The response for one day or month does not contain it. */
const timeOf = { day: 'date', month: 'month' } as const

const periods = {
  day: ['Date', 'startDate: $time, endDate: $time'],
  month: ['Month', 'startMonth: $time, endMonth: $time, groupBy: [VEHICLE, JURISDICTION, MONTH]'],
} as const

function textOf({ list, fields, per }: Pick<ModelQuery, 'list' | 'fields' | 'per'>): string {
  const page = (more = '') =>
    `page: ${list}(first: 1000, after: $after${more}) { nodes { ${fields} } pageInfo { hasNextPage endCursor } }`
  if (per === 'vehicle') return `query ($id: ID!, $after: String) { owner: vehicle(id: $id) { ${page()} } }`
  if (per === undefined) return `query ($after: String) { ${page()} }`
  const [type, requested] = periods[per]
  return `query ($time: ${type}!, $after: String) { ${page(`, ${requested}`)} }`
}
