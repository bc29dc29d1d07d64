import { z } from 'zod'
import { providerSettings } from './provider-settings.ts'
import {
  addressRanges,
  among,
  encryptionKeys,
  isKey,
  mysqlUrl,
  mysqlUrls,
  number,
  origins,
  placeUrl,
  subgraphUrls,
  url,
  whole,
} from './setting-values.ts'

/** Every setting: an option of the command line, a variable of the environment, or both; the option wins. */

export const subgraphNames = ['connections', 'fleet', 'records', 'telemetry', 'events'] as const

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
  readonly preset?: unknown
  readonly says: string
}

export const settings = {
  port: {
    option: 'port',
    variable: 'PORT',
    value: 'N',
    schema: whole(0, 65_535),
    preset: '8080',
    says: 'port to listen on, 0 for any free one',
  },
  host: {
    option: 'host',
    variable: 'HOST',
    value: 'ADDRESS',
    schema: z.string().min(1),
    preset: '127.0.0.1',
    says: 'address to listen on',
  },
  dataDir: {
    option: 'data',
    variable: 'DATA_DIR',
    value: 'DIR',
    schema: z.string().min(1),
    preset: 'data',
    says: 'folder of the embedded database and the key file',
  },
  role: {
    option: 'role',
    variable: 'ROLE',
    value: 'ROLE',
    schema: among(roles),
    preset: 'all',
    says: 'all, gateway, worker or subgraph:NAME',
  },
  fleetSize: {
    option: 'fleet-size',
    variable: 'FLEET_SIZE',
    value: 'N',
    schema: whole(1, 100_000),
    preset: '50',
    says: "vehicles of the demo's fleet, 1 to 100,000",
  },
  demo: {
    option: 'demo',
    variable: 'DEMO',
    value: 'on|off|auto',
    schema: among(switches),
    preset: 'auto',
    says: 'link the demo fleet at start; auto: where the database is embedded',
  },
  readyFile: {
    option: 'ready-file',
    value: 'PATH',
    schema: z.string().min(1),
    says: 'JSON file to write when the service is ready',
  },
  mysqlUrl: {
    variable: 'MYSQL_URL',
    schema: mysqlUrl,
    says: 'MySQL or MariaDB server, or a Galera cluster as user@host,host,host; without it the embedded database is used',
  },
  mysqlReplicas: {
    variable: 'MYSQL_REPLICA_URLS',
    schema: mysqlUrls,
    preset: '',
    says: 'read replicas of it, with commas: what the API shows of vehicles and their records is read from them',
  },
  migrate: {
    option: 'migrate',
    variable: 'MIGRATE',
    value: 'on|off',
    schema: among(['on', 'off']),
    preset: 'on',
    says: 'apply migrations at start; off: start only where none is missing',
  },
  retentionDays: {
    variable: 'RETENTION_DAYS',
    // The miles of a month are added up from its positions, also of those that come late.
    schema: whole(40, 36_500),
    says: 'days that positions and measurements are kept, at least 40; without it for ever',
  },
  eventRetentionDays: {
    variable: 'EVENT_RETENTION_DAYS',
    schema: whole(1, 36_500),
    preset: '30',
    says: 'days that the event log and the deliveries of webhooks are kept',
  },
  mysqlPool: {
    variable: 'MYSQL_POOL',
    schema: whole(2, 500),
    preset: '10',
    says: 'most connections to the database',
  },
  queryTimeoutSeconds: {
    variable: 'QUERY_TIMEOUT_SECONDS',
    schema: whole(1, 300),
    preset: '4',
    says: 'how long a request waits for the database until it is answered with 503; jobs wait longer',
  },
  redisUrl: {
    variable: 'REDIS_URL',
    schema: url('redis:', 'rediss:'),
    says: 'Redis server for jobs; without it they run in this process',
  },
  queuePrefix: {
    variable: 'QUEUE_PREFIX',
    schema: z.string().min(1),
    preset: 'odograph',
    says: 'what every key in Redis starts with',
  },
  encryptionKey: {
    variable: 'ENCRYPTION_KEY',
    schema: z.string().refine(isKey, { message: 'must be 32 bytes in base64' }),
    says: 'key of the secrets at rest, 32 bytes in base64; without it a key file is made',
  },
  encryptionKeysOld: {
    variable: 'ENCRYPTION_KEYS_OLD',
    schema: encryptionKeys,
    preset: '',
    says: 'further keys that may open what is sealed, with commas: old ones, or the next one',
  },
  publicUrl: {
    variable: 'PUBLIC_URL',
    schema: placeUrl,
    says: 'where callers reach the service',
  },
  corsOrigins: {
    variable: 'CORS_ORIGINS',
    schema: origins,
    preset: '',
    says: 'origins whose pages may use the API from a browser, such as https://app.example.com, with commas; * for any',
  },
  linkUrl: {
    variable: 'LINK_URL',
    schema: placeUrl,
    says: 'where fleets reach the link pages',
  },
  trustedProxies: {
    variable: 'TRUSTED_PROXIES',
    schema: addressRanges,
    preset: '',
    says: 'proxies whose X-Forwarded-For is believed, as 10.1.0.0/16,127.0.0.1; without it one proxy, where LINK_URL is https',
  },
  linkSignInsPerRun: {
    variable: 'LINK_SIGN_INS_PER_RUN',
    schema: whole(1, 1000),
    preset: '10',
    says: 'sign-ins that a fleet may try before its link run is over',
  },
  linkRatePerAddress: {
    variable: 'LINK_RATE_PER_ADDRESS',
    schema: whole(1, 1_000_000),
    preset: '30',
    says: 'link runs begun in a minute from one address, and as many sign-ins tried; more are answered with 429',
  },
  linkRatePerKey: {
    variable: 'LINK_RATE_PER_KEY',
    schema: whole(1, 1_000_000),
    preset: '600',
    says: 'the same with one publishable key, or by one short link',
  },
  sandboxUrl: {
    variable: 'SANDBOX_URL',
    schema: url('http:', 'https:'),
    says: 'a running sandbox provider; without it one is started for the demo',
  },
  sandboxBrowserUrl: {
    variable: 'SANDBOX_BROWSER_URL',
    schema: url('http:', 'https:'),
    says: 'where the browsers of fleets reach the sandbox provider, if not at SANDBOX_URL',
  },
  subgraphUrls: {
    variable: 'SUBGRAPH_URLS',
    schema: subgraphUrls,
    preset: '',
    says: 'subgraphs in other processes, ours and your own, as name=address pairs with commas',
  },
  subgraphTimeoutSeconds: {
    variable: 'SUBGRAPH_TIMEOUT_SECONDS',
    schema: whole(1, 300),
    preset: '10',
    says: 'how long the gateway waits for an answer of a subgraph in another process; for a mutation 20 seconds at least',
  },
  subgraphSecret: {
    variable: 'SUBGRAPH_SECRET',
    schema: z.string().min(16, { message: 'must have 16 characters at least' }),
    says: 'what the gateway signs with, for your own subgraphs, who is asking',
  },
  restUnknownParams: {
    variable: 'REST_UNKNOWN_PARAMS',
    schema: among(['refuse', 'ignore']),
    preset: 'refuse',
    says: 'what REST does with query parameters that it does not know',
  },
  pollSeconds: {
    variable: 'LOCATION_POLL_SECONDS',
    schema: whole(1, 86_400),
    preset: '5',
    says: 'how often managed polling asks for locations',
  },
  liveTimeoutSeconds: {
    variable: 'LIVE_TIMEOUT_SECONDS',
    schema: whole(1, 60),
    preset: '8',
    says: 'how long a request waits for a provider asked for what is only of now, then 504; in several processes < SUBGRAPH_TIMEOUT_SECONDS',
  },
  syncMinutes: {
    variable: 'SYNC_INTERVAL_MINUTES',
    schema: number(0.1, 10_080),
    preset: '120',
    says: 'how often an automatic connection is synced',
  },
  ...providerSettings,
  webhookAllow: {
    variable: 'WEBHOOK_ALLOW',
    schema: addressRanges,
    preset: '',
    says: 'private addresses that webhooks may go to, as 10.1.0.0/16,127.0.0.1; without it only public ones',
  },
  webhookHttp: {
    variable: 'WEBHOOK_HTTP',
    schema: among(['on', 'off']),
    preset: 'off',
    says: 'on: webhooks may go to http:// everywhere; off: to https://, and to http:// only at addresses in WEBHOOK_ALLOW',
  },
  logLevel: {
    variable: 'LOG_LEVEL',
    schema: among(['fatal', 'error', 'warn', 'info', 'debug', 'silent']),
    preset: 'warn',
    says: 'least level of what is logged',
  },
  metrics: {
    variable: 'METRICS',
    schema: among(switches),
    preset: 'auto',
    says: 'on, off or auto: whether /metrics is served, to anybody unless there is a METRICS_TOKEN',
  },
  metricsToken: {
    variable: 'METRICS_TOKEN',
    schema: z.string().min(16, { error: 'must have 16 characters at least' }),
    says: 'bearer token of /metrics, which is then served in production too',
  },
  otlpEndpoint: {
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    schema: url('http:', 'https:'),
    says: 'OpenTelemetry collector (OTLP over HTTP); without it nothing is traced',
  },
  otlpServiceName: {
    variable: 'OTEL_SERVICE_NAME',
    schema: z.string().min(1),
    preset: 'odograph',
    says: 'name of the service in traces',
  },
  socketsPerApplication: {
    variable: 'SOCKETS_PER_APPLICATION',
    schema: whole(1, 1_000_000),
    preset: '1000',
    says: 'websockets and event streams that an application may have open at one gateway',
  },
  operationsPerSocket: {
    variable: 'OPERATIONS_PER_SOCKET',
    schema: whole(1, 100_000),
    preset: '100',
    says: 'operations, subscriptions among them, that may be under way at once on one socket or stream',
  },
  subscriptionsPerApplication: {
    variable: 'SUBSCRIPTIONS_PER_APPLICATION',
    schema: whole(1, 1_000_000),
    preset: '10000',
    says: 'subscriptions that an application may have open at one gateway',
  },
  drainSeconds: {
    variable: 'DRAIN_SECONDS',
    schema: whole(0, 300),
    preset: '0',
    says: 'how long, told to stop, it still serves while /readyz says 503: longer than load balancers need to notice',
  },
  environment: {
    variable: 'NODE_ENV',
    schema: z.string(),
    says: 'production turns off what is auto below',
  },
  introspection: {
    variable: 'INTROSPECTION',
    schema: among(switches),
    preset: 'auto',
    says: 'on, off or auto: whether callers may read the GraphQL schema',
  },
  graphiql: {
    variable: 'GRAPHIQL',
    schema: among(switches),
    preset: 'auto',
    says: 'on, off or auto: whether browsers get GraphiQL at /graphql',
  },
} satisfies Record<string, Setting>
