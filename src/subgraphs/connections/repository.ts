import { type Caller, requireSecretKey, requireKeyScope } from '../../auth/caller.ts'
import { scopeOfNode } from '../../auth/key-scopes.ts'
import type { EnvelopeEncryption } from '../../auth/envelope-encryption.ts'
import { invalidArgument, PublicError } from '../../domain/errors.ts'
import { kindOf } from '../../domain/ids.ts'
import { isNodeKind, type NodeRow, nodes } from '../../domain/record-models.ts'
import type { Notifier } from '../../queue/notifier.ts'
import type { Registry } from '../../providers/registry.ts'
import { arrayHolds } from '../../storage/sql/dialect.ts'
import { orderByKeys } from '../../storage/loaders/order-by-keys.ts'
import { createNamedLoader } from '../../storage/loaders/batch-loader.ts'
import { pagesByParent, rowById, rowsByColumn } from '../../storage/loaders/loaders.ts'
import { type Page, pageRequestOf, readPage, type PageRequest } from '../../storage/pagination/pagination.ts'
import type { ListQuery } from '../../storage/pagination/list-query.ts'
import { tableOf, tableWithColumns } from '../../storage/sql/table.ts'
import {
  and,
  atLeast,
  atMost,
  before,
  equal,
  equalText,
  indexOf,
  tenantWhere,
  oneOf,
  type Where,
} from '../../storage/sql/where.ts'
import type { Clock } from '../../domain/time.ts'
import { idFilter } from '../schema/id-arguments.ts'
import type { RepositoryDeps } from '../schema/repository-deps.ts'
import { notifiedStream } from '../streams/notified-stream.ts'
import { Agreement } from './agreement.ts'
import { applicationRepository } from './applications/application-repository.ts'
import { findApplication } from './applications/lock-application.ts'
import { type AuditFilter, auditLog } from './audit/audit-repository.ts'
import type { ApiKey } from './applications/application.ts'
import { ACTIVE_KEY } from './applications/active-key.ts'
import { Connection, type ConnectionStatus } from './connection.ts'
import { currentCode, type IssueCode } from './issues/issue-code.ts'
import { Issue, type IssueStatus, SyncIssue } from './issues/issue.ts'
import { ShortLink } from './short-links/short-link.ts'
import { validShortLinkWhere } from './short-links/find-short-link.ts'
import { isBeingDeleted } from './find-connection.ts'
import { availableProviders } from './providers/available-providers.ts'
import { HeldRemoval } from './removals/held-removal.ts'
import { requestLogRepository } from './requests/request-log-repository.ts'
import { webhookUrl } from './provider-webhooks/webhook-url.ts'
import { Session } from './sessions/session.ts'
import { Sync, SyncStatus } from './syncs/sync.ts'
import { syncTopic } from './syncs/topics.ts'
import { encryptionContext } from '../tables/encrypted-columns.ts'

const connections = tableOf(Connection)
const syncs = tableOf(Sync)
const issues = tableOf(Issue)
const sessions = tableOf(Session)
const shortLinks = tableOf(ShortLink)

export interface ConnectionFilter extends PageRequest {
  readonly externalId?: string | null
  readonly dotNumber?: string | null
  readonly tag?: string | null
  readonly updatedAfter?: number | null
  readonly updatedBefore?: number | null
  readonly status?: ConnectionStatus | null
  readonly provider?: string | null
  readonly order?: Order | null
}

/** Order of a list. */
export enum Order {
  ASC = 'asc',
  DESC = 'desc',
}

export interface IssueFilter extends PageRequest {
  readonly lastReportedAfter?: number | null
  readonly lastReportedBefore?: number | null
  readonly connectionId?: string | null
  readonly errorCode?: IssueCode | null
  readonly status?: IssueStatus | null
}

export interface SyncFilter extends PageRequest {
  readonly status?: SyncStatus | null
}

export interface ConnectionRepositoryDeps extends RepositoryDeps {
  readonly registry: Registry
  readonly secrets: EnvelopeEncryption
  readonly notifier: Pick<Notifier, 'subscribe'>
  readonly clock: Clock
  /** Base URL of the link pages, without a trailing slash. */
  linkUrl(): string
  /** Public base URL of the service, without a trailing slash. */
  publicUrl(): string
}

/**
 * Repository of the connection tables for the resolvers of this subgraph, bound to one caller. Its reads
 * contain the tenant condition.
 */
export function connectionRepository(
  { db, cursorKey, registry, secrets, notifier, clock, linkUrl, publicUrl }: ConnectionRepositoryDeps,
  caller: Caller,
) {
  const arrayContains = (column: string, path: string, value: string | null | undefined): Where | null =>
    value == null ? null : { sql: arrayHolds(db.dialect, column, path), parameters: [value] }
  const issue = rowById(db, issues, caller)
  const nodeLoader = createNamedLoader('nodes by id', async (ids: readonly string[]) =>
    orderByKeys(ids, await findNodes(ids), (node) => node.id),
  )
  let publishableKey: Promise<string | null> | undefined
  const syncIssues = rowsByColumn(db, tableOf(SyncIssue), caller, 'syncId')
  const heldRemovals = rowsByColumn(db, tableOf(HeldRemoval), caller, 'connectionId')
  const syncPages = pagesByParent<Sync>(db, cursorKey, 'connectionId')
  const issuePages = pagesByParent<Issue>(db, cursorKey, 'connectionId')
  const syncList = ({ status }: SyncFilter): ListQuery<Sync> => ({
    table: syncs,
    where: and(tenantWhere(caller), equal('status', status)),
    order: ['id'],
    descending: true,
  })
  const completedSyncs: ListQuery<Sync> = {
    ...syncList({ status: SyncStatus.COMPLETED }),
    table: tableWithColumns(syncs, ['completedAt']),
    order: ['completedAt'],
    index: ['connectionId', 'status', 'completedAt'],
  }
  const issueList = (filter: IssueFilter): ListQuery<Issue> => ({
    table: issues,
    where: and(tenantWhere(caller), ...issueConditions(filter)),
    order: ['id'],
  })
  return {
    caller,
    registry,
    /** Returns the providers that the caller's application can use. A caller without an application sees all. */
    async availableProviders(): Promise<Registry> {
      if (caller.applicationId === '') return registry
      return availableProviders(registry, await findApplication(db, caller.applicationId))
    },
    connection: rowById(db, connections, caller),
    connections: (filter: ConnectionFilter) =>
      readPage(
        db,
        {
          table: connections,
          where: and(tenantWhere(caller), ...connectionConditions(filter, arrayContains)),
          order: ['id'],
          descending: filter.order === Order.DESC,
        },
        filter,
        cursorKey,
      ),
    sync: rowById(db, syncs, caller),
    syncs: (filter: SyncFilter) => readPage(db, syncList(filter), filter, cursorKey),
    syncsOfConnection: (connectionId: string, filter: SyncFilter) =>
      syncPages(
        connectionId,
        { ...syncList(filter), index: indexInConnection(filter) },
        pageRequestOf(filter),
      ),
    /** Returns when the last successful sync of a connection completed; null without one. */
    async lastSuccessfulSyncAt(connectionId: string): Promise<number | null> {
      const { rows } = await syncPages(connectionId, completedSyncs, { first: 1 })
      return rows[0]?.completedAt ?? null
    },
    /** Streams a sync: its current state, and each change of its progress until it ends. */
    syncProgress(id: string): AsyncIterableIterator<Sync> {
      let lastState: string | null = null
      return notifiedStream(
        (listener) => notifier.subscribe(syncTopic(id), listener),
        async () => {
          const sync = await rowById(db, syncs, caller).load(id)
          if (!sync) throw new PublicError('not_found', 'There is no such sync.')
          const state = JSON.stringify([sync.status, sync.progress, sync.attempts])
          if (state === lastState) return []
          lastState = state
          return [sync]
        },
        ({ completedAt }) => completedAt !== null,
      )
    },
    issue,
    issues: (filter: IssueFilter) => readPage(db, issueList(filter), filter, cursorKey),
    issuesOfConnection: (connectionId: string, filter: IssueFilter) =>
      issuePages(
        connectionId,
        { ...issueList(filter), index: indexInConnection(filter) },
        pageRequestOf(filter),
      ),
    /** Returns the issues of a sync, ordered by id. */
    async issuesOfSync(syncId: string): Promise<Issue[]> {
      const ids = (await syncIssues.load(syncId)).map(({ issueId }) => issueId)
      const found = await issue.loadMany(ids.sort())
      return found.filter((row): row is Issue => row !== null && !(row instanceof Error))
    },
    /** Lists the active sessions. */
    sessions(request: PageRequest): Promise<Page<Session>> {
      requireSecretKey(caller, 'Sessions')
      const list: ListQuery<Session> = {
        table: sessions,
        where: and(tenantWhere(caller), { sql: '`revokedAt` IS NULL', parameters: [] }),
        order: ['id'],
        shown: { sql: '`expiresAt` > ?', parameters: [clock.now()] },
      }
      return readPage(db, list, request, cursorKey)
    },
    /** Lists the valid short links. */
    shortLinks(request: PageRequest): Promise<Page<ShortLink>> {
      requireSecretKey(caller, 'Short links')
      const list: ListQuery<ShortLink> = {
        table: shortLinks,
        where: and(tenantWhere(caller), { sql: '`deletedAt` IS NULL', parameters: [] }),
        order: ['id'],
        shown: validShortLinkWhere(clock.now()),
      }
      return readPage(db, list, request, cursorKey)
    },
    providerWebhookUrlOf: (token: string): string => webhookUrl(publicUrl(), token),
    shortUrlOf: (code: string): string => `${linkUrl()}/s/${code}`,
    ...applicationRepository({ db, cursorKey }, caller),
    auditLog: (filter: AuditFilter) => auditLog({ db, cursorKey }, caller, filter),
    ...requestLogRepository({ db, cursorKey }, caller),
    agreements: rowsByColumn(db, tableOf(Agreement), caller, 'connectionId'),
    /** Returns the held removals of a connection, ordered by model. */
    async heldRemovalsOfConnection(connectionId: string): Promise<HeldRemoval[]> {
      const held = await heldRemovals.load(connectionId)
      return held.toSorted((one, other) => (one.model < other.model ? -1 : 1))
    },
    /** Returns a reference to the record of any type with this id. Null if the caller has none. */
    async node(id: string, argument = 'id'): Promise<NodeRow | null> {
      const kind = kindOf(id)
      if (!isNodeKind(kind))
        throw invalidArgument(argument, 'Give ids of records with the interface Node only.')
      requireKeyScope(caller, scopeOfNode[kind])
      return nodeLoader.load(id)
    },
    tokenOf(connection: Connection): string {
      if (caller.session !== null) throw tokensForbiddenError()
      return secrets.open(connection.tokenSealed, encryptionContext('connections.tokenSealed', connection))
    },
    /**
     * Returns the URL where the fleet signs in again. Null if the data of the connection is being deleted,
     * because no sign-in is possible.
     */
    async linkUrlOf(connection: Connection): Promise<string | null> {
      if (isBeingDeleted(connection)) return null
      const key = await (publishableKey ??= newestPublishableKey())
      return `${linkUrl()}/connection/${connection.id}${key === null ? '' : `?key=${key}`}`
    },
  }

  async function newestPublishableKey(): Promise<string | null> {
    const [key] = await db.rows<Pick<ApiKey, 'publishable'>>(
      `SELECT \`publishable\` FROM \`api_keys\` WHERE \`applicationId\` = ? AND \`publishable\` IS NOT NULL AND ${ACTIVE_KEY} ORDER BY \`id\` DESC LIMIT 1`,
      [caller.applicationId, clock.now()],
    )
    return key?.publishable ?? null
  }

  /** Returns the records of the caller among the ids, with one statement per table. */
  async function findNodes(ids: readonly string[]): Promise<NodeRow[]> {
    const byTable = new Map<string, string[]>()
    for (const id of ids) {
      const kind = kindOf(id)
      if (!isNodeKind(kind)) continue
      const { table } = nodes[kind]
      byTable.set(table, [...(byTable.get(table) ?? []), id])
    }
    const found = await Promise.all(
      [...byTable].map(([table, tableIds]) => {
        const where = and(tenantWhere(caller), oneOf('id', tableIds))
        // The GraphQL type of a fault code event depends on its protocol.
        const columns = table === nodes.faultCodeEvent.table ? '`id`, `protocol`' : '`id`'
        return db.rows<NodeRow>(`SELECT ${columns} FROM \`${table}\` WHERE ${where.sql}`, where.parameters)
      }),
    )
    return found.flat()
  }
}

const tokensForbiddenError = () => new PublicError('forbidden', 'A session cannot read connection tokens.')

function connectionConditions(
  filter: ConnectionFilter,
  arrayContains: (column: string, path: string, value: string | null | undefined) => Where | null,
): (Where | null)[] {
  return [
    equalText('externalId', filter.externalId),
    equal('status', filter.status),
    equal('provider', filter.provider),
    atLeast('updatedAt', filter.updatedAfter),
    atMost('updatedAt', filter.updatedBefore),
    arrayContains('tags', '$', filter.tag),
    arrayContains('company', '$.dotNumbers', filter.dotNumber),
  ]
}

/** Returns the columns of the index that has the syncs or issues of a connection in the order of their ids. */
const indexInConnection = ({ status }: SyncFilter | IssueFilter): readonly string[] | undefined =>
  status == null ? indexOf('connectionId', ['id']) : ['connectionId', 'status']

const issueConditions = (filter: IssueFilter): (Where | null)[] => [
  atLeast('lastReportedAt', filter.lastReportedAfter),
  before('lastReportedAt', filter.lastReportedBefore),
  idFilter('connection', filter.connectionId),
  equal('code', filter.errorCode && currentCode(filter.errorCode)),
  equal('status', filter.status),
]

export type ConnectionRepository = ReturnType<typeof connectionRepository>

export interface ConnectionsContext {
  readonly connections: ConnectionRepository
}
