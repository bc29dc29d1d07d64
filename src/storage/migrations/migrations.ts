import type { MigrationInterface } from 'typeorm'
import { FirstLight } from './0001-first-light.ts'
import { WholeModel } from './0002-whole-model.ts'
import { Connections } from './0003-connections.ts'
import { OpenWrites } from './0004-open-writes.ts'
import { Commits } from './0005-commits.ts'
import { Schedules } from './0006-schedules.ts'
import { Webhooks } from './0007-webhooks.ts'
import { Linking } from './0008-linking.ts'
import { LinkLimits } from './0009-link-limits.ts'
import { ProviderWebhooks } from './0010-provider-webhooks.ts'
import { LatestReads } from './0011-latest-reads.ts'
import { LeftOutRecords } from './0012-left-out-records.ts'
import { IssueWindows } from './0013-issue-windows.ts'
import { WebhookHeaders } from './0014-webhook-headers.ts'
import { DeliveryReplays } from './0015-delivery-replays.ts'
import { ApplicationQuotas } from './0016-application-quotas.ts'
import { RequestLog } from './0017-request-log.ts'
import { HeldRemovals } from './0018-held-removals.ts'
import { UnknownDistances } from './0019-unknown-distances.ts'
import { FilterChanges } from './0020-filter-changes.ts'
import { IdempotencyKeys } from './0021-idempotency-keys.ts'
import { SandboxPermission } from './0022-sandbox-permission.ts'
import { TrustedDocuments } from './0023-trusted-documents.ts'
import { RequestRates } from './0024-request-rates.ts'
import { ConnectionTimes } from './0025-connection-times.ts'
import { PurchaseChecks } from './0026-purchase-checks.ts'
import { PurchasePolicies } from './0027-purchase-policies.ts'
import { VehicleFacts } from './0028-vehicle-facts.ts'
import { PurchaseCaptures } from './0029-purchase-captures.ts'
import { PurchaseCards } from './0030-purchase-cards.ts'
import { PurchaseSites } from './0031-purchase-sites.ts'
import { CapturesByAuthorization } from './0032-captures-by-authorization.ts'
import { VehicleFills } from './0033-vehicle-fills.ts'
import { SightedMerchants } from './0034-sighted-merchants.ts'
import { CardNetworkEndpoints } from './0035-card-network-endpoints.ts'
import { PurchaseReplays } from './0036-purchase-replays.ts'
import { SignInLinks } from './0037-sign-in-links.ts'
import { SessionRoles } from './0038-session-roles.ts'

export interface Migration extends MigrationInterface {
  /** Class name and a timestamp that orders it, such as FirstLight1700000000001. */
  readonly name: string
}

/**
 * All migrations, in the order in which they are applied. During an upgrade the previous version uses the same tables.
 * A migration therefore only adds: tables, indexes, and columns that are nullable or have a default. It may permit null
 * in a column. An unused column is dropped one version after its last use, and a new meaning needs a new column. Each
 * statement can run again (`createTable`, `addColumns`, `addIndex`, `makeNullable`), because a killed migration starts
 * over. A released migration never changes.
 */
export const migrations: readonly Migration[] = [
  new FirstLight(),
  new WholeModel(),
  new Connections(),
  new OpenWrites(),
  new Commits(),
  new Schedules(),
  new Webhooks(),
  new Linking(),
  new LinkLimits(),
  new ProviderWebhooks(),
  new LatestReads(),
  new LeftOutRecords(),
  new IssueWindows(),
  new WebhookHeaders(),
  new DeliveryReplays(),
  new ApplicationQuotas(),
  new RequestLog(),
  new HeldRemovals(),
  new UnknownDistances(),
  new FilterChanges(),
  new IdempotencyKeys(),
  new SandboxPermission(),
  new TrustedDocuments(),
  new RequestRates(),
  new ConnectionTimes(),
  new PurchaseChecks(),
  new PurchasePolicies(),
  new VehicleFacts(),
  new PurchaseCaptures(),
  new PurchaseCards(),
  new PurchaseSites(),
  new CapturesByAuthorization(),
  new VehicleFills(),
  new SightedMerchants(),
  new CardNetworkEndpoints(),
  new PurchaseReplays(),
  new SignInLinks(),
  new SessionRoles(),
]
