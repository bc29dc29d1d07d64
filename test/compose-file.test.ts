import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readConfig, settings } from '../src/config.ts'
import { readOptions } from '../src/providers/sandbox/simulator/options.ts'

/** There is no engine here to start it, so the file is held against the code. */

interface ComposeService {
  readonly image: string
  readonly build?: string
  readonly command?: readonly string[]
  readonly entrypoint?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly depends_on?: Readonly<Record<string, unknown>>
  readonly volumes?: readonly string[]
  readonly healthcheck?: { readonly test: readonly string[] }
}

const root = join(import.meta.dirname, '..')
const file = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly volumes: Readonly<Record<string, unknown>>
}
const ours = Object.entries(file.services).filter(([name, { build }]) => build && name !== 'sandbox')
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')

/** What compose puts in place of ${NAME:-preset} and ${NAME:?why}. */
const filledIn = (text: string) =>
  text
    .replace(/\$\{ENCRYPTION_KEY[^}]*\}/, Buffer.alloc(32).toString('base64'))
    .replace(/\$\{\w+:-([^}]*)\}/g, '$1')

describe('docker-compose.yml', () => {
  test('runs a gateway and a worker on MySQL and Redis, and the sandbox provider', () => {
    expect(Object.keys(file.services)).toEqual(['gateway', 'worker', 'sandbox', 'mysql', 'redis'])
  })

  test('starts the sandbox provider with options that it takes', () => {
    const { entrypoint = [], command = [] } = file.services['sandbox'] ?? {}
    expect(existsSync(join(root, String(entrypoint[1])))).toBe(true)
    expect(readOptions([...command])).toMatchObject({ host: '0.0.0.0', port: 8090 })
    expect(ours.map(([, { environment = {} }]) => environment['SANDBOX_URL'])).toEqual([
      'http://sandbox:8090',
      'http://sandbox:8090',
    ])
  })

  test.each(ours)(
    '%s has a command and variables that the service takes',
    (_, { command = [], environment = {} }) => {
      const known = new Set(
        Object.values(settings).flatMap((setting) => ('variable' in setting ? [setting.variable] : [])),
      )
      expect(Object.keys(environment).filter((name) => !known.has(name as never))).toEqual([])
      const values = Object.fromEntries(
        Object.entries(environment).map(([name, text]) => [name, filledIn(text)]),
      )
      expect(readConfig(command, { ...values, DATA_DIR: '/tmp' })).toMatchObject({
        config: { role: command[1] },
      })
    },
  )

  test('refers to services and volumes that it has', () => {
    const services = Object.values(file.services)
    expect(
      services
        .flatMap(({ depends_on = {} }) => Object.keys(depends_on))
        .filter((name) => !(name in file.services)),
    ).toEqual([])
    expect(
      services
        .flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':')[0] ?? ''))
        .filter((name) => !(name in file.volumes)),
    ).toEqual([])
    const hosts = ours.flatMap(([, { environment = {} }]) => [
      environment['MYSQL_URL'],
      environment['REDIS_URL'],
    ])
    for (const url of hosts)
      expect(Object.keys(file.services)).toContain(new URL(filledIn(String(url))).hostname)
  })

  test('is built from folders that are there, and starts what the build makes', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) =>
      names.split(' '),
    )
    expect(copied.filter((name) => !existsSync(join(root, name)))).toEqual([])
    expect(dockerfile).toContain('ENTRYPOINT ["node", "dist/src/main.js"]')
    expect(existsSync(join(root, 'dist/src/main.js'))).toBe(true)
  })
})
