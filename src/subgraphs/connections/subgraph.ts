import { buildSubgraph } from '../schema/build-subgraph.ts'
import { entityStubs } from '../schema/entity-references.ts'
import { ApplicationChangesResolver } from './applications/application-changes.resolver.ts'
import { ApplicationResolver } from './applications/application.resolver.ts'
import { AuditResolver } from './audit/audit.resolver.ts'
import { RequestLogResolver } from './requests/request-log.resolver.ts'
import { ConnectionChangesResolver } from './connection-changes.resolver.ts'
import { ConnectionResolver, resolveConnection } from './connection.resolver.ts'
import { IssueResolver, resolveIssueRef } from './issues/issue.resolver.ts'
import { HeldRemovalResolver } from './removals/held-removal.resolver.ts'
import { ShortLinkResolver } from './short-links/short-link.resolver.ts'
import { NodeResolver } from './node.resolver.ts'
import { PassthroughResolver } from './providers/passthrough.resolver.ts'
import { ProviderWebhookResolver } from './provider-webhooks/provider-webhook.resolver.ts'
import { ProviderResolver } from './providers/provider.resolver.ts'
import { SessionResolver } from './sessions/session.resolver.ts'
import { SyncChangesResolver } from './syncs/sync-changes.resolver.ts'
import { resolveSync, SyncResolver } from './syncs/sync.resolver.ts'
import { ViewerResolver } from './viewer/viewer.resolver.ts'

/** Subgraph of connections with their syncs and issues, of providers, and of `node` for all record types. */
export const connectionsSubgraph = buildSubgraph({
  name: 'connections',
  resolvers: [
    ViewerResolver,
    ConnectionResolver,
    SyncResolver,
    IssueResolver,
    HeldRemovalResolver,
    ProviderResolver,
    NodeResolver,
    ConnectionChangesResolver,
    SyncChangesResolver,
    PassthroughResolver,
    ProviderWebhookResolver,
    SessionResolver,
    ShortLinkResolver,
    ApplicationResolver,
    ApplicationChangesResolver,
    AuditResolver,
    RequestLogResolver,
  ],
  owned: { Connection: resolveConnection, Sync: resolveSync, Issue: resolveIssueRef },
  orphanedTypes: entityStubs('Connection', 'Sync', 'Issue'),
})
