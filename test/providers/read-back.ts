import { parse } from 'graphql'
import { fusedEngine } from '../../src/gateway/gateway.ts'
import type { Database } from '../../src/storage/database.ts'
import type { Connection } from '../../src/subgraphs/connections/connection.ts'
import { ask, contextsOver, supergraph } from '../graph/rig.ts'
import { askings, type Asking, type Values } from './read-back-askings.ts'

interface Page {
  readonly nodes: readonly Values[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

const engine = fusedEngine(supergraph)

/** Asks for all that is stored of a connection over GraphQL, in the words of drafts. */
export class ReadBack {
  private readonly contextFor
  private vehicles: Promise<ReadonlyMap<string, string>> | undefined

  constructor(
    db: Database,
    private readonly connection: Connection,
  ) {
    this.contextFor = contextsOver(db)
  }

  /** The records of a model by what each is known by; those of vehicles that are gone are left out. */
  async read(model: string, days: readonly string[]): Promise<Record<string, Values>> {
    const asking = askingOf(model)
    const vehicles = await (this.vehicles ??= this.presentVehicles())
    const told: Values[] = []
    if (asking.per === 'vehicle')
      for (const id of vehicles.values()) told.push(...(await this.all(asking, { id })))
    else if (asking.per === 'day')
      for (const date of days)
        told.push(...(await this.all(asking, { date })).map((node) => ({ ...node, date })))
    else told.push(...(await this.all(asking, {})))
    const drafts = told.map((node) => asking.toDraft(node))
    return keyed(drafts.filter(({ vehicleSourceId: of }) => of === undefined || vehicles.has(String(of))))
  }

  private async presentVehicles(): Promise<ReadonlyMap<string, string>> {
    const nodes = await this.all({ list: 'vehicles', fields: 'id sourceId' }, {})
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
    const { id: connectionId, applicationId } = this.connection
    const party = { applicationId, connectionId, secretKey: '', token: null }
    const { data, errors } = await ask(engine, this.contextFor, { party, document, variables })
    if (errors) throw new Error(JSON.stringify(errors))
    const { owner, page } = data as { owner?: { page: Page }; page: Page }
    return owner ? owner.page : page
  }
}

/** What `read` should give where this is true. */
export const expected = (model: string, truth: readonly Values[]): Record<string, Values> =>
  keyed(truth.map((draft) => toldOf(askingOf(model), draft)))

/** What an answer tells of a draft: speeds to a hundredth, groups in no order. */
function toldOf({ tells }: Asking, draft: Values): Values {
  const values = tells.map((name) => {
    const value = draft[name] ?? null
    if (name.endsWith('Kph') && typeof value === 'number') return [name, Math.round(value * 100) / 100]
    return [name, Array.isArray(value) ? value.toSorted() : value]
  })
  return Object.fromEntries(values) as Values
}

function askingOf(model: string): Asking {
  const asking = askings[model]
  if (!asking) throw new Error(`${model} cannot be read back`)
  return asking
}

const keyed = (drafts: readonly Values[]): Record<string, Values> =>
  Object.fromEntries(drafts.map((draft) => [keyOf(draft), draft]))

const keyOf = (draft: Values): string =>
  [
    draft['vehicleSourceId'],
    draft['sourceId'],
    draft['type'],
    draft['locatedAt'] ?? draft['timestamp'] ?? draft['date'],
  ].join(' ')

function textOf({ list, fields, per }: Pick<Asking, 'list' | 'fields' | 'per'>): string {
  const page = (more: string) =>
    `page: ${list}(first: 1000, after: $after${more}) { nodes { ${fields} } pageInfo { hasNextPage endCursor } }`
  if (per === 'vehicle') return `query ($id: ID!, $after: String) { owner: vehicle(id: $id) { ${page('')} } }`
  return per === 'day'
    ? `query ($date: Date!, $after: String) { ${page(', startDate: $date, endDate: $date')} }`
    : `query ($after: String) { ${page('')} }`
}
