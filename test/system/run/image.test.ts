import { execFile, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { ContainerImage } from '../../support/container-image.ts'
import { freePort } from '../../support/queue/temporary-redis.ts'
import { until } from '../../support/observation/observed-service.ts'

const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
  'dependencies' | 'devDependencies',
  Readonly<Record<string, string>>
>

/** The build installs all packages. Only one that hangs takes this long. */
const BUILD_TIMEOUT_MS = 900_000

describe('the container image', () => {
  let image: ContainerImage
  beforeAll(async () => {
    image = await ContainerImage.build()
  }, BUILD_TIMEOUT_MS)
  afterAll(() => image[Symbol.dispose]())

  /** Runs a program of the image. The environment has nothing but what the image sets. */
  const environment = (more: Readonly<Record<string, string>> = {}) => ({
    PATH: process.env['PATH'],
    ...image.environment,
    ...more,
  })

  test('carries the service, its pages and its guides, and no tests or benchmarks', () => {
    expect(readdirSync(image.workdir).sort()).toEqual(['dist', 'node_modules', 'package.json'])
    expect(readdirSync(join(image.workdir, 'dist')).sort()).toEqual(['guides', 'pages', 'rest-compat', 'src'])
  })

  test('carries the packages of the service only', () => {
    const isInstalled = (name: string) => existsSync(join(image.workdir, 'node_modules', name))
    expect(Object.keys(dependencies).filter((name) => !isInstalled(name))).toEqual([])
    const tools = ['typescript', 'vitest', 'playwright-core', 'esbuild', 'graphiql', 'prettier']
    expect(Object.keys(devDependencies)).toEqual(expect.arrayContaining(tools))
    expect(tools.filter(isInstalled)).toEqual([])
  })

  test('has every program that the compose file and the documentation run', () => {
    const { services } = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as {
      services: Record<string, { build?: string; entrypoint?: readonly string[] }>
    }
    const entrypoints = Object.values(services).flatMap(({ build, entrypoint }) =>
      build ? [(entrypoint ?? image.entrypoint)[1] ?? ''] : [],
    )
    const commands = readFileSync('docs/operations.md', 'utf8').match(/\bdist\/[\w/]+\.js/g) ?? []
    const programs = new Set([...entrypoints, ...commands])
    expect(programs.size).toBeGreaterThan(3)
    expect([...programs].filter((path) => !existsSync(join(image.workdir, path)))).toEqual([])
  })

  test('starts with nothing set: no demo, and the command that creates the first application', async () => {
    const port = await freePort()
    const [program = '', ...args] = image.entrypoint
    const service = spawn(program, args, {
      cwd: image.workdir,
      env: environment({ HOST: '127.0.0.1', PORT: String(port) }),
    })
    let output = ''
    for (const stream of [service.stdout, service.stderr])
      stream.on('data', (text) => (output += String(text)))
    const ended = new Promise<number | null>((resolve) => service.on('exit', resolve))
    try {
      const command = await until(() => /^ {2}node (.+) NAME$/m.exec(output)?.[1]?.split(' ') ?? null)
      expect(output).not.toMatch(/demo's keys|SECRET_KEY/)
      expect(existsSync(join(image.environment['DATA_DIR'] ?? '', 'demo.json'))).toBe(false)

      const { stdout } = await promisify(execFile)(process.execPath, [...command, 'Acme', '--json'], {
        cwd: image.workdir,
        env: environment(),
      })
      const { secretKey } = JSON.parse(stdout) as { readonly secretKey: string }
      const url = `http://127.0.0.1:${port}`
      const statusOf = async (path: string, headers: Record<string, string> = {}) =>
        (await fetch(url + path, { headers })).status
      expect(await statusOf('/readyz')).toBe(200)
      expect(await statusOf('/tsp/v1/connections', { authorization: `Bearer ${secretKey}` })).toBe(200)
      for (const path of ['/', '/docs/operations', '/tsp/v1/docs', '/tsp/v1/openapi.json'])
        expect([path, await statusOf(path)]).toEqual([path, 200])
      expect(await statusOf('/metrics')).toBe(404)
    } finally {
      service.kill('SIGTERM')
    }
    expect(await ended).toBe(0)
    expect(statSync(join(image.environment['DATA_DIR'] ?? '', 'odograph.db')).size).toBeGreaterThan(0)
  })
})
