import { parse } from 'graphql'
import { createInProcessExecutor } from '../../../../src/gateway/gateway.ts'
import type { Database } from '../../../../src/storage/database.ts'
import type { Connection } from '../../../../src/subgraphs/connections/connection.ts'
import { ask, contextsOver, supergraph } from '../../graph/graph-harness.ts'
import { readBackQueries } from './read-back-queries.ts'
import { type Asking, toMillimeters, type Values } from './read-back-names.ts'

interface Page {
  readonly nodes: readonly Values[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

const engine = createInProcessExecutor(supergraph)

/** Asks for all that is stored of a connection over GraphQL, in the words of drafts. */
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
   * The records of a model by what each is known by, where they are asked for by time those of these days or months;
   * those of vehicles or drivers that are gone are left out.
   */
  async read(model: string, times: readonly string[]): Promise<Record<string, Values>> {
    const asking = askingOf(model)
    const told: Values[] = []
    if (asking.per === 'vehicle')
      for (const id of (await this.present('vehicles')).values())
        told.push(...(await this.all(asking, { id })))
    else if (asking.per) for (const time of times) told.push(...(await this.allOf(asking, asking.per, time)))
    else told.push(...(await this.all(asking, {})))
    const [owner, owners] =
      asking.of === 'driver'
        ? ['driverSourceId', await this.present('drivers')]
        : ['vehicleSourceId', await this.present('vehicles')]
    const drafts = told.map((node) => asking.toDraft(node))
    return keyed(drafts.filter(({ [owner]: of }) => of === undefined || owners.has(String(of))))
  }

  private async allOf(asking: Asking, period: keyof typeof timeOf, time: string): Promise<Values[]> {
    const nodes = await this.all(asking, { time })
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

  private async all(asking: Pick<Asking, 'list' | 'fields' | 'per'>, variables: Values): Promise<Values[]> {
    const document = parse(textOf(asking))
    const nodes: Values[] = []
    for (let after: string | null = null; ;) {
      const page: Page = await this.page(document, { ...variables, after })
      nodes.push(...page.nodes)
      if (!page.pageInfo.hasNextPage) return nodes
      after = page.pageInfo.endCursor
    }
  }

  private async page(document: ReturnType<typeof parse>, variables: Values): Promise<Page> {
    // Who asks across connections is told what is stored, and no provider is asked: an application has but one here.
    const { applicationId } = this.connection
    const party = { applicationId, connectionId: null, secretKey: '', token: null }
    const { data, errors } = await ask(engine, this.contextFor, { party, document, variables })
    if (errors) throw new Error(JSON.stringify(errors))
    const { owner, page } = data as { owner?: { page: Page }; page: Page }
    return owner ? owner.page : page
  }
}

/** What `read` should give where this is true. */
export const expected = (model: string, truth: readonly Values[]): Record<string, Values> =>
  keyed(truth.filter(isThere).map((draft) => toldOf(askingOf(model), draft)))

/** Some providers go on to tell of what was removed. */
export const isThere = ({ deletedAt }: Values): boolean => deletedAt == null

/** What an answer tells of a draft: speeds to a hundredth, groups in no order. */
function toldOf({ tells }: Asking, draft: Values): Values {
  const values = tells.map((name) => {
    const value = draft[name] ?? null
    if (name.endsWith('Kph') && typeof value === 'number') return [name, Math.round(value * 100) / 100]
    if (name === 'distanceKilometers') return [name, toMillimeters(value)]
    return [name, Array.isArray(value) ? value.toSorted() : value]
  })
  return Object.fromEntries(values) as Values
}

function askingOf(model: string): Asking {
  const asking = readBackQueries[model]
  if (!asking) throw new Error(`${model} cannot be read back`)
  return asking
}

const keyed = (drafts: readonly Values[]): Record<string, Values> =>
  Object.fromEntries(drafts.map((draft) => [keyOf(draft), draft]))

/** What has no id is known by whose it is, of what kind, and when. */
const keyOf = ({ sourceId, type, jurisdiction, ...draft }: Values): string =>
  sourceId != null
    ? String(sourceId)
    : [
        draft['vehicleSourceId'] ?? draft['trailerSourceId'] ?? draft['driverSourceId'],
        type,
        draft['locatedAt'] ?? draft['timestamp'] ?? draft['date'] ?? draft['month'],
        jurisdiction,
      ].join(' ')

/** Answers of one day do not tell which. */
const timeOf = { day: 'date', month: 'month' } as const

const periods = {
  day: ['Date', 'startDate: $time, endDate: $time'],
  month: ['Month', 'startMonth: $time, endMonth: $time, groupBy: [VEHICLE, JURISDICTION, MONTH]'],
} as const

function textOf({ list, fields, per }: Pick<Asking, 'list' | 'fields' | 'per'>): string {
  const page = (more = '') =>
    `page: ${list}(first: 1000, after: $after${more}) { nodes { ${fields} } pageInfo { hasNextPage endCursor } }`
  if (per === 'vehicle') return `query ($id: ID!, $after: String) { owner: vehicle(id: $id) { ${page()} } }`
  if (per === undefined) return `query ($after: String) { ${page()} }`
  const [type, asked] = periods[per]
  return `query ($time: ${type}!, $after: String) { ${page(`, ${asked}`)} }`
}
