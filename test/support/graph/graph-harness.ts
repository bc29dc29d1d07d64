import { type DocumentNode, type ExecutionResult, GraphQLError, parse, validate } from 'graphql'
import { pino } from 'pino'
import { authenticator, type Authenticate, type Credentials } from '../../../src/auth/caller.ts'
import { maskErrors } from '../../../src/gateway/error-masking.ts'
import { compose } from '../../../src/gateway/compose.ts'
import { type ContextFor, createContextFactory } from '../../../src/gateway/context.ts'
import type { Executor } from '../../../src/gateway/execution/executor.ts'
import { chooseOperation } from '../../../src/gateway/operation.ts'
import { subgraphs } from '../../../src/gateway/subgraphs.ts'
import { modelNames } from '../../../src/domain/record-models.ts'
import type { Manifest, ProviderAdapter } from '../../../src/providers/provider.ts'
import { createLog } from '../../../src/platform/logging/log.ts'
import { registry } from '../../../src/providers/registry.ts'
import { type Notifier, createInProcessNotifier } from '../../../src/queue/notifier.ts'
import { inProcessQueue } from '../../../src/queue/in-process-queue.ts'
import type { Database } from '../../../src/storage/database.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { ApiKey } from '../../../src/subgraphs/connections/applications/application.ts'
import { Connection } from '../../../src/subgraphs/connections/connection.ts'
import { systemClock } from '../../../src/domain/time.ts'
import { callerOf, masterEncryption, type ApiClient, newRenewals } from '../factories.ts'

export const supergraph = compose(subgraphs)

export const silent = pino({ level: 'silent' })

const manifest: Manifest = {
  code: 'sandbox',
  name: 'Sandbox',
  status: 'sandbox',
  logo: 'https://example.com/logo.svg',
  icon: 'https://example.com/icon.svg',
  supportedModels: Object.fromEntries(
    modelNames.map((name) => [
      name,
      name === 'Trip' ? { read: 'supported', types: ['one'] } : { read: 'not_supported' },
    ]),
  ) as Manifest['supportedModels'],
  references: [{ type: 'developer-docs', url: 'https://example.com', label: 'Docs' }],
  signIns: [],
}

/** A provider stub: tests use only its manifest and its safety event videos. */
const adapter = {
  manifest,
  api: () => ({}),
  cameraMedia: (_api: unknown, eventSourceId: string) =>
    Promise.resolve({
      raw: { event: eventSourceId },
      files: { frontFacing: { sourceId: null, url: 'https://films.example.com/1' }, rearFacing: null },
    }),
} as unknown as ProviderAdapter

/** Deadline that a busy machine does not miss. */
const NEVER_LATE_MS = 30_000

/** Returns the context of resolvers: a database and a provider. */
export const contextsOver = (
  db: Pick<Database, 'rows' | 'dialect' | 'transaction'>,
  notifier: Notifier = createInProcessNotifier(),
  forReading?: Database['forReading'],
  purchaseDeadlineMs = NEVER_LATE_MS,
): ContextFor =>
  createContextFactory({
    db,
    purchaseDeadlineMs,
    log: createLog('silent'),
    ...(forReading ? { forReading } : {}),
    queue: inProcessQueue({ onError: () => undefined }),
    clock: systemClock,
    publicUrl: () => 'https://api.example.com',
    mediaUrl: ({ facing }) => `https://media.example.com/${facing}`,
    cursorKey: masterEncryption.derive('cursors'),
    notifier,
    renewals: newRenewals(),
    registry: registry([adapter]),
    secrets: masterEncryption,
    linkUrl: () => 'https://link.example.com',
    pollOnDemand: () => Promise.resolve(),
  })

/** Looks up keys and tokens in the tables. */
export const authenticatorOver = (db: Pick<Database, 'rows'>): Authenticate =>
  authenticator({
    async secretKey(hash) {
      const [row] = await db.rows<Pick<ApiKey, 'id' | 'applicationId'>>(
        `SELECT id, applicationId FROM ${tableOf(ApiKey).name} WHERE hash = ?`,
        [hash],
      )
      return row ? { ...row, scopes: null, expiresAt: null } : null
    },
    async connectionOfToken(hash) {
      const [row] = await db.rows<Pick<Connection, 'id' | 'applicationId'>>(
        `SELECT id, applicationId FROM ${tableOf(Connection).name} WHERE tokenHash = ?`,
        [hash],
      )
      return row ?? null
    },
  })

export const credentialsOf = ({ secretKey, token }: ApiClient): Credentials => ({
  authorization: `Bearer ${secretKey}`,
  ...(token === null ? {} : { connectionToken: token }),
})

export interface Asked {
  readonly client: ApiClient
  readonly document: DocumentNode
  readonly variables?: Readonly<Record<string, unknown>> | undefined
  readonly operationName?: string | undefined
}

/** A response as the caller receives it. */
export type Answer = Pick<ExecutionResult, 'data'> & { readonly errors?: readonly PlainError[] }

export interface PlainError {
  readonly message: string
  readonly path?: readonly (string | number)[]
  readonly extensions?: { readonly code?: string }
}

/** Executes an operation as the gateway does. */
export async function ask(
  executor: Executor,
  contextFor: ContextFor,
  { client, document, operationName, variables }: Asked,
): Promise<Answer> {
  const context = contextFor({ caller: callerOf(client), credentials: credentialsOf(client) })
  const operation = chooseOperation(document, operationName)
  const result =
    operation instanceof GraphQLError
      ? { errors: [operation] }
      : await executor.execute({ operation, variables, context })
  return JSON.parse(JSON.stringify(maskErrors(result, silent))) as Answer
}

const documents = new Map<string, DocumentNode>()

/** Returns the parsed document of a text, always the same object: executors cache operations by it. */
export function documentOf(text: string): DocumentNode {
  const known = documents.get(text)
  if (known) return known
  const document = parse(text)
  const errors = validate(supergraph.apiSchema, document)
  if (errors.length > 0) throw new Error(`${errors.join('; ')}\n${text}`)
  documents.set(text, document)
  return document
}
