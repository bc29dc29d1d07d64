import { z } from 'zod'
import { providerSettings } from './provider-settings.ts'
import {
  addressRanges,
  baseUrl,
  choice,
  collectorUrl,
  encryptionKeys,
  isKey,
  mysqlUrl,
  mysqlUrls,
  number,
  origins,
  redisUrl,
  subgraphUrls,
  wholeNumber,
} from './setting-parsers.ts'

/**
 * All settings. Each has a command-line option, an environment variable, or both; the option takes
 * precedence.
 */

export const subgraphNames = ['connections', 'fleet', 'records', 'telemetry', 'events', 'purchases'] as const

const roles = [
  'all',
  'gateway',
  'worker',
  ...subgraphNames.map((name) => `subgraph:${name}` as const),
] as const

export type Role = (typeof roles)[number]

const switches = ['on', 'off', 'auto'] as const

export interface Setting {
  readonly option?: string
  readonly variable?: string
  readonly value?: string
  readonly schema: z.ZodType
  readonly default?: unknown
  readonly description: string
}

export const settings = {
  port: {
    option: 'port',
    variable: 'PORT',
    value: 'N',
    schema: wholeNumber(0, 65_535),
    default: '8080',
    description: 'port to listen on; 0 for any free port',
  },
  host: {
    option: 'host',
    variable: 'HOST',
    value: 'ADDRESS',
    schema: z.string().min(1),
    default: '127.0.0.1',
    description: 'address to listen on',
  },
  dataDir: {
    option: 'data',
    variable: 'DATA_DIR',
    value: 'DIR',
    schema: z.string().min(1),
    default: 'data',
    description: 'folder of the embedded database and the key file',
  },
  role: {
    option: 'role',
    variable: 'ROLE',
    value: 'ROLE',
    schema: choice(roles),
    default: 'all',
    description: 'all, gateway, worker or subgraph:NAME',
  },
  fleetSize: {
    option: 'fleet-size',
    variable: 'FLEET_SIZE',
    value: 'N',
    schema: wholeNumber(1, 100_000),
    default: '50',
    description: 'number of vehicles in the demo fleet, 1 to 100,000',
  },
  demo: {
    option: 'demo',
    variable: 'DEMO',
    value: 'on|off|auto',
    schema: choice(switches),
    default: 'auto',
    description: 'link the demo fleet at start; auto: only with the embedded database, and not in production',
  },
  readyFile: {
    option: 'ready-file',
    value: 'PATH',
    schema: z.string().min(1),
    description: 'JSON file that is written when the service is ready',
  },
  mysqlUrl: {
    variable: 'MYSQL_URL',
    schema: mysqlUrl,
    description:
      'MySQL or MariaDB server, or a Galera cluster as user@host,host,host; ?ssl-mode=VERIFY_IDENTITY encrypts; without it the embedded database is used',
  },
  mysqlReplicas: {
    variable: 'MYSQL_REPLICA_URLS',
    schema: mysqlUrls,
    default: '',
    description:
      'read replicas of MYSQL_URL, comma-separated; the API reads fleets, records and telemetry from them',
  },
  migrate: {
    option: 'migrate',
    variable: 'MIGRATE',
    value: 'on|off',
    schema: choice(['on', 'off']),
    default: 'on',
    description: 'apply migrations at start; off: start only if none is missing',
  },
  retentionDays: {
    variable: 'RETENTION_DAYS',
    // The IFTA miles of a month are summed from its positions, including late ones.
    schema: wholeNumber(40, 36_500),
    description:
      'days for which positions and measurements are kept, at least 40; without it they are never deleted',
  },
  eventRetentionDays: {
    variable: 'EVENT_RETENTION_DAYS',
    schema: wholeNumber(1, 36_500),
    default: '30',
    description: 'days for which the event log and webhook deliveries are kept',
  },
  requestLogDays: {
    variable: 'REQUEST_LOG_DAYS',
    schema: wholeNumber(0, 365),
    default: '3',
    description: 'days for which the request log is kept; 0: no request is logged',
  },
  mysqlPool: {
    variable: 'MYSQL_POOL',
    schema: wholeNumber(2, 500),
    default: '10',
    description: 'maximum number of database connections of a process',
  },
  queryTimeoutSeconds: {
    variable: 'QUERY_TIMEOUT_SECONDS',
    schema: wholeNumber(1, 300),
    default: '4',
    description: 'seconds that a request waits for the database before it gets 503; jobs wait longer',
  },
  purchaseDeadlineMs: {
    variable: 'PURCHASE_DEADLINE_MS',
    schema: wholeNumber(10, 60_000),
    default: '250',
    description:
      'milliseconds in which the check of a fuel purchase reads what it needs, and again in which it is stored; later the decision is UNKNOWN',
  },
  purchaseRetentionDays: {
    variable: 'PURCHASE_RETENTION_DAYS',
    schema: wholeNumber(1, 36_500),
    default: '2557',
    description: 'days for which checks of fuel purchases are kept; by default seven years',
  },
  redisUrl: {
    variable: 'REDIS_URL',
    schema: redisUrl,
    description:
      'Redis server for jobs, as in redis://user:password@host:6379/0; rediss:// encrypts; without it jobs run in this process',
  },
  queuePrefix: {
    variable: 'QUEUE_PREFIX',
    schema: z.string().min(1),
    default: 'odograph',
    description: 'prefix of every key in Redis',
  },
  encryptionKey: {
    variable: 'ENCRYPTION_KEY',
    schema: z.string().refine(isKey, { message: 'must be 32 bytes in base64' }),
    description: 'encryption key of stored secrets, 32 bytes in base64; without it a key file is created',
  },
  encryptionKeysOld: {
    variable: 'ENCRYPTION_KEYS_OLD',
    schema: encryptionKeys,
    default: '',
    description: 'additional keys for decryption, comma-separated: old keys, or the next key',
  },
  publicUrl: {
    variable: 'PUBLIC_URL',
    schema: baseUrl,
    description: 'URL at which callers reach the service',
  },
  corsOrigins: {
    variable: 'CORS_ORIGINS',
    schema: origins,
    default: '',
    description:
      'origins whose pages may use the API from a browser, comma-separated, such as https://app.example.com; * for any',
  },
  compression: {
    variable: 'COMPRESSION',
    schema: choice(['on', 'off']),
    default: 'on',
    description: 'on or off: whether responses without secrets are compressed',
  },
  linkUrl: {
    variable: 'LINK_URL',
    schema: baseUrl,
    description: 'URL at which fleets reach the link pages',
  },
  trustedProxies: {
    variable: 'TRUSTED_PROXIES',
    schema: addressRanges,
    default: '',
    description:
      'proxies whose X-Forwarded-For is trusted, such as 10.1.0.0/16,127.0.0.1; without it one proxy is trusted if LINK_URL or PUBLIC_URL is https',
  },
  linkSignInsPerRun: {
    variable: 'LINK_SIGN_INS_PER_RUN',
    schema: wholeNumber(1, 1000),
    default: '10',
    description: 'maximum number of sign-in attempts in a link run',
  },
  linkRatePerAddress: {
    variable: 'LINK_RATE_PER_ADDRESS',
    schema: wholeNumber(1, 1_000_000),
    default: '30',
    description:
      'maximum number of started link runs, and of sign-in attempts, per minute from one address; more get 429',
  },
  linkRatePerKey: {
    variable: 'LINK_RATE_PER_KEY',
    schema: wholeNumber(1, 1_000_000),
    default: '600',
    description: 'the same maximum for one publishable key or one short link',
  },
  sandboxUrl: {
    variable: 'SANDBOX_URL',
    schema: baseUrl,
    description: 'URL of a running sandbox provider; without it the demo starts one',
  },
  sandboxBrowserUrl: {
    variable: 'SANDBOX_BROWSER_URL',
    schema: baseUrl,
    description: 'URL at which browsers of fleets reach the sandbox provider, if it is not SANDBOX_URL',
  },
  subgraphUrls: {
    variable: 'SUBGRAPH_URLS',
    schema: subgraphUrls,
    default: '',
    description: "remote subgraphs, Odograph's and your own, as comma-separated name=URL pairs",
  },
  subgraphTimeoutSeconds: {
    variable: 'SUBGRAPH_TIMEOUT_SECONDS',
    schema: wholeNumber(1, 300),
    default: '10',
    description: 'seconds that the gateway waits for a remote subgraph; for a mutation at least 20',
  },
  subgraphSecret: {
    variable: 'SUBGRAPH_SECRET',
    schema: z.string().min(16, { message: 'must have at least 16 characters' }),
    description: 'secret with which the gateway signs the identity of callers for your own subgraphs',
  },
  restUnknownParams: {
    variable: 'REST_UNKNOWN_PARAMS',
    schema: choice(['refuse', 'ignore']),
    default: 'refuse',
    description: 'how REST treats unknown query parameters',
  },
  pollSeconds: {
    variable: 'LOCATION_POLL_SECONDS',
    schema: wholeNumber(1, 86_400),
    default: '5',
    description: 'seconds between two polls for locations',
  },
  liveTimeoutSeconds: {
    variable: 'LIVE_TIMEOUT_SECONDS',
    schema: wholeNumber(1, 60),
    default: '8',
    description:
      'seconds that a request waits for current state from a provider before it gets 504; with remote subgraphs less than SUBGRAPH_TIMEOUT_SECONDS',
  },
  syncMinutes: {
    variable: 'SYNC_INTERVAL_MINUTES',
    schema: number(0.1, 10_080),
    default: '120',
    description: 'minutes between two syncs of an automatic connection',
  },
  removalHoldMinutes: {
    variable: 'REMOVAL_HOLD_MINUTES',
    schema: wholeNumber(0, 525_600),
    default: '60',
    description:
      'minutes for which a removal above REMOVAL_HOLD_PERCENT is held; then a second sync removes the records that it also misses',
  },
  removalHoldPercent: {
    variable: 'REMOVAL_HOLD_PERCENT',
    schema: wholeNumber(0, 100),
    default: '20',
    description:
      'share of the vehicles, drivers or other listed records of a connection that one sync may remove; fewer than 10 records may always be removed, except all of them',
  },
  ...providerSettings,
  webhookAllow: {
    variable: 'WEBHOOK_ALLOW',
    schema: addressRanges,
    default: '',
    description:
      'private addresses that webhooks may be sent to, such as 10.1.0.0/16,127.0.0.1; without it only public ones',
  },
  webhookHttp: {
    variable: 'WEBHOOK_HTTP',
    schema: choice(['on', 'off']),
    default: 'off',
    description:
      'on: webhooks may use http:// everywhere; off: https://, and http:// only for addresses in WEBHOOK_ALLOW',
  },
  logLevel: {
    variable: 'LOG_LEVEL',
    schema: choice(['fatal', 'error', 'warn', 'info', 'debug', 'silent']),
    default: 'warn',
    description: 'minimum level of log lines',
  },
  metrics: {
    variable: 'METRICS',
    schema: choice(switches),
    default: 'auto',
    description:
      'on, off or auto: whether /metrics is served; without METRICS_TOKEN anyone can read it; auto: as INTROSPECTION, or with METRICS_TOKEN',
  },
  metricsToken: {
    variable: 'METRICS_TOKEN',
    schema: z.string().min(16, { error: 'must have at least 16 characters' }),
    description: 'bearer token of /metrics; with it /metrics is served in production too',
  },
  otlpEndpoint: {
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    schema: collectorUrl,
    description: 'OpenTelemetry collector (OTLP over HTTP); without it tracing is off',
  },
  otlpServiceName: {
    variable: 'OTEL_SERVICE_NAME',
    schema: z.string().min(1),
    default: 'odograph',
    description: 'name of the service in traces',
  },
  maxOperationCost: {
    variable: 'MAX_OPERATION_COST',
    schema: wholeNumber(100, 1_000_000_000),
    default: '200000',
    description:
      'maximum cost of a GraphQL operation: about the number of objects in its result, and a tenth for each of their values',
  },
  maxReadMegabytes: {
    variable: 'MAX_READ_MEGABYTES',
    schema: wholeNumber(1, 10_000),
    default: '32',
    description:
      'maximum text that a GraphQL query, a REST request that reads, or the result of an event reads from the database',
  },
  maxOperationSeconds: {
    variable: 'MAX_OPERATION_SECONDS',
    schema: wholeNumber(1, 3600),
    default: '30',
    description:
      'time limit of a GraphQL query and of a REST request that reads, with the time that it waits',
  },
  maxEventCost: {
    variable: 'MAX_EVENT_COST',
    schema: wholeNumber(100, 1_000_000_000),
    default: '10000',
    description: 'maximum cost of the result of one event of a subscription',
  },
  rateLimitApplication: {
    variable: 'RATE_LIMIT_APPLICATION',
    schema: wholeNumber(100, 1_000_000_000),
    default: '3000000',
    description:
      'points a minute of the requests of an application: a request takes its cost, at least 100; more get 429',
  },
  rateLimitKey: {
    variable: 'RATE_LIMIT_KEY',
    schema: wholeNumber(100, 1_000_000_000),
    description: 'points a minute of one key, and of one session; without it RATE_LIMIT_APPLICATION',
  },
  rateLimitConnection: {
    variable: 'RATE_LIMIT_CONNECTION',
    schema: wholeNumber(100, 1_000_000_000),
    description:
      'points a minute of the requests that are limited to one connection; without it RATE_LIMIT_APPLICATION',
  },
  rateLimitAddress: {
    variable: 'RATE_LIMIT_ADDRESS',
    schema: wholeNumber(1, 1_000_000),
    default: '60',
    description: 'failed authentications a minute from one address; more get 429',
  },
  socketsPerApplication: {
    variable: 'SOCKETS_PER_APPLICATION',
    schema: wholeNumber(1, 1_000_000),
    default: '1000',
    description: 'maximum number of open websockets and event streams of an application at one gateway',
  },
  operationsPerSocket: {
    variable: 'OPERATIONS_PER_SOCKET',
    schema: wholeNumber(1, 100_000),
    default: '100',
    description: 'maximum number of concurrent operations, including subscriptions, on one socket or stream',
  },
  subscriptionsPerApplication: {
    variable: 'SUBSCRIPTIONS_PER_APPLICATION',
    schema: wholeNumber(1, 1_000_000),
    default: '10000',
    description: 'maximum number of open subscriptions of an application at one gateway',
  },
  subscriptionDocumentsPerApplication: {
    variable: 'SUBSCRIPTION_DOCUMENTS_PER_APPLICATION',
    schema: wholeNumber(1, 1_000_000),
    default: '1000',
    description:
      'maximum number of different documents of the open subscriptions of an application at one gateway',
  },
  drainSeconds: {
    variable: 'DRAIN_SECONDS',
    schema: wholeNumber(0, 300),
    default: '0',
    description:
      'seconds of serving after a stop signal, with /readyz at 503; set more than load balancers need to notice',
  },
  environment: {
    variable: 'NODE_ENV',
    schema: z.string(),
    description: 'production turns off DEMO, METRICS, INTROSPECTION and GRAPHIQL if they are auto',
  },
  introspection: {
    variable: 'INTROSPECTION',
    schema: choice(switches),
    default: 'auto',
    description:
      'on, off or auto: whether callers may read the GraphQL schema; auto: only if HOST, PUBLIC_URL and LINK_URL are on this machine',
  },
  graphiql: {
    variable: 'GRAPHIQL',
    schema: choice(switches),
    default: 'auto',
    description: 'on, off or auto: whether /graphql serves GraphiQL to browsers; auto: as INTROSPECTION',
  },
} satisfies Record<string, Setting>
