import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { describe, expect, test } from 'vitest'
import { helpText, readConfig } from '../../src/platform/config/config.ts'
import { type Setting, settings } from '../../src/platform/config/settings.ts'

const baseEnvironment = { DATA_DIR: tmpdir() }

describe('the configuration', () => {
  test('has defaults', () => {
    expect(readConfig([], baseEnvironment)).toMatchObject({
      config: { port: 8080, host: '127.0.0.1', role: 'all', fleetSize: 50, demo: 'auto' },
    })
  })

  test('prefers an option to a variable', () => {
    expect(
      readConfig(['--port', '1', '--fleet-size=7'], { ...baseEnvironment, PORT: '2', HOST: '::1' }),
    ).toMatchObject({
      config: { port: 1, fleetSize: 7, host: '::1' },
    })
  })

  test('treats an empty variable as not set', () => {
    expect(readConfig([], { ...baseEnvironment, PORT: '', MYSQL_URL: '' })).toMatchObject({
      config: { port: 8080 },
    })
  })

  test.each([
    ['https://odograph.example.com/', 'https://odograph.example.com'],
    ['https://example.com/odograph//', 'https://example.com/odograph'],
    ['http://localhost:8080', 'http://localhost:8080'],
    ['https:odograph.example.com', 'https://odograph.example.com'],
    [' https://Odograph.example.com/ ', 'https://odograph.example.com'],
  ])('normalizes %s to %s, because paths are appended', (url, normalized) => {
    expect(readConfig([], { ...baseEnvironment, PUBLIC_URL: url, LINK_URL: url })).toMatchObject({
      config: { publicUrl: normalized, linkUrl: normalized },
    })
  })

  test.each([
    [['--port', '70000'], {}, '--port: must be a whole number from 0 to 65535'],
    [['--port'], {}, '--port: needs a value'],
    [['--fleet', '3'], {}, '--fleet: no such option'],
    [['now'], {}, 'now: unexpected argument'],
    [[], { REDIS_URL: 'mysql://x' }, 'REDIS_URL: must be a URL that starts with redis:// or rediss://'],
    [[], { REDIS_URL: 'redis://cache/abc' }, 'REDIS_URL: the database after the host must be a whole number'],
    [[], { REDIS_URL: 'redis://:%@cache' }, 'REDIS_URL: a % in the user, the password'],
    [[], { MYSQL_URL: 'mysql://root:%@db/x' }, 'MYSQL_URL: a % in the user, the password'],
    [[], { MYSQL_URL: 'mysql://root:1/2@db/x' }, 'MYSQL_URL: the user or the password contains / ? # or @'],
    [[], { MYSQL_REPLICA_URLS: 'mysql://a/x,mysql://root:%@b/x' }, 'MYSQL_REPLICA_URLS: a % in the user'],
    [[], { ENCRYPTION_KEY: 'c2hvcnQ=' }, 'ENCRYPTION_KEY: must be 32 bytes in base64'],
    [[], { SUBGRAPH_URLS: 'fuel=ftp://x' }, 'SUBGRAPH_URLS: must be like'],
    [[], { SUBGRAPH_URLS: 'Fuel Cards=http://x' }, 'SUBGRAPH_URLS: must be like'],
    [[], { SUBGRAPH_URLS: 'fuel=http://x,fuel=http://y' }, 'SUBGRAPH_URLS: must be like'],
    [[], { PROVIDER_BUDGETS: 'sandbox=0/s' }, 'PROVIDER_BUDGETS: must be like'],
    [[], { PROVIDER_BUDGETS: 'sandbox=10/s,samsara' }, 'PROVIDER_BUDGETS: must be like'],
    [[], { SUBGRAPH_SECRET: 'short' }, 'SUBGRAPH_SECRET: must have at least 16 characters'],
    [[], { MYSQL_URL: 'mysql://root@localhost:3306' }, 'MYSQL_URL: must name a database'],
    [[], { WEBHOOK_ALLOW: '10.0.0.0/33' }, 'WEBHOOK_ALLOW: must be comma-separated addresses or ranges'],
    [
      [],
      { WEBHOOK_ALLOW: 'hooks.example.com' },
      'WEBHOOK_ALLOW: must be comma-separated addresses or ranges',
    ],
    [[], { WEBHOOK_HTTP: 'yes' }, 'WEBHOOK_HTTP: must be one of on, off'],
    [[], { PROVIDER_URLS: 'samsara=ftp://x' }, 'PROVIDER_URLS: must be like samsara=http://host:port'],
    [[], { PROVIDER_ALLOW: 'traccar.lan' }, 'PROVIDER_ALLOW: must be comma-separated addresses or ranges'],
    [[], { SAMSARA_CLIENT_ID: 'us' }, 'SAMSARA_CLIENT_ID needs SAMSARA_CLIENT_SECRET'],
    [[], { MOTIVE_CLIENT_SECRET: 'none' }, 'MOTIVE_CLIENT_SECRET needs MOTIVE_CLIENT_ID'],
    [['--role', 'worker'], {}, '--role worker needs MYSQL_URL'],
    [
      [],
      { SUBGRAPH_URLS: 'telemetry=http://x', LIVE_TIMEOUT_SECONDS: '10' },
      'LIVE_TIMEOUT_SECONDS (10) must be less than SUBGRAPH_TIMEOUT_SECONDS (10)',
    ],
    [
      ['--role', 'subgraph:telemetry'],
      { SUBGRAPH_TIMEOUT_SECONDS: '5' },
      'LIVE_TIMEOUT_SECONDS (8) must be less than SUBGRAPH_TIMEOUT_SECONDS (5)',
    ],
    [['--data', '/dev/null/x'], {}, '--data /dev/null/x: the folder cannot be written'],
  ])('refuses %j %j', (args, environment, message) => {
    const result = readConfig(args, { ...baseEnvironment, ...environment })
    expect('problems' in result && result.problems.join('\n')).toContain(message)
  })

  const URLS = ['PUBLIC_URL', 'LINK_URL', 'SANDBOX_URL', 'SANDBOX_BROWSER_URL', 'OTEL_EXPORTER_OTLP_ENDPOINT']
  const QUERY = 'must not have a query (?) or a fragment (#): paths are appended to it'
  const USER = 'must not have a user or a password (@)'

  test.each([
    ...URLS.flatMap((name) => [
      [name, 'odograph.example.com', `${name}: must be a URL that starts with http:// or https://`],
      [name, 'https://odograph.example.com/?a=b', `${name}: ${QUERY}`],
      [name, 'https://odograph.example.com?', `${name}: ${QUERY}`],
      [name, 'https://odograph.example.com#f', `${name}: ${QUERY}`],
    ]),
    ...URLS.slice(0, -1).flatMap((name) => [
      [name, 'https://fleet:hidden@odograph.example.com', `${name}: ${USER}`],
      [name, 'https://fleet:1/hidden@odograph.example.com', `${name}: ${USER}`],
    ]),
    [
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'https://fleet:hidd%en@c',
      'OTEL_EXPORTER_OTLP_ENDPOINT: a % in the user',
    ],
    [
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'https://fleet:1/hidden@c',
      'OTEL_EXPORTER_OTLP_ENDPOINT: the user or the',
    ],
    ['PROVIDER_URLS', 'samsara=https://a?b=c', `PROVIDER_URLS: the URL of samsara ${QUERY}`],
    ['PROVIDER_URLS', 'samsara=https://fleet:hidden@a', `PROVIDER_URLS: the URL of samsara ${USER}`],
    ['SUBGRAPH_URLS', 'fuel=https://a#b', 'SUBGRAPH_URLS: the URL of fuel must not have a fragment (#)'],
    ['SUBGRAPH_URLS', 'fuel=https://fleet:hidden@a', `SUBGRAPH_URLS: the URL of fuel ${USER}`],
  ])('refuses %s %s, and the error has no password', (name = '', value, message) => {
    const result = readConfig([], { ...baseEnvironment, [name]: value })
    const text = 'problems' in result ? result.problems.join('\n') : ''
    expect(text).toContain(message)
    expect(text).not.toMatch(/hidd|den/)
  })

  test('accepts a user of a collector, and a query of a subgraph', () => {
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://fleet:p%25w@collector.example.com/otlp/',
      SUBGRAPH_URLS: 'fuel=http://fuel/graphql?fleet=1',
    }
    const result = readConfig([], { ...baseEnvironment, ...environment })
    expect(result).toMatchObject({
      config: {
        otlpEndpoint: 'https://fleet:p%25w@collector.example.com/otlp',
        subgraphUrls: new Map([['fuel', 'http://fuel/graphql?fleet=1']]),
      },
    })
  })

  test('does not limit the provider timeout of a single process', () => {
    const environment = { SUBGRAPH_URLS: 'fuel=http://x', LIVE_TIMEOUT_SECONDS: '60' }
    expect(readConfig([], { ...baseEnvironment, ...environment })).toMatchObject({
      config: { liveTimeoutSeconds: 60 },
    })
  })

  test('parses the rate limits of providers', () => {
    const result = readConfig([], { ...baseEnvironment, PROVIDER_BUDGETS: 'sandbox=10/s, samsara=600/min' })
    expect('config' in result && [...result.config.providerBudgets]).toEqual([
      ['sandbox', { requests: 10, perSeconds: 1 }],
      ['samsara', { requests: 600, perSeconds: 60 }],
    ])
  })

  test('shows every option and variable in its help', () => {
    for (const setting of Object.values(settings)) {
      if ('option' in setting) expect(helpText()).toContain(`--${setting.option}`)
      if ('variable' in setting) expect(helpText()).toContain(setting.variable)
    }
  })

  test('matches docs/configuration.md; `npm run generate:settings` writes it', async () => {
    const path = join(process.cwd(), 'docs/configuration.md')
    const page = readFileSync(path, 'utf8')
    expect(page).toMatch(TABLE)
    const text = page.replace(TABLE, (_, before: string, after: string) => before + table() + after)
    const formatted = await format(text, { ...(await resolveConfig(path)), filepath: path })
    await expect(formatted).toMatchFileSnapshot(path)
  })
})

/** Matches the table of settings on its page. */
const TABLE = /(<!-- settings -->\n\n)[^]*?(\n\n<!-- \/settings -->)/

const table = (): string =>
  [
    ['Variable', 'Option', 'Default', 'What it is'],
    Array(4).fill('---'),
    ...Object.values(settings).map(rowOf),
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')

const rowOf = (setting: Setting): string[] => [
  setting.variable ? `\`${setting.variable}\`` : '',
  setting.option ? `\`--${setting.option}\`` : '',
  setting.default ? `\`${String(setting.default)}\`` : '',
  setting.description.replaceAll('|', '\\|'),
]
