import type { ContextFor } from '../../src/gateway/context.ts'
import { contexts } from '../../src/gateway/context.ts'
import { fusedEngine } from '../../src/gateway/gateway.ts'
import { registry } from '../../src/providers/registry.ts'
import { inProcessDoorbell } from '../../src/queue/doorbell.ts'
import { inProcessQueue } from '../../src/queue/in-process.ts'
import type { Database } from '../../src/storage/database.ts'
import type { Dialect } from '../../src/storage/dialect.ts'
import { WEBHOOKS_TOPIC } from '../../src/subgraphs/events/webhooks/topics.ts'
import { masterBox, NOON, type Party, type PlantedApplication, temporaryDatabase } from '../factories.ts'
import { plantApplication } from '../factories.ts'
import { type Answer, ask, documentOf, supergraph } from '../graph/rig.ts'

const engine = fusedEngine(supergraph)

export const RECEIVER = 'https://receiver.example.com/hook'

/** What a caller is told of one operation. */
export interface Told {
  // oxlint-disable-next-line typescript/no-explicit-any -- a payload is what was selected
  readonly payload: any
  readonly code: string | null
  /** Which member was wrong. */
  readonly path: string | null
  readonly message: string | null
}

/** The graph over a database of its own, with a clock that stands until it is moved, and ears for the doorbell. */
export class EndpointsRig {
  now = NOON
  /** How often the courier was told to look. */
  rings = 0
  readonly contextFor: ContextFor

  private constructor(readonly db: Database & AsyncDisposable) {
    const doorbell = inProcessDoorbell()
    doorbell.listen(WEBHOOKS_TOPIC, () => void this.rings++)
    this.contextFor = contexts({
      db,
      doorbell,
      queue: inProcessQueue({ onError: () => undefined }),
      clock: { now: () => this.now },
      cursorKey: masterBox.derive('cursors'),
      registry: registry([]),
      secrets: masterBox,
      linkUrl: () => 'https://link.example.com',
      mediaUrl: () => 'https://media.example.com',
    })
  }

  static start = async (dialect: Dialect): Promise<EndpointsRig> =>
    new EndpointsRig(await temporaryDatabase(dialect))

  /** An application with so many connections. */
  plant = (connections = 1): Promise<PlantedApplication> =>
    plantApplication(
      this.db,
      Array.from({ length: connections }, () => () => ({})),
    )

  ask = (party: Party, text: string, variables: Readonly<Record<string, unknown>> = {}): Promise<Answer> =>
    ask(engine, this.contextFor, { party, document: documentOf(text), variables })

  /** Runs one mutation. */
  async mutate(party: Party, name: string, input: object, selection: string): Promise<Told> {
    const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`
    const text = `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`
    const { data, errors } = await this.ask(party, text, { input })
    const [error] = errors ?? []
    const detail = (error?.extensions as { detail?: { path: string }[] } | undefined)?.detail
    return {
      payload: (data as Record<string, unknown> | null)?.[name] ?? null,
      code: error?.extensions?.code ?? null,
      path: Array.isArray(detail) ? (detail[0]?.path ?? null) : null,
      message: error?.message ?? null,
    }
  }

  /** Makes an endpoint; gives its id. */
  async endpoint(party: Party, wish: object = {}): Promise<string> {
    const { payload, message } = await this.mutate(
      party,
      'createWebhookEndpoint',
      { url: RECEIVER, ...wish },
      'endpoint { id }',
    )
    if (!payload) throw new Error(String(message))
    return payload.endpoint.id as string
  }

  rows = <Row = Record<string, unknown>>(table: string, where = '1 = 1', ...parameters: unknown[]) =>
    this.db.rows<Row>(`SELECT * FROM \`${table}\` WHERE ${where}`, parameters)

  run = (sql: string, ...parameters: unknown[]): Promise<number> =>
    this.db.transaction((tx) => tx.run(sql, parameters))

  async [Symbol.asyncDispose](): Promise<void> {
    await this.db[Symbol.asyncDispose]()
  }
}
