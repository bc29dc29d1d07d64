import {
  type Caller,
  type Credentials,
  anonymous,
  ANONYMOUS_HEADER,
  isReadOnly,
  readOnlySessionError,
  requireSessionScope,
} from '../auth/caller.ts'
import type { KeyScopes } from '../auth/key-scopes.ts'
import { SessionScope } from '../auth/session-scopes.ts'
import {
  connectionRepository,
  type ConnectionRepositoryDeps,
  type ConnectionsContext,
} from '../subgraphs/connections/repository.ts'
import type { ConnectionCommandDeps } from '../subgraphs/connections/command-deps.ts'
import { connectionCommands, type ConnectionCommandsContext } from '../subgraphs/connections/commands.ts'
import {
  type TrustedDocumentRepository,
  trustedDocumentRepository,
} from '../subgraphs/connections/trusted-documents/trusted-document-repository.ts'
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
import { payloadDepsFor } from '../subgraphs/events/event-payloads.ts'
import type { WebhookCommandDeps } from '../subgraphs/events/webhooks/command-deps.ts'
import { webhookCommands, type WebhookCommandsContext } from '../subgraphs/events/webhooks/commands.ts'
import { vehicleCommands, type VehicleCommandsContext } from '../subgraphs/fleet/commands.ts'
import { fleetRepository, type FleetContext } from '../subgraphs/fleet/repository.ts'
import { renewableCredentials } from '../subgraphs/connections/credentials/open-account.ts'
import type { ProviderCallDeps } from '../subgraphs/on-demand/provider-calls.ts'
import type { PurchaseCommandDeps } from '../subgraphs/purchases/check-purchase.ts'
import { purchaseCommands, type PurchaseCommandsContext } from '../subgraphs/purchases/commands.ts'
import { purchaseRepository, type PurchasesContext } from '../subgraphs/purchases/repository.ts'
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
import {
  createVisibleReads,
  type VisibleContext,
  type VisibleReads,
} from '../subgraphs/tables/visible-reads.ts'
import type { RenewableContext } from './execution/federated-executor.ts'
import { FairShares, type FairShare, type OperationReads } from './load/fair-shares.ts'
import { OperationLifetime } from './load/operation-lifetime.ts'
import { ReadSize } from './load/read-size.ts'
import type { ForwardedContext } from './remote/remote-executor.ts'
import {
  APPLICATION_HEADER,
  CONNECTION_HEADER,
  SCOPES_HEADER,
  SESSION_HEADER,
} from './remote/identity-headers.ts'
import type { Requester } from './requester.ts'

interface Reads
  extends
    ConnectionsContext,
    FleetContext,
    RecordsContext,
    TelemetryContext,
    EventsContext,
    WebhooksContext,
    PurchasesContext,
    VisibleContext {}

/**
 * Context of the resolvers of one operation. Its repositories and commands are bound to the caller;
 * resolvers have no other access to data.
 */
export interface Context
  extends
    Reads,
    ConnectionCommandsContext,
    WebhookCommandsContext,
    VehicleCommandsContext,
    PurchaseCommandsContext,
    ForwardedContext,
    RenewableContext {
  /** Share of the application in the event loop and the database. */
  readonly share: FairShare
  /** Documents that the application has published. Callers run them whatever their scopes. */
  readonly trustedDocuments: TrustedDocumentRepository
  readonly idempotencyKey: Requester['idempotencyKey']
  readonly lifetime: OperationLifetime
}

export type ContextDeps = ConnectionRepositoryDeps &
  ConnectionCommandDeps &
  Omit<EventRepositoryDeps, 'logCaches'> &
  WebhookRepositoryDeps &
  WebhookCommandDeps &
  Omit<PurchaseCommandDeps, 'runningChecks'> &
  Omit<TelemetryRepositoryDeps & ProviderCallDeps, 'renewing'> & {
    /**
     * Chooses the replica that one operation reads fleet, records and telemetry from. Absent without
     * replicas.
     */
    forReading?(): RepositoryDeps['db']
    /** Number of statements that the reads of one application may have at the database. 1 by default. */
    readonly statementsAtOnce?: number
    /** Maximum text that one operation reads from the database. 32 MB by default. */
    readonly maxReadMegabytes?: number
  }

/**
 * Creates the context of one operation, or of one event of a subscription. Its loaders live as long as the
 * context. With `newest`, every read goes to the primary, because a subscription event can be published before
 * a replica has it.
 */
export type ContextFor = (requester: Requester, consistency?: 'newest') => Context

export function createContextFactory(contextDeps: ContextDeps): ContextFor {
  const renewing: ProviderCallDeps['renewing'] = (connection, signal) =>
    renewableCredentials(contextDeps, connection, signal)
  const deps: BoundDeps = {
    ...contextDeps,
    logCaches: createEventLogCaches(contextDeps),
    runningChecks: new Map(),
    renewing,
  }
  const { statementsAtOnce = 1, maxReadMegabytes = 32 } = contextDeps
  const shares = new FairShares(statementsAtOnce)
  return (requester, consistency) => {
    const { caller, logContext, lifetime = new OperationLifetime() } = requester
    const share = shares.of(caller.applicationId)
    const bound = withReads(deps, share, {
      logContext,
      lifetime,
      size: new ReadSize(maxReadMegabytes, lifetime),
    })
    return new BoundContext(bound, { ...requester, lifetime }, share, consistency === 'newest')
  }
}

type BoundDeps = ContextDeps &
  EventRepositoryDeps &
  ProviderCallDeps &
  TelemetryRepositoryDeps &
  PurchaseCommandDeps

/** The statements of an operation count against the share of the application. They stop when the operation ends early. */
function withReads(deps: BoundDeps, share: FairShare, operation: OperationReads): BoundDeps {
  const { db, forReading } = deps
  const reads = <Db extends RepositoryDeps['db']>(database: Db) => share.reads(database, operation)
  return { ...deps, db: reads(db), ...(forReading ? { forReading: () => reads(forReading()) } : {}) }
}

type DataDeps = TelemetryRepositoryDeps & RecordRepositoryDeps

/** Repositories and commands that a context has created, and the dependencies that they share. */
interface ContextCache {
  /**
   * Dependencies of the fleet, records and telemetry repositories. These repositories read from one database
   * server for the whole operation, and from the primary after a write.
   */
  data?: DataDeps
  reads: { -readonly [Name in keyof Reads]?: Reads[Name] }
  writes?: ConnectionCommandsContext['writes']
  webhookWrites?: WebhookCommandsContext['webhookCommands']
  vehicleWrites?: VehicleCommandsContext['vehicleCommands']
  purchaseWrites?: PurchaseCommandsContext['purchaseCommands']
}

/**
 * Creates each repository when an operation first needs it. Apollo Server copies a context with
 * `Object.assign`, which would run own getters. The getters are therefore on the prototype, which the copy
 * keeps. The created objects are in `cache`, which all copies share. After a write, repositories and loaders
 * are created again, so that they read the new rows.
 */
class BoundContext implements Context {
  private readonly cache: ContextCache = { reads: {} }

  constructor(
    private readonly deps: BoundDeps,
    private readonly requester: Requester & Pick<Context, 'lifetime'>,
    readonly share: FairShare,
    private readonly newest: boolean,
  ) {}

  get caller() {
    return this.requester.caller
  }

  get logContext() {
    return this.requester.logContext
  }

  get idempotencyKey() {
    return this.requester.idempotencyKey
  }

  get lifetime() {
    return this.requester.lifetime
  }

  private get data(): DataDeps {
    return (this.cache.data ??=
      this.newest || !this.deps.forReading
        ? this.deps
        : { ...this.deps, db: this.deps.forReading(), primary: this.deps.db })
  }

  get visible(): VisibleReads {
    return (this.cache.reads.visible ??= createVisibleReads(this.data.db, this.caller))
  }

  get connections() {
    requireSessionScope(this.caller, SessionScope.READ_CONNECTIONS)
    return (this.cache.reads.connections ??= connectionRepository(this.deps, this.caller))
  }

  get trustedDocuments() {
    return trustedDocumentRepository(this.deps, this.caller)
  }

  get fleet() {
    requireSessionScope(this.caller, SessionScope.READ_FLEET)
    return (this.cache.reads.fleet ??= fleetRepository(this.data, this.caller, this.visible))
  }

  get records() {
    requireSessionScope(this.caller, SessionScope.READ_RECORDS)
    return (this.cache.reads.records ??= recordRepository(this.data, this.caller, this.visible))
  }

  get telemetry() {
    requireSessionScope(this.caller, SessionScope.READ_TELEMETRY)
    return (this.cache.reads.telemetry ??= telemetryRepository(this.data, this.caller, this.visible))
  }

  get events() {
    requireSessionScope(this.caller, SessionScope.READ_EVENTS)
    return (this.cache.reads.events ??= eventRepository(payloadDepsFor(this.deps, this.caller), this.caller))
  }

  get webhooks() {
    this.assertNotReadOnly()
    return (this.cache.reads.webhooks ??= webhookRepository(this.deps, this.caller))
  }

  get purchases() {
    this.assertNotReadOnly()
    return (this.cache.reads.purchases ??= purchaseRepository(
      { ...this.data, clock: this.deps.clock },
      this.caller,
      this.visible,
    ))
  }

  get writes() {
    this.assertNotReadOnly()
    return (this.cache.writes ??= connectionCommands(this.deps, this.caller, () => this.resetReads()))
  }

  get webhookCommands() {
    this.assertNotReadOnly()
    return (this.cache.webhookWrites ??= webhookCommands(this.deps, this.caller, () => this.resetReads()))
  }

  get vehicleCommands() {
    this.assertNotReadOnly()
    return (this.cache.vehicleWrites ??= vehicleCommands(this.deps, this, () => this.resetReads()))
  }

  get purchaseCommands() {
    this.assertNotReadOnly()
    return (this.cache.purchaseWrites ??= purchaseCommands(this.deps, this))
  }

  /** No session scope covers webhooks, purchases and changes. */
  private assertNotReadOnly(): void {
    if (isReadOnly(this.caller)) throw readOnlySessionError()
  }

  private resetReads(): void {
    this.cache.reads = {}
    this.cache.data = this.deps
  }

  get forwarded() {
    return this.caller === anonymous
      ? { [ANONYMOUS_HEADER]: '1' }
      : credentialHeaders(this.requester.credentials)
  }

  get identity() {
    return identityOf(this.caller)
  }

  fresh(): Context {
    return new BoundContext(this.deps, this.requester, this.share, true)
  }
}

/** Returns the identity of a caller for custom subgraphs. An anonymous caller has no application. */
const identityOf = ({ applicationId, connectionIds, key, session }: Caller): Record<string, string> => ({
  ...(applicationId === '' ? {} : { [APPLICATION_HEADER]: applicationId }),
  // A subgraph that expects a single id finds no connection for a list of ids. It then returns too little,
  // never too much.
  ...(connectionIds === null ? {} : { [CONNECTION_HEADER]: connectionIds.join(',') }),
  ...(session === null ? {} : { [SESSION_HEADER]: session.id }),
  ...forwardedScopes(session === null ? key?.scopes : session.keyScopes),
})

/** Returns the scopes header. A key without scopes has none: it may do everything except what requires `admin`. */
const forwardedScopes = (scopes: KeyScopes | undefined): Record<string, string> =>
  scopes ? { [SCOPES_HEADER]: scopes.join(',') } : {}

function credentialHeaders({ authorization, connectionToken }: Credentials): Record<string, string> {
  return {
    ...(authorization === undefined ? {} : { authorization }),
    ...(connectionToken === undefined ? {} : { 'connection-token': connectionToken }),
  }
}
