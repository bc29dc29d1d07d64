import { z } from 'zod'
import { providerSettings } from './provider-settings.ts'
import {
  addressRanges,
  oneOf,
  encryptionKeys,
  isKey,
  mysqlUrl,
  mysqlUrls,
  number,
  origins,
  serviceUrl,
  subgraphUrls,
  url,
  wholeNumber,
} from './setting-parsers.ts'

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
    description: 'port to listen on, 0 for any free one',
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
    schema: oneOf(roles),
    default: 'all',
    description: 'all, gateway, worker or subgraph:NAME',
  },
  fleetSize: {
    option: 'fleet-size',
    variable: 'FLEET_SIZE',
    value: 'N',
    schema: wholeNumber(1, 100_000),
    default: '50',
    description: "vehicles of the demo's fleet, 1 to 100,000",
  },
  demo: {
    option: 'demo',
    variable: 'DEMO',
    value: 'on|off|auto',
    schema: oneOf(switches),
    default: 'auto',
    description: 'link the demo fleet at start; auto: where the database is embedded',
  },
  readyFile: {
    option: 'ready-file',
    value: 'PATH',
    schema: z.string().min(1),
    description: 'JSON file to write when the service is ready',
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
      'read replicas of it, with commas: what the API shows of vehicles and their records is read from them',
  },
  migrate: {
    option: 'migrate',
    variable: 'MIGRATE',
    value: 'on|off',
    schema: oneOf(['on', 'off']),
    default: 'on',
    description: 'apply migrations at start; off: start only where none is missing',
  },
  retentionDays: {
    variable: 'RETENTION_DAYS',
    // The miles of a month are added up from its positions, also of those that come late.
    schema: wholeNumber(40, 36_500),
    description: 'days that positions and measurements are kept, at least 40; without it for ever',
  },
  eventRetentionDays: {
    variable: 'EVENT_RETENTION_DAYS',
    schema: wholeNumber(1, 36_500),
    default: '30',
    description: 'days that the event log and the deliveries of webhooks are kept',
  },
  mysqlPool: {
    variable: 'MYSQL_POOL',
    schema: wholeNumber(2, 500),
    default: '10',
    description: 'most connections to the database',
  },
  queryTimeoutSeconds: {
    variable: 'QUERY_TIMEOUT_SECONDS',
    schema: wholeNumber(1, 300),
    default: '4',
    description: 'how long a request waits for the database until it is answered with 503; jobs wait longer',
  },
  redisUrl: {
    variable: 'REDIS_URL',
    schema: url('redis:', 'rediss:'),
    description: 'Redis server for jobs; without it they run in this process',
  },
  queuePrefix: {
    variable: 'QUEUE_PREFIX',
    schema: z.string().min(1),
    default: 'odograph',
    description: 'what every key in Redis starts with',
  },
  encryptionKey: {
    variable: 'ENCRYPTION_KEY',
    schema: z.string().refine(isKey, { message: 'must be 32 bytes in base64' }),
    description: 'key of the secrets at rest, 32 bytes in base64; without it a key file is made',
  },
  encryptionKeysOld: {
    variable: 'ENCRYPTION_KEYS_OLD',
    schema: encryptionKeys,
    default: '',
    description: 'further keys that may open what is sealed, with commas: old ones, or the next one',
  },
  publicUrl: {
    variable: 'PUBLIC_URL',
    schema: serviceUrl,
    description: 'where callers reach the service',
  },
  corsOrigins: {
    variable: 'CORS_ORIGINS',
    schema: origins,
    default: '',
    description:
      'origins whose pages may use the API from a browser, such as https://app.example.com, with commas; * for any',
  },
  linkUrl: {
    variable: 'LINK_URL',
    schema: serviceUrl,
    description: 'where fleets reach the link pages',
  },
  trustedProxies: {
    variable: 'TRUSTED_PROXIES',
    schema: addressRanges,
    default: '',
    description:
      'proxies whose X-Forwarded-For is believed, as 10.1.0.0/16,127.0.0.1; without it one proxy, where LINK_URL is https',
  },
  linkSignInsPerRun: {
    variable: 'LINK_SIGN_INS_PER_RUN',
    schema: wholeNumber(1, 1000),
    default: '10',
    description: 'sign-ins that a fleet may try before its link run is over',
  },
  linkRatePerAddress: {
    variable: 'LINK_RATE_PER_ADDRESS',
    schema: wholeNumber(1, 1_000_000),
    default: '30',
    description:
      'link runs begun in a minute from one address, and as many sign-ins tried; more are answered with 429',
  },
  linkRatePerKey: {
    variable: 'LINK_RATE_PER_KEY',
    schema: wholeNumber(1, 1_000_000),
    default: '600',
    description: 'the same with one publishable key, or by one short link',
  },
  sandboxUrl: {
    variable: 'SANDBOX_URL',
    schema: url('http:', 'https:'),
    description: 'a running sandbox provider; without it one is started for the demo',
  },
  sandboxBrowserUrl: {
    variable: 'SANDBOX_BROWSER_URL',
    schema: url('http:', 'https:'),
    description: 'where the browsers of fleets reach the sandbox provider, if not at SANDBOX_URL',
  },
  subgraphUrls: {
    variable: 'SUBGRAPH_URLS',
    schema: subgraphUrls,
    default: '',
    description: 'subgraphs in other processes, ours and your own, as name=address pairs with commas',
  },
  subgraphTimeoutSeconds: {
    variable: 'SUBGRAPH_TIMEOUT_SECONDS',
    schema: wholeNumber(1, 300),
    default: '10',
    description:
      'how long the gateway waits for an answer of a subgraph in another process; for a mutation 20 seconds at least',
  },
  subgraphSecret: {
    variable: 'SUBGRAPH_SECRET',
    schema: z.string().min(16, { message: 'must have 16 characters at least' }),
    description: 'what the gateway signs with, for your own subgraphs, who is asking',
  },
  restUnknownParams: {
    variable: 'REST_UNKNOWN_PARAMS',
    schema: oneOf(['refuse', 'ignore']),
    default: 'refuse',
    description: 'what REST does with query parameters that it does not know',
  },
  pollSeconds: {
    variable: 'LOCATION_POLL_SECONDS',
    schema: wholeNumber(1, 86_400),
    default: '5',
    description: 'how often managed polling asks for locations',
  },
  liveTimeoutSeconds: {
    variable: 'LIVE_TIMEOUT_SECONDS',
    schema: wholeNumber(1, 60),
    default: '8',
    description:
      'how long a request waits for a provider asked for what is only of now, then 504; in several processes < SUBGRAPH_TIMEOUT_SECONDS',
  },
  syncMinutes: {
    variable: 'SYNC_INTERVAL_MINUTES',
    schema: number(0.1, 10_080),
    default: '120',
    description: 'how often an automatic connection is synced',
  },
  ...providerSettings,
  webhookAllow: {
    variable: 'WEBHOOK_ALLOW',
    schema: addressRanges,
    default: '',
    description:
      'private addresses that webhooks may go to, as 10.1.0.0/16,127.0.0.1; without it only public ones',
  },
  webhookHttp: {
    variable: 'WEBHOOK_HTTP',
    schema: oneOf(['on', 'off']),
    default: 'off',
    description:
      'on: webhooks may go to http:// everywhere; off: to https://, and to http:// only at addresses in WEBHOOK_ALLOW',
  },
  logLevel: {
    variable: 'LOG_LEVEL',
    schema: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'silent']),
    default: 'warn',
    description: 'least level of what is logged',
  },
  metrics: {
    variable: 'METRICS',
    schema: oneOf(switches),
    default: 'auto',
    description: 'on, off or auto: whether /metrics is served, to anybody unless there is a METRICS_TOKEN',
  },
  metricsToken: {
    variable: 'METRICS_TOKEN',
    schema: z.string().min(16, { error: 'must have 16 characters at least' }),
    description: 'bearer token of /metrics, which is then served in production too',
  },
  otlpEndpoint: {
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    schema: url('http:', 'https:'),
    description: 'OpenTelemetry collector (OTLP over HTTP); without it nothing is traced',
  },
  otlpServiceName: {
    variable: 'OTEL_SERVICE_NAME',
    schema: z.string().min(1),
    default: 'odograph',
    description: 'name of the service in traces',
  },
  socketsPerApplication: {
    variable: 'SOCKETS_PER_APPLICATION',
    schema: wholeNumber(1, 1_000_000),
    default: '1000',
    description: 'websockets and event streams that an application may have open at one gateway',
  },
  operationsPerSocket: {
    variable: 'OPERATIONS_PER_SOCKET',
    schema: wholeNumber(1, 100_000),
    default: '100',
    description:
      'operations, subscriptions among them, that may be under way at once on one socket or stream',
  },
  subscriptionsPerApplication: {
    variable: 'SUBSCRIPTIONS_PER_APPLICATION',
    schema: wholeNumber(1, 1_000_000),
    default: '10000',
    description: 'subscriptions that an application may have open at one gateway',
  },
  drainSeconds: {
    variable: 'DRAIN_SECONDS',
    schema: wholeNumber(0, 300),
    default: '0',
    description:
      'how long, told to stop, it still serves while /readyz says 503: longer than load balancers need to notice',
  },
  environment: {
    variable: 'NODE_ENV',
    schema: z.string(),
    description: 'production turns off what is auto below',
  },
  introspection: {
    variable: 'INTROSPECTION',
    schema: oneOf(switches),
    default: 'auto',
    description: 'on, off or auto: whether callers may read the GraphQL schema',
  },
  graphiql: {
    variable: 'GRAPHIQL',
    schema: oneOf(switches),
    default: 'auto',
    description: 'on, off or auto: whether browsers get GraphiQL at /graphql',
  },
} satisfies Record<string, Setting>
