import {
  type Caller,
  type Credentials,
  nobody,
  NOBODY_HEADER,
  readOnlySession,
  refuseWithoutScope,
} from '../auth/caller.ts'
import type { KeyScopes } from '../auth/key-scopes.ts'
import { SessionScope } from '../auth/session-scope.ts'
import { type AskingFrom, latestAsker } from '../intake/ask-latest.ts'
import { note, type Scope } from '../scope.ts'
import { onlyConnectionOf } from '../tenant.ts'
import {
  connectionReads,
  type ConnectionReadsFrom,
  type ConnectionsContext,
} from '../subgraphs/connections/reads.ts'
import type { ConnectionWritesFrom } from '../subgraphs/connections/writes-from.ts'
import { connectionWrites, type ConnectionWritesContext } from '../subgraphs/connections/writes.ts'
import {
  eventReads,
  type EventReadsFrom,
  type EventsContext,
  liveLogsOver,
} from '../subgraphs/events/reads.ts'
import {
  webhookReads,
  type WebhookReadsFrom,
  type WebhooksContext,
} from '../subgraphs/events/webhooks/reads.ts'
import type { WebhookWritesFrom } from '../subgraphs/events/webhooks/writes-from.ts'
import { webhookWrites, type WebhookWritesContext } from '../subgraphs/events/webhooks/writes.ts'
import { fleetReads, type FleetContext } from '../subgraphs/fleet/reads.ts'
import { renewingOf } from '../subgraphs/connections/credentials/open-account.ts'
import type { LiveFrom } from '../subgraphs/live.ts'
import type { ReadsFrom } from '../subgraphs/reads.ts'
import { recordReads, type RecordReadsFrom, type RecordsContext } from '../subgraphs/records/reads.ts'
import {
  telemetryReads,
  type TelemetryContext,
  type TelemetryReadsFrom,
} from '../subgraphs/telemetry/reads.ts'
import type { Renewed } from './federate.ts'
import type { Forwarded } from './remote/executor.ts'
import { APPLICATION_HEADER, CONNECTION_HEADER, SCOPES_HEADER, SESSION_HEADER } from './remote/introduce.ts'

interface Reads
  extends
    ConnectionsContext,
    FleetContext,
    RecordsContext,
    TelemetryContext,
    EventsContext,
    WebhooksContext {}

/** What every resolver of an operation sees: reads and verbs that are bound to its caller, and nothing else. */
export interface Context extends Reads, ConnectionWritesContext, WebhookWritesContext, Forwarded, Renewed {}

export type ContextFrom = ConnectionReadsFrom &
  ConnectionWritesFrom &
  Omit<EventReadsFrom, 'liveLogs'> &
  WebhookReadsFrom &
  WebhookWritesFrom &
  Omit<TelemetryReadsFrom & LiveFrom, 'renewing' | 'askLatest'> &
  AskingFrom & {
    /** Gives an operation the replica that it reads vehicles and their records from, where there are replicas. */
    forReading?(): ReadsFrom['db']
  }

/**
 * Makes the context of one operation, or of one event of a subscription: its loaders live as long as it does. What is
 * told the moment that it happens must be read where it happened: `newest`.
 */
export type ContextFor = (caller: Caller, credentials: Credentials, scope?: Scope, how?: 'newest') => Context

export function contexts(given: ContextFrom): ContextFor {
  const renewing: LiveFrom['renewing'] = (connection, signal) => renewingOf(given, connection, signal)
  const from: From = { ...given, liveLogs: liveLogsOver(given), renewing, askLatest: latestAsker(given) }
  return (caller, credentials, scope, how) => {
    note(scope, { applicationId: caller.applicationId, connectionId: onlyConnectionOf(caller) })
    const newest = how === 'newest'
    return new BoundContext(scope ? counted(from, scope) : from, caller, credentials, scope, newest)
  }
}

type From = ContextFrom & EventReadsFrom & LiveFrom & TelemetryReadsFrom

/** Counts the statements that are read for somebody. */
function counted(from: From, scope: Scope): From {
  const countedOf = <Read extends ReadsFrom['db']>(db: Read): Read => {
    const rows: typeof db.rows = (sql, parameters) => {
      scope.statements += 1
      return db.rows(sql, parameters)
    }
    return { ...db, rows }
  }
  const { db, forReading } = from
  return { ...from, db: countedOf(db), ...(forReading ? { forReading: () => countedOf(forReading()) } : {}) }
}

type DataFrom = TelemetryReadsFrom & RecordReadsFrom

interface Made {
  /** Where the fleet and its records are read: one server for the whole operation, the primary after a write. */
  data?: DataFrom
  reads: { -readonly [Name in keyof Reads]?: Reads[Name] }
  writes?: ConnectionWritesContext['writes']
  webhookWrites?: WebhookWritesContext['webhookWrites']
}

/**
 * Makes the reads of a subgraph when an operation first needs them. The getters stand on the prototype and what they
 * have made in one object: Apollo Server copies a context, its own members only. After a write all is read anew.
 */
class BoundContext implements Context {
  private readonly made: Made = { reads: {} }

  constructor(
    private readonly from: From,
    readonly caller: Caller,
    private readonly credentials: Credentials,
    readonly scope: Scope | undefined,
    private readonly newest: boolean,
  ) {}

  private get data(): DataFrom {
    return (this.made.data ??=
      this.newest || !this.from.forReading
        ? this.from
        : { ...this.from, db: this.from.forReading(), primary: this.from.db })
  }

  get connections() {
    refuseWithoutScope(this.caller, SessionScope.READ_CONNECTIONS)
    return (this.made.reads.connections ??= connectionReads(this.from, this.caller))
  }

  get fleet() {
    refuseWithoutScope(this.caller, SessionScope.READ_FLEET)
    return (this.made.reads.fleet ??= fleetReads(this.data, this.caller))
  }

  get records() {
    refuseWithoutScope(this.caller, SessionScope.READ_RECORDS)
    return (this.made.reads.records ??= recordReads(this.data, this.caller))
  }

  get telemetry() {
    refuseWithoutScope(this.caller, SessionScope.READ_TELEMETRY)
    return (this.made.reads.telemetry ??= telemetryReads(this.data, this.caller))
  }

  get events() {
    refuseWithoutScope(this.caller, SessionScope.READ_EVENTS)
    return (this.made.reads.events ??= eventReads(this.withoutTokens, this.caller))
  }

  /** A session is not told connection tokens, which stand in events too. */
  private get withoutTokens(): EventReadsFrom {
    return this.caller.session === null ? this.from : { ...this.from, secrets: null }
  }

  get webhooks() {
    if (this.caller.session !== null) throw readOnlySession()
    return (this.made.reads.webhooks ??= webhookReads(this.from, this.caller))
  }

  get writes() {
    this.mayWrite()
    return (this.made.writes ??= connectionWrites(this.from, this.caller, () => this.forget()))
  }

  get webhookWrites() {
    this.mayWrite()
    return (this.made.webhookWrites ??= webhookWrites(this.from, this.caller, () => this.forget()))
  }

  private mayWrite(): void {
    if (this.caller.session !== null) throw readOnlySession()
  }

  private forget(): void {
    this.made.reads = {}
    this.made.data = this.from
  }

  get forwarded() {
    return this.caller === nobody ? { [NOBODY_HEADER]: '1' } : headersOf(this.credentials)
  }

  get introduced() {
    return namesOf(this.caller)
  }

  renewed(): Context {
    return new BoundContext(this.from, this.caller, this.credentials, this.scope, true)
  }
}

/** Nobody has no application. */
const namesOf = ({ applicationId, connectionIds, key, session }: Caller): Record<string, string> => ({
  ...(applicationId === '' ? {} : { [APPLICATION_HEADER]: applicationId }),
  // Who knows of one connection only finds none by several.
  ...(connectionIds === null ? {} : { [CONNECTION_HEADER]: connectionIds.join(',') }),
  ...(session === null ? {} : { [SESSION_HEADER]: session.id }),
  ...scopesTold(session === null ? key?.scopes : session.keyScopes),
})

/** A key without scopes may do everything but administer: nothing is told of it. */
const scopesTold = (scopes: KeyScopes | undefined): Record<string, string> =>
  scopes ? { [SCOPES_HEADER]: scopes.join(',') } : {}

function headersOf({ authorization, connectionToken }: Credentials): Record<string, string> {
  return {
    ...(authorization === undefined ? {} : { authorization }),
    ...(connectionToken === undefined ? {} : { 'connection-token': connectionToken }),
  }
}
