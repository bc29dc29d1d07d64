import { type Caller, requireSecretKey, requireKeyScope } from '../../auth/caller.ts'
import { scopeOfNode } from '../../auth/key-scopes.ts'
import type { EnvelopeEncryption } from '../../auth/envelope-encryption.ts'
import { PublicError } from '../../domain/errors.ts'
import { kindOf } from '../../domain/ids.ts'
import { isNodeKind, type NodeRow, nodes } from '../../domain/record-models.ts'
import type { Notifier } from '../../queue/notifier.ts'
import type { Registry } from '../../providers/registry.ts'
import { arrayHolds } from '../../storage/sql/dialect.ts'
import { orderByKeys } from '../../storage/loaders/order-by-keys.ts'
import { createNamedLoader } from '../../storage/loaders/batch-loader.ts'
import { rowById, rowsByColumn } from '../../storage/loaders/loaders.ts'
import { type Page, readPage, type PageRequest } from '../../storage/pagination/pagination.ts'
import type { ListQuery } from '../../storage/pagination/list-query.ts'
import { tableOf } from '../../storage/sql/table.ts'
import {
  and,
  atLeast,
  atMost,
  before,
  equal,
  equalText,
  tenantWhere,
  oneOf,
  type Where,
} from '../../storage/sql/where.ts'
import type { Clock } from '../../domain/time.ts'
import type { RepositoryDeps } from '../schema/repository-deps.ts'
import { notifiedStream } from '../streams/notified-stream.ts'
import { Agreement } from './agreement.ts'
import { applicationRepository } from './applications/application-repository.ts'
import { type AuditFilter, auditLog } from './audit/audit-repository.ts'
import type { ApiKey } from './applications/application.ts'
import { ACTIVE_KEY } from './applications/active-key.ts'
import { Connection, type ConnectionStatus } from './connection.ts'
import { currentCode, type IssueCode } from './issues/issue-code.ts'
import { Issue, type IssueStatus, SyncIssue } from './issues/issue.ts'
import { ShortLink } from './short-links/short-link.ts'
import { isUsable } from './short-links/find-short-link.ts'
import { isBeingDeleted } from './find-connection.ts'
import { webhookUrl } from './provider-webhooks/webhook-url.ts'
import { Session } from './sessions/session.ts'
import { Sync, type SyncStatus } from './syncs/sync.ts'
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

/** In which direction a list runs. */
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
  /** Where fleets sign in again, without a slash at the end. */
  linkUrl(): string
  /** Where this service is reached from outside, without a slash at the end. */
  publicUrl(): string
}

/** The only door to the connections' tables for the fields of this subgraph, bound to one caller. */
export function connectionRepository(
  { db, cursorKey, registry, secrets, notifier, clock, linkUrl, publicUrl }: ConnectionRepositoryDeps,
  caller: Caller,
) {
  const holding = (column: string, path: string, value: string | null | undefined): Where | null =>
    value == null ? null : { sql: arrayHolds(db.dialect, column, path), parameters: [value] }
  const issue = rowById(db, issues, caller)
  const known = createNamedLoader('nodes by id', async (ids: readonly string[]) =>
    orderByKeys(ids, await existing(ids), (node) => node.id),
  )
  let publishableKey: Promise<string | null> | undefined
  const syncIssues = rowsByColumn(db, tableOf(SyncIssue), caller, 'syncId')
  return {
    caller,
    registry,
    connection: rowById(db, connections, caller),
    connections: (filter: ConnectionFilter) =>
      readPage(
        db,
        {
          table: connections,
          where: and(tenantWhere(caller), ...conditions(filter, holding)),
          order: ['id'],
          descending: filter.order === Order.DESC,
        },
        filter,
        cursorKey,
      ),
    sync: rowById(db, syncs, caller),
    syncs: (filter: SyncFilter) =>
      readPage(
        db,
        {
          table: syncs,
          where: and(tenantWhere(caller), equal('status', filter.status)),
          order: ['id'],
          descending: true,
        },
        filter,
        cursorKey,
      ),
    /** A sync as it is, and each time that it has gone on, until it ends. */
    syncProgress(id: string): AsyncIterableIterator<Sync> {
      let told: string | null = null
      return notifiedStream(
        (listener) => notifier.subscribe(syncTopic(id), listener),
        async () => {
          const sync = await rowById(db, syncs, caller).load(id)
          if (!sync) throw new PublicError('not_found', 'There is no such sync.')
          const state = JSON.stringify([sync.status, sync.progress, sync.attempts])
          if (state === told) return []
          told = state
          return [sync]
        },
        ({ completedAt }) => completedAt !== null,
      )
    },
    issue,
    issues: (filter: IssueFilter) =>
      readPage(
        db,
        { table: issues, where: and(tenantWhere(caller), ...issueConditions(filter)), order: ['id'] },
        filter,
        cursorKey,
      ),
    /** What a sync met, in the order of the issues' ids. */
    async issuesOfSync(syncId: string): Promise<Issue[]> {
      const ids = (await syncIssues.load(syncId)).map(({ issueId }) => issueId)
      const found = await issue.loadMany(ids.sort())
      return found.filter((row): row is Issue => row !== null && !(row instanceof Error))
    },
    /** Those that have not ended. */
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
    /** Those that can be followed. */
    shortLinks(request: PageRequest): Promise<Page<ShortLink>> {
      requireSecretKey(caller, 'Short links')
      const list: ListQuery<ShortLink> = {
        table: shortLinks,
        where: and(tenantWhere(caller), { sql: '`deletedAt` IS NULL', parameters: [] }),
        order: ['id'],
        shown: isUsable(clock.now()),
      }
      return readPage(db, list, request, cursorKey)
    },
    providerWebhookUrlOf: (token: string): string => webhookUrl(publicUrl(), token),
    shortUrlOf: (code: string): string => `${linkUrl()}/s/${code}`,
    ...applicationRepository({ db, cursorKey }, caller),
    auditLog: (filter: AuditFilter) => auditLog({ db, cursorKey }, caller, filter),
    agreements: rowsByColumn(db, tableOf(Agreement), caller, 'connectionId'),
    /** Whether the caller has a record with this id, of whatever kind: a mention of it, or null. */
    node(id: string): Promise<NodeRow | null> {
      const kind = kindOf(id)
      if (isNodeKind(kind)) requireKeyScope(caller, scopeOfNode[kind])
      return known.load(id)
    },
    tokenOf(connection: Connection): string {
      if (caller.session !== null) throw noTokensForSessions()
      return secrets.open(connection.tokenSealed, encryptionContext('connections.tokenSealed', connection))
    },
    /** None for a connection whose data goes or is gone: nobody signs in to it again. */
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

  /** Which of the ids are of records that the caller has: a statement for each kind of record among them. */
  async function existing(ids: readonly string[]): Promise<NodeRow[]> {
    const byTable = new Map<string, string[]>()
    for (const id of ids) {
      const kind = kindOf(id)
      if (!isNodeKind(kind)) continue
      const { table } = nodes[kind]
      byTable.set(table, [...(byTable.get(table) ?? []), id])
    }
    const found = await Promise.all(
      [...byTable].map(([table, asked]) => {
        const where = and(tenantWhere(caller), oneOf('id', asked))
        const told = table === nodes.faultCodeEvent.table ? '`id`, `protocol`' : '`id`'
        return db.rows<NodeRow>(`SELECT ${told} FROM \`${table}\` WHERE ${where.sql}`, where.parameters)
      }),
    )
    return found.flat()
  }
}

const noTokensForSessions = () => new PublicError('forbidden', 'A session may not see connection tokens.')

function conditions(
  filter: ConnectionFilter,
  holding: (column: string, path: string, value: string | null | undefined) => Where | null,
): (Where | null)[] {
  return [
    equalText('externalId', filter.externalId),
    equal('status', filter.status),
    equal('provider', filter.provider),
    atLeast('updatedAt', filter.updatedAfter),
    atMost('updatedAt', filter.updatedBefore),
    holding('tags', '$', filter.tag),
    holding('company', '$.dotNumbers', filter.dotNumber),
  ]
}

const issueConditions = (filter: IssueFilter): (Where | null)[] => [
  atLeast('lastReportedAt', filter.lastReportedAfter),
  before('lastReportedAt', filter.lastReportedBefore),
  equal('connectionId', filter.connectionId),
  equal('code', filter.errorCode && currentCode(filter.errorCode)),
  equal('status', filter.status),
]

export type ConnectionRepository = ReturnType<typeof connectionRepository>

export interface ConnectionsContext {
  readonly connections: ConnectionRepository
}
