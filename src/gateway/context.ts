import {
  type Caller,
  type Credentials,
  anonymous,
  ANONYMOUS_HEADER,
  readOnlySession,
  requireScope,
} from '../auth/caller.ts'
import type { KeyScopes } from '../auth/key-scopes.ts'
import { SessionScope } from '../auth/session-scopes.ts'
import { addLogFields, type LogContext } from '../platform/logging/log-context.ts'
import { onlyConnectionOf } from '../domain/tenant-scope.ts'
import {
  connectionRepository,
  type ConnectionRepositoryDeps,
  type ConnectionsContext,
} from '../subgraphs/connections/repository.ts'
import type { ConnectionCommandDeps } from '../subgraphs/connections/command-deps.ts'
import { connectionCommands, type ConnectionCommandsContext } from '../subgraphs/connections/commands.ts'
import {
  eventRepository,
  type EventRepositoryDeps,
  type EventsContext,
  createEventLogCaches,
} from '../subgraphs/events/repository.ts'
import {
  webhookRepository,
  type WebhookRepositoryDeps,
  type WebhooksContext,
} from '../subgraphs/events/webhooks/repository.ts'
import type { WebhookCommandDeps } from '../subgraphs/events/webhooks/command-deps.ts'
import { webhookCommands, type WebhookCommandsContext } from '../subgraphs/events/webhooks/commands.ts'
import { fleetRepository, type FleetContext } from '../subgraphs/fleet/repository.ts'
import { renewableCredentials } from '../subgraphs/connections/credentials/open-account.ts'
import type { ProviderCallDeps } from '../subgraphs/on-demand/provider-calls.ts'
import type { RepositoryDeps } from '../subgraphs/schema/repository-deps.ts'
import {
  recordRepository,
  type RecordRepositoryDeps,
  type RecordsContext,
} from '../subgraphs/records/repository.ts'
import {
  telemetryRepository,
  type TelemetryContext,
  type TelemetryRepositoryDeps,
} from '../subgraphs/telemetry/repository.ts'
import type { RenewableContext } from './federated-executor.ts'
import type { ForwardedContext } from './remote/remote-executor.ts'
import {
  APPLICATION_HEADER,
  CONNECTION_HEADER,
  SCOPES_HEADER,
  SESSION_HEADER,
} from './remote/identity-headers.ts'

interface Reads
  extends
    ConnectionsContext,
    FleetContext,
    RecordsContext,
    TelemetryContext,
    EventsContext,
    WebhooksContext {}

/** What every resolver of an operation sees: reads and verbs that are bound to its caller, and nothing else. */
export interface Context
  extends Reads, ConnectionCommandsContext, WebhookCommandsContext, ForwardedContext, RenewableContext {}

export type ContextDeps = ConnectionRepositoryDeps &
  ConnectionCommandDeps &
  Omit<EventRepositoryDeps, 'logCaches'> &
  WebhookRepositoryDeps &
  WebhookCommandDeps &
  Omit<TelemetryRepositoryDeps & ProviderCallDeps, 'renewing'> & {
    /** Gives an operation the replica that it reads vehicles and their records from, where there are replicas. */
    forReading?(): RepositoryDeps['db']
  }

/**
 * Makes the context of one operation, or of one event of a subscription: its loaders live as long as it does. What is
 * told the moment that it happens must be read where it happened: `newest`.
 */
export type ContextFor = (
  caller: Caller,
  credentials: Credentials,
  logContext?: LogContext,
  how?: 'newest',
) => Context

export function createContextFactory(given: ContextDeps): ContextFor {
  const renewing: ProviderCallDeps['renewing'] = (connection, signal) =>
    renewableCredentials(given, connection, signal)
  const deps: BoundDeps = {
    ...given,
    logCaches: createEventLogCaches(given),
    renewing,
  }
  return (caller, credentials, logContext, how) => {
    addLogFields(logContext, { applicationId: caller.applicationId, connectionId: onlyConnectionOf(caller) })
    const newest = how === 'newest'
    return new BoundContext(
      logContext ? countStatements(deps, logContext) : deps,
      caller,
      credentials,
      logContext,
      newest,
    )
  }
}

type BoundDeps = ContextDeps & EventRepositoryDeps & ProviderCallDeps & TelemetryRepositoryDeps

/** Counts the statements that are read for somebody. */
function countStatements(deps: BoundDeps, logContext: LogContext): BoundDeps {
  const countedOf = <Read extends RepositoryDeps['db']>(db: Read): Read => {
    const rows: typeof db.rows = (sql, parameters) => {
      logContext.statements += 1
      return db.rows(sql, parameters)
    }
    return { ...db, rows }
  }
  const { db, forReading } = deps
  return { ...deps, db: countedOf(db), ...(forReading ? { forReading: () => countedOf(forReading()) } : {}) }
}

type DataDeps = TelemetryRepositoryDeps & RecordRepositoryDeps

interface Made {
  /** Where the fleet and its records are read: one server for the whole operation, the primary after a write. */
  data?: DataDeps
  reads: { -readonly [Name in keyof Reads]?: Reads[Name] }
  writes?: ConnectionCommandsContext['writes']
  webhookWrites?: WebhookCommandsContext['webhookCommands']
}

/**
 * Makes the reads of a subgraph when an operation first needs them. The getters stand on the prototype and what they
 * have made in one object: Apollo Server copies a context, its own members only. After a write all is read anew.
 */
class BoundContext implements Context {
  private readonly made: Made = { reads: {} }

  constructor(
    private readonly deps: BoundDeps,
    readonly caller: Caller,
    private readonly credentials: Credentials,
    readonly logContext: LogContext | undefined,
    private readonly newest: boolean,
  ) {}

  private get data(): DataDeps {
    return (this.made.data ??=
      this.newest || !this.deps.forReading
        ? this.deps
        : { ...this.deps, db: this.deps.forReading(), primary: this.deps.db })
  }

  get connections() {
    requireScope(this.caller, SessionScope.READ_CONNECTIONS)
    return (this.made.reads.connections ??= connectionRepository(this.deps, this.caller))
  }

  get fleet() {
    requireScope(this.caller, SessionScope.READ_FLEET)
    return (this.made.reads.fleet ??= fleetRepository(this.data, this.caller))
  }

  get records() {
    requireScope(this.caller, SessionScope.READ_RECORDS)
    return (this.made.reads.records ??= recordRepository(this.data, this.caller))
  }

  get telemetry() {
    requireScope(this.caller, SessionScope.READ_TELEMETRY)
    return (this.made.reads.telemetry ??= telemetryRepository(this.data, this.caller))
  }

  get events() {
    requireScope(this.caller, SessionScope.READ_EVENTS)
    return (this.made.reads.events ??= eventRepository(this.withoutTokens, this.caller))
  }

  /** A session is not told connection tokens, which stand in events too. */
  private get withoutTokens(): EventRepositoryDeps {
    return this.caller.session === null ? this.deps : { ...this.deps, secrets: null }
  }

  get webhooks() {
    if (this.caller.session !== null) throw readOnlySession()
    return (this.made.reads.webhooks ??= webhookRepository(this.deps, this.caller))
  }

  get writes() {
    this.mayWrite()
    return (this.made.writes ??= connectionCommands(this.deps, this.caller, () => this.forget()))
  }

  get webhookCommands() {
    this.mayWrite()
    return (this.made.webhookWrites ??= webhookCommands(this.deps, this.caller, () => this.forget()))
  }

  private mayWrite(): void {
    if (this.caller.session !== null) throw readOnlySession()
  }

  private forget(): void {
    this.made.reads = {}
    this.made.data = this.deps
  }

  get forwarded() {
    return this.caller === anonymous ? { [ANONYMOUS_HEADER]: '1' } : headersOf(this.credentials)
  }

  get identity() {
    return namesOf(this.caller)
  }

  fresh(): Context {
    return new BoundContext(this.deps, this.caller, this.credentials, this.logContext, true)
  }
}

/** Nobody has no application. */
const namesOf = ({ applicationId, connectionIds, key, session }: Caller): Record<string, string> => ({
  ...(applicationId === '' ? {} : { [APPLICATION_HEADER]: applicationId }),
  // Who knows of one connection only finds none by several.
  ...(connectionIds === null ? {} : { [CONNECTION_HEADER]: connectionIds.join(',') }),
  ...(session === null ? {} : { [SESSION_HEADER]: session.id }),
  ...forwardedScopes(session === null ? key?.scopes : session.keyScopes),
})

/** A key without scopes may do everything but administer: nothing is told of it. */
const forwardedScopes = (scopes: KeyScopes | undefined): Record<string, string> =>
  scopes ? { [SCOPES_HEADER]: scopes.join(',') } : {}

function headersOf({ authorization, connectionToken }: Credentials): Record<string, string> {
  return {
    ...(authorization === undefined ? {} : { authorization }),
    ...(connectionToken === undefined ? {} : { 'connection-token': connectionToken }),
  }
}
