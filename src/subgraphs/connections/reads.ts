import { type Caller, refuseUnlessKeyAlone, refuseWithoutKeyScope } from '../../auth/caller.ts'
import { scopeOfNode } from '../../auth/key-scopes.ts'
import type { SecretBox } from '../../auth/secret-box.ts'
import { PublicError } from '../../errors.ts'
import { kindOf } from '../../ids.ts'
import { isNodeKind, type NodeRow, nodes } from '../../models.ts'
import type { Doorbell } from '../../queue/doorbell.ts'
import type { Registry } from '../../providers/registry.ts'
import { arrayHolds } from '../../storage/dialect.ts'
import { inOrder } from '../../storage/in-order.ts'
import { namedLoader } from '../../storage/loader.ts'
import { rowById, rowsByColumn } from '../../storage/loaders.ts'
import { type List, type Page, readPage, type PageRequest } from '../../storage/page.ts'
import { tableOf } from '../../storage/table.ts'
import { and, atLeast, atMost, before, equal, mine, oneOf, type Where } from '../../storage/where.ts'
import type { Clock } from '../../time.ts'
import type { ReadsFrom } from '../reads.ts'
import { tail } from '../tail.ts'
import { Agreement } from './agreement.ts'
import { applicationReads } from './applications/application-reads.ts'
import { type AuditFilter, auditLog } from './audit/audit-reads.ts'
import type { ApiKey } from './applications/application.ts'
import { LIVE_KEY } from './applications/live-key.ts'
import { Connection, type ConnectionStatus } from './connection.ts'
import { currentCode, type IssueCode } from './issues/issue-code.ts'
import { Issue, type IssueStatus, SyncIssue } from './issues/issue.ts'
import { ShortLink } from './short-links/short-link.ts'
import { stillGood } from './short-links/short-links.ts'
import { isGone } from './meant-connection.ts'
import { webhookAddress } from './provider-webhooks/webhook-address.ts'
import { Session } from './sessions/session.ts'
import { Sync, type SyncStatus } from './syncs/sync.ts'
import { syncTopic } from './syncs/topics.ts'
import { sealedFor } from '../sealed-columns.ts'

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

export interface ConnectionReadsFrom extends ReadsFrom {
  readonly registry: Registry
  readonly secrets: SecretBox
  readonly doorbell: Pick<Doorbell, 'listen'>
  readonly clock: Clock
  /** Where fleets sign in again, without a slash at the end. */
  linkUrl(): string
  /** Where this service is reached from outside, without a slash at the end. */
  publicUrl(): string
}

/** The only door to the connections' tables for the fields of this subgraph, bound to one caller. */
export function connectionReads(
  { db, cursorKey, registry, secrets, doorbell, clock, linkUrl, publicUrl }: ConnectionReadsFrom,
  caller: Caller,
) {
  const holding = (column: string, path: string, value: string | null | undefined): Where | null =>
    value == null ? null : { sql: arrayHolds(db.dialect, column, path), parameters: [value] }
  const issue = rowById(db, issues, caller)
  const known = namedLoader('nodes by id', async (ids: readonly string[]) =>
    inOrder(ids, await existing(ids), (node) => node.id),
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
          where: and(mine(caller), ...conditions(filter, holding)),
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
          where: and(mine(caller), equal('status', filter.status)),
          order: ['id'],
          descending: true,
        },
        filter,
        cursorKey,
      ),
    /** A sync as it is, and each time that it has gone on, until it ends. */
    syncProgress(id: string): AsyncIterableIterator<Sync> {
      let told: string | null = null
      return tail(
        (ear) => doorbell.listen(syncTopic(id), ear),
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
        { table: issues, where: and(mine(caller), ...issueConditions(filter)), order: ['id'] },
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
      refuseUnlessKeyAlone(caller, 'Sessions')
      const list: List<Session> = {
        table: sessions,
        where: and(mine(caller), { sql: '`revokedAt` IS NULL', parameters: [] }),
        order: ['id'],
        shown: { sql: '`expiresAt` > ?', parameters: [clock.now()] },
      }
      return readPage(db, list, request, cursorKey)
    },
    /** Those that can be followed. */
    shortLinks(request: PageRequest): Promise<Page<ShortLink>> {
      refuseUnlessKeyAlone(caller, 'Short links')
      const list: List<ShortLink> = {
        table: shortLinks,
        where: and(mine(caller), { sql: '`deletedAt` IS NULL', parameters: [] }),
        order: ['id'],
        shown: stillGood(clock.now()),
      }
      return readPage(db, list, request, cursorKey)
    },
    providerWebhookUrlOf: (token: string): string => webhookAddress(publicUrl(), token),
    shortUrlOf: (code: string): string => `${linkUrl()}/s/${code}`,
    ...applicationReads({ db, cursorKey }, caller),
    auditLog: (filter: AuditFilter) => auditLog({ db, cursorKey }, caller, filter),
    agreements: rowsByColumn(db, tableOf(Agreement), caller, 'connectionId'),
    /** Whether the caller has a record with this id, of whatever kind: a mention of it, or null. */
    node(id: string): Promise<NodeRow | null> {
      const kind = kindOf(id)
      if (isNodeKind(kind)) refuseWithoutKeyScope(caller, scopeOfNode[kind])
      return known.load(id)
    },
    tokenOf(connection: Connection): string {
      if (caller.session !== null) throw noTokensForSessions()
      return secrets.open(connection.tokenSealed, sealedFor('connections.tokenSealed', connection))
    },
    /** None for a connection whose data goes or is gone: nobody signs in to it again. */
    async linkUrlOf(connection: Connection): Promise<string | null> {
      if (isGone(connection)) return null
      const key = await (publishableKey ??= newestPublishableKey())
      return `${linkUrl()}/connection/${connection.id}${key === null ? '' : `?key=${key}`}`
    },
  }

  async function newestPublishableKey(): Promise<string | null> {
    const [key] = await db.rows<Pick<ApiKey, 'publishable'>>(
      `SELECT \`publishable\` FROM \`api_keys\` WHERE \`applicationId\` = ? AND \`publishable\` IS NOT NULL AND ${LIVE_KEY} ORDER BY \`id\` DESC LIMIT 1`,
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
        const where = and(mine(caller), oneOf('id', asked))
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
    equal('externalId', filter.externalId),
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

export type ConnectionReads = ReturnType<typeof connectionReads>

export interface ConnectionsContext {
  readonly connections: ConnectionReads
}
