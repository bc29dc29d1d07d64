import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '../../src/platform/config/config.ts'
import { readOptions } from '../../src/providers/sandbox/simulator/options.ts'
import { settings, subgraphNames } from '../../src/platform/config/settings.ts'

/** Validates the file with compose and against the code. No container engine is needed. */

interface ComposeService {
  readonly image: string
  readonly build?: string
  readonly profiles?: readonly string[]
  readonly command?: readonly string[]
  readonly entrypoint?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly deploy?: { readonly replicas: number }
  readonly depends_on?: Readonly<Record<string, unknown>>
  readonly volumes?: readonly string[]
  readonly healthcheck?: { readonly test: readonly string[] }
}

const root = join(import.meta.dirname, '../..')
const file = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly volumes: Readonly<Record<string, unknown>>
}
const ours = Object.entries(file.services).filter(([name, { build }]) => build && name !== 'sandbox')
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')
const ENCRYPTION_KEY = Buffer.alloc(32).toString('base64')

/** Substitutes ${NAME:-default} and ${NAME:?message} like compose. A default may be nested. */
function interpolate(text: string): string {
  const result = text
    .replace(/\$\{ENCRYPTION_KEY[^}]*\}/, ENCRYPTION_KEY)
    .replace(/\$\{\w+:-([^${}]*)\}/g, '$1')
  return result === text ? text : interpolate(result)
}

/** Counts the processes of each role in a profile. */
function rolesOf(profile: string): Record<string, number> {
  const roles: Record<string, number> = {}
  for (const [, { profiles = [profile], command = [], deploy }] of ours)
    if (profiles.includes(profile))
      roles[command[1] ?? ''] = (roles[command[1] ?? ''] ?? 0) + (deploy?.replicas ?? 1)
  return roles
}

/** Returns the host of every URL in a value. */
const hostsIn = (text: string) =>
  [...interpolate(text).matchAll(/\w+:\/\/(?:[^@/,]*@)?([\w-]+)/g)].map((m) => m[1])

const isInstalled = (program: string, ...args: string[]): boolean => {
  try {
    execFileSync(program, [...args, 'version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
const compose = isInstalled('docker', 'compose')
  ? ['docker', 'compose']
  : isInstalled('docker-compose')
    ? ['docker-compose']
    : null
if (!compose) {
  const line = '!!! SKIPPED: validation of docker-compose.yml by compose. Install docker-compose. !!!'
  if (process.env['NO_SKIPS']) throw new Error(line)
  process.stderr.write(`\n${line}\n\n`)
}

describe('docker-compose.yml', () => {
  test('runs a gateway and two workers by default', () => {
    expect(readFileSync(join(root, '.env'), 'utf8')).toMatch(/^COMPOSE_PROFILES=standard$/m)
    expect(rolesOf('standard')).toEqual({ gateway: 1, worker: 2 })
  })

  test('runs six subgraphs, two gateways and three workers in the distributed profile', () => {
    const subgraphs = Object.fromEntries(subgraphNames.map((name) => [`subgraph:${name}`, 1]))
    expect(rolesOf('distributed')).toEqual({ ...subgraphs, gateway: 2, worker: 3 })
  })

  test('runs MySQL, Redis and the sandbox provider in both profiles', () => {
    const always = Object.entries(file.services).filter(([, { profiles }]) => !profiles)
    expect(always.map(([name]) => name).toSorted()).toEqual(['mysql', 'redis', 'sandbox'])
  })

  test.skipIf(!compose).each(['standard', 'distributed', 'monitoring'])(
    'is valid for compose, profile %s',
    (profile) => {
      const [program = '', ...args] = compose ?? []
      const printed = execFileSync(program, [...args, '--profile', profile, 'config'], {
        cwd: root,
        encoding: 'utf8',
        env: { ...process.env, ENCRYPTION_KEY },
      })
      const { services } = parse(printed) as { services: Record<string, unknown> }
      const expected = Object.entries(file.services).filter(([, { profiles = [profile] }]) =>
        profiles.includes(profile),
      )
      expect(Object.keys(services)).toEqual(expect.arrayContaining(expected.map(([name]) => name)))
    },
  )

  test('starts the sandbox provider with valid options', () => {
    const { entrypoint = [], command = [] } = file.services['sandbox'] ?? {}
    expect(existsSync(join(root, String(entrypoint[1])))).toBe(true)
    expect(readOptions(command.map(interpolate))).toMatchObject({ host: '0.0.0.0', port: 8090 })
    const addresses = ours.map(([, { environment = {} }]) => environment['SANDBOX_URL'])
    expect(new Set(addresses)).toEqual(new Set(['http://sandbox:8090']))
  })

  test.each(ours)('%s has a valid command and valid variables', (_, { command = [], environment = {} }) => {
    const known = new Set(
      Object.values(settings).flatMap((setting) => ('variable' in setting ? [setting.variable] : [])),
    )
    expect(Object.keys(environment).filter((name) => !known.has(name as never))).toEqual([])
    const values = Object.fromEntries(
      Object.entries(environment).map(([name, text]) => [name, interpolate(text)]),
    )
    expect(readConfig(command, { ...values, DATA_DIR: '/tmp' })).toMatchObject({
      config: { role: command[1] },
    })
  })

  test('refers only to its own services, volumes and hosts', () => {
    const services = Object.values(file.services)
    const needed = services.flatMap(({ depends_on = {} }) => Object.keys(depends_on))
    expect(needed.filter((name) => !(name in file.services))).toEqual([])
    const volumes = services.flatMap(({ volumes = [] }) =>
      volumes.map((volume) => volume.split(':')[0] ?? ''),
    )
    const isMissing = (name: string) =>
      name.startsWith('./') ? !existsSync(join(root, name)) : !(name in file.volumes)
    expect(volumes.filter(isMissing)).toEqual([])
    for (const [, { environment = {} }] of ours)
      for (const name of ['MYSQL_URL', 'REDIS_URL', 'SUBGRAPH_URLS'])
        expect(Object.keys(file.services)).toEqual(expect.arrayContaining(hostsIn(environment[name] ?? '')))
  })

  test('pins the version of every image that it does not build', () => {
    const pulled = Object.values(file.services).filter(({ build }) => !build)
    expect(pulled.map(({ image }) => image).filter((image) => !/:v?\d/.test(image))).toEqual([])
  })

  test('has an image that is built from existing folders, and starts the built service', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) =>
      names.split(' '),
    )
    expect(copied.filter((name) => !existsSync(join(root, name)))).toEqual([])
    const sent = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')
    expect(copied.filter((name) => !sent.includes(`!${name}`))).toEqual([])
    expect(dockerfile).toContain('ENTRYPOINT ["node", "dist/src/main.js"]')
    expect(existsSync(join(root, 'dist/src/main.js'))).toBe(true)
  })
})

describe('the monitoring profile', () => {
  const monitoring = (name: string) =>
    parse(readFileSync(join(root, 'deploy/monitoring', name), 'utf8')) as unknown
  /** Returns the path in a container at which a file of deploy/monitoring is mounted. */
  const mountOf = (service: string, name: string): string | undefined =>
    file.services[service]?.volumes
      ?.map((volume) => volume.split(':'))
      .find(([source]) => source === `./deploy/monitoring/${name}`)?.[1]

  const { rule_files, scrape_configs } = monitoring('prometheus.yml') as {
    readonly rule_files: readonly string[]
    readonly scrape_configs: readonly {
      readonly job_name: string
      readonly authorization: { readonly credentials_file: string }
      readonly dns_sd_configs: readonly { readonly names: readonly string[]; readonly port: number }[]
    }[]
  }

  test('scrapes the port of every process, with the token that the processes have', () => {
    const { dns_sd_configs: targets = [], authorization } = scrape_configs[0] ?? {}
    expect(targets[0]?.names.toSorted()).toEqual(ours.map(([name]) => name).toSorted())
    expect(readConfig([], { DATA_DIR: '/tmp' })).toMatchObject({ config: { port: targets[0]?.port } })
    const { entrypoint = [], environment = {} } = file.services['prometheus'] ?? {}
    expect(entrypoint.join(' ')).toContain(` > ${authorization?.credentials_file}\n`)
    const tokens = ours.map(([, service]) => service.environment?.['METRICS_TOKEN'])
    expect(new Set(tokens)).toEqual(new Set([environment['METRICS_TOKEN']]))
  })

  test('loads the alerts, and labels the processes as they expect', () => {
    const config = mountOf('prometheus', 'prometheus.yml') ?? ''
    expect(file.services['prometheus']?.command).toContain(`--config.file=${config}`)
    expect(rule_files.map((name) => join(dirname(config), name))).toEqual([
      mountOf('prometheus', 'alerts.yml'),
    ])
    const { groups } = monitoring('alerts.yml') as { groups: { rules: { expr: string }[] }[] }
    const jobs = groups.flatMap(({ rules }) =>
      rules.flatMap(({ expr }) => /job="(\w+)"/.exec(expr)?.[1] ?? []),
    )
    expect(new Set(jobs)).toEqual(new Set([scrape_configs[0]?.job_name]))
  })

  test('gives Grafana the data source and the dashboard', () => {
    const { datasources } = monitoring('grafana-datasources.yml') as { datasources: { url: string }[] }
    expect(Object.keys(file.services)).toContain(new URL(datasources[0]?.url ?? '').hostname)
    const { providers } = monitoring('grafana-dashboards.yml') as {
      providers: { options: { path: string } }[]
    }
    expect(dirname(mountOf('grafana', 'dashboard.json') ?? '')).toBe(providers[0]?.options.path)
    expect(mountOf('grafana', 'grafana-datasources.yml')).toMatch(
      /^\/etc\/grafana\/provisioning\/datasources\//,
    )
    expect(mountOf('grafana', 'grafana-dashboards.yml')).toMatch(
      /^\/etc\/grafana\/provisioning\/dashboards\//,
    )
  })
})
