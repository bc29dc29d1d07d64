import { join } from 'node:path'
import type { SeededApplication } from '../factories.ts'
import type { WebhookIds } from '../graph/webhook-rows.ts'

/** Commands that change nothing and print no secret. */
export const READING = [
  'applications list',
  'applications show',
  'keys list',
  'webhooks list',
  'webhooks show',
  'webhooks deliveries',
  'sessions list',
  'connections list',
  'connections show',
  'connections held-removals',
  'syncs list',
  'syncs show',
  'jobs list',
  'jobs failed',
  'events list',
  'audit list',
  'requests',
  'links list',
  'operations list',
  'purchases cards',
  'purchases policies',
  'purchases sites list',
  'purchases networks list',
  'purchases policy',
  'purchases summary',
  'ifta report',
  'purchases replay',
  'vehicles facts list',
  'sandbox purchases',
  'links url',
  'encryption-key status',
  'doctor',
]

export interface Scene {
  readonly seeded: SeededApplication
  readonly webhooks: WebhookIds
  readonly sessionId: string
  readonly folder: string
  /** Ids of the objects that earlier rows created. */
  readonly made: Record<string, string>
}

export interface CommandRow {
  readonly command: string
  readonly args: (scene: Scene) => readonly string[]
  readonly action: string
  /** Target id, from the seeded rows or from the output. Must equal the target of the audit entry. */
  readonly target?: (scene: Scene, printed: Printed) => string
  /** Whether the target belongs to the service rather than to an application. */
  readonly toService?: true
  /** Arguments of a refused call. Default: the same arguments with unknown ids. */
  readonly refused?: (scene: Scene) => readonly string[]
}

/** Output of a command that creates something. */
export interface Printed {
  readonly id?: string
}

export const own = ({ seeded }: Scene) => ['--application', seeded.id]
const printedId = (_: Scene, { id }: Printed): string => String(id)
const connection = (at: number) => (scene: Scene) => scene.seeded.connections[at]!.connection.id
const endpoint = ({ webhooks }: Scene) => webhooks.webhookEndpoint
const onEndpoint = (command: string, action: string, ...more: string[]): CommandRow => ({
  command: `webhooks ${command}`,
  args: (scene) => [endpoint(scene), ...own(scene), ...more],
  action,
  target: endpoint,
})
const onConnection = (command: string, action: string, at: number): CommandRow => ({
  command: `connections ${command}`,
  args: (scene) => [connection(at)(scene)],
  action,
  target: connection(at),
})
const onSync = (command: string, action: string): CommandRow => ({
  command: `syncs ${command}`,
  args: ({ made }) => [made['syncs request']!],
  action,
  target: ({ made }) => made['syncs request']!,
})

/** Every other command that works on a database. Each finds rows to change if they run in this order. */
export const ofDatabase: readonly CommandRow[] = [
  onConnection('token', 'connection.token_shown', 0),
  onConnection('renormalize', 'connection.renormalized', 0),
  onConnection('archive', 'connection.archived', 0),
  onConnection('delete', 'connection.deletion_requested', 1),
  onConnection('undelete', 'connection.deletion_called_off', 1),
  onConnection('provider-webhook', 'provider_webhook.set', 2),
  onConnection('remove-provider-webhook', 'provider_webhook.removed', 2),
  onConnection('deny-removals', 'connection.removals_denied', 2),
  onConnection('confirm-removals', 'connection.removals_confirmed', 2),
  {
    command: 'syncs request',
    args: (scene) => ['--connection', connection(2)(scene)],
    action: 'sync.requested',
    target: printedId,
  },
  onSync('cancel', 'sync.cancelled'),
  onSync('retry', 'sync.retried'),
  {
    command: 'dashboard link',
    args: (scene) => own(scene),
    action: 'session.created',
  },
  {
    command: 'sessions revoke',
    args: (scene) => [scene.sessionId, ...own(scene)],
    action: 'session.revoked',
    target: ({ sessionId }) => sessionId,
  },
  {
    command: 'webhooks create',
    args: (scene) => ['--url', 'https://receiver.example.com/hook', ...own(scene)],
    action: 'webhook_endpoint.created',
    target: printedId,
  },
  onEndpoint('update', 'webhook_endpoint.updated', '--header', 'X-Api-Key: not a real key of anybody'),
  onEndpoint('disable', 'webhook_endpoint.disabled'),
  onEndpoint('enable', 'webhook_endpoint.enabled'),
  onEndpoint('rotate', 'webhook_endpoint.secret_rotated'),
  onEndpoint('test', 'webhook_endpoint.test_sent', '--type', 'vehicle.added'),
  {
    command: 'webhooks replay',
    args: (scene) => [scene.webhooks.webhookDelivery, ...own(scene)],
    action: 'webhook_delivery.replayed',
    target: ({ webhooks }) => webhooks.webhookDelivery,
  },
  {
    command: 'webhooks recover',
    args: (scene) => [scene.made['webhooks create']!, ...own(scene), '--since', '2020-01-01T00:00:00Z'],
    action: 'webhook_endpoint.recovered',
    target: ({ made }) => made['webhooks create']!,
  },
  onEndpoint('delete', 'webhook_endpoint.deleted'),
  {
    command: 'links create',
    args: (scene) => ['--external-id', 'customer-7', ...own(scene)],
    action: 'short_link.created',
    target: printedId,
  },
  {
    command: 'links delete',
    args: (scene) => [scene.made['links create']!, ...own(scene)],
    action: 'short_link.deleted',
    target: ({ made }) => made['links create']!,
  },
  {
    command: 'keys create',
    args: (scene) => ['--scopes', 'vehicles:read', ...own(scene)],
    refused: (scene) => ['--scopes', 'vehicles:fly', ...own(scene)],
    action: 'key.created',
    target: printedId,
  },
  {
    command: 'keys rotate',
    args: (scene) => [scene.made['keys create']!, ...own(scene)],
    action: 'key.rotated',
    target: ({ made }) => made['keys create']!,
  },
  {
    command: 'keys revoke',
    args: (scene) => [scene.made['keys create']!, ...own(scene)],
    action: 'key.revoked',
    target: ({ made }) => made['keys create']!,
  },
  {
    command: 'applications update',
    args: ({ seeded }) => [seeded.id, '--name', 'Another name'],
    action: 'application.updated',
    target: ({ seeded }) => seeded.id,
  },
  {
    command: 'applications quotas',
    args: ({ seeded }) => [seeded.id, 'keys=50'],
    refused: ({ seeded }) => [seeded.id, 'keys=many'],
    action: 'application.quotas_set',
    target: ({ seeded }) => seeded.id,
  },
  {
    command: 'purchases assign-card',
    args: (scene) => [
      '--card',
      'card-1',
      '--vehicle',
      scene.seeded.connections[0]!.vehicles[0]!.id,
      ...own(scene),
    ],
    refused: (scene) => ['--card', 'card-1', '--vehicle', 'none', ...own(scene)],
    action: 'purchase_card.assigned',
    target: ({ seeded }) => seeded.connections[0]!.vehicles[0]!.id,
  },
  {
    command: 'purchases unassign-card',
    args: (scene) => ['--card', 'card-1', ...own(scene)],
    refused: (scene) => ['--card', '', ...own(scene)],
    action: 'purchase_card.unassigned',
    target: ({ seeded }) => seeded.connections[0]!.vehicles[0]!.id,
  },
  {
    command: 'purchases sites import',
    args: (scene) => [join(scene.folder, 'sites.csv'), ...own(scene)],
    refused: (scene) => [join(scene.folder, 'missing.csv'), ...own(scene)],
    action: 'purchase_site.set',
  },
  {
    command: 'purchases sites remove',
    args: (scene) => ['site-1', ...own(scene)],
    refused: (scene) => ['', ...own(scene)],
    action: 'purchase_site.removed',
  },
  {
    command: 'purchases networks add',
    args: (scene) => ['stripe', '--default', 'approve', ...own(scene)],
    refused: (scene) => ['stripe', '--default', 'perhaps', ...own(scene)],
    action: 'card_network_endpoint.added',
    target: printedId,
  },
  {
    command: 'purchases networks update',
    args: (scene) => [scene.made['purchases networks add']!, '--default', 'decline', ...own(scene)],
    refused: (scene) => [scene.made['purchases networks add']!, ...own(scene)],
    action: 'card_network_endpoint.updated',
    target: ({ made }) => made['purchases networks add']!,
  },
  {
    command: 'purchases networks remove',
    args: (scene) => [scene.made['purchases networks add']!, ...own(scene)],
    action: 'card_network_endpoint.removed',
    target: ({ made }) => made['purchases networks add']!,
  },
  {
    command: 'purchases set-policy',
    args: (scene) => ['--stage', 'v1', '--limit', 'standing.maxSpeedKmh=5', ...own(scene)],
    refused: (scene) => ['--limit', 'standing.maxPurchases=5', ...own(scene)],
    action: 'purchase_policy.set',
    target: printedId,
  },
  {
    command: 'vehicles facts import',
    args: (scene) => [join(scene.folder, 'facts.csv'), ...own(scene)],
    refused: (scene) => [join(scene.folder, 'missing.csv'), ...own(scene)],
    action: 'vehicle_facts.set',
    target: ({ seeded }) => seeded.connections[0]!.vehicles[0]!.id,
  },
  {
    command: 'operations publish',
    args: (scene) => [join(scene.folder, 'documents.json'), ...own(scene)],
    refused: (scene) => [join(scene.folder, 'missing.json'), ...own(scene)],
    action: 'documents.published',
    target: ({ seeded }) => seeded.id,
  },
  {
    command: 'operations remove',
    args: (scene) => ['published', ...own(scene)],
    action: 'documents.removed',
    target: ({ seeded }) => seeded.id,
  },
  {
    command: 'applications create',
    args: () => ['Fleet Software Inc.'],
    refused: () => ['n'.repeat(256)],
    action: 'application.created',
    target: printedId,
  },
  {
    command: 'encryption-key rotate',
    args: () => [],
    refused: () => ['--data', '/nowhere'],
    action: 'encryption_key.rotated',
    toService: true,
  },
  {
    command: 'backup',
    args: ({ folder }) => [join(folder, 'copy.db')],
    refused: ({ folder }) => [join(folder, 'odograph.db')],
    action: 'database.backed_up',
    toService: true,
  },
  {
    command: 'audit prune',
    args: () => ['--before', new Date().toISOString()],
    refused: () => ['--before', '2999-01-01T00:00:00Z'],
    action: 'audit_log.pruned',
    toService: true,
  },
]

/** Commands that work on a key file. */
export const ofKeyFile: readonly CommandRow[] = [
  {
    command: 'encryption-key new',
    args: () => ['--key-file'],
    refused: () => ['--key-file', '--data', '/nowhere'],
    action: 'encryption_key.added',
    toService: true,
  },
  {
    command: 'encryption-key retire',
    args: () => [],
    refused: () => ['--data', '/nowhere'],
    action: 'encryption_key.retired',
    toService: true,
  },
]

/** Commands that work on the jobs in Redis. */
export const ofJobs: readonly CommandRow[] = [
  {
    command: 'jobs retry',
    args: () => ['--all'],
    refused: () => ['a-job-that-is-not'],
    action: 'jobs.retried',
    toService: true,
  },
  {
    command: 'jobs clear',
    args: () => ['--all'],
    refused: () => ['a-job-that-is-not'],
    action: 'jobs.cleared',
    toService: true,
  },
]
