import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { removeDatabases } from '../database/migrated-databases.ts'
import { mysqlAnswers, onPath, TemporaryMariadb } from '../database/temporary-mariadb.ts'
import { freePort } from '../queue/temporary-redis.ts'

/**
 * Global setup: finds MariaDB and Redis. It takes MYSQL_URL and REDIS_URL, else local servers that respond,
 * else starts servers from the binaries on PATH. Without servers, the suites that need them are skipped with
 * one line of output, or the run fails if NO_SKIPS is set.
 */
export async function setup(): Promise<() => Promise<void>> {
  const started: Started[] = []
  const mysql = await find(
    'MYSQL_URL',
    'mysql://root@127.0.0.1:3306',
    mysqlAnswers,
    () => TemporaryMariadb.start(),
    started,
  )
  const redis = await find('REDIS_URL', 'redis://127.0.0.1:6379', redisAnswers, startRedis, started)
  if (!mysql || !redis) refuseSkips([...(mysql ? [] : ['MariaDB']), ...(redis ? [] : ['Redis'])])
  process.env['TEST_RUN'] = randomBytes(4).toString('hex')
  return async () => {
    await removeDatabases()
    for (const server of started) await server[Symbol.asyncDispose]()
  }
}

interface Started extends AsyncDisposable {
  readonly url: string
}

type Answers = (url: string) => Promise<boolean>

async function find(
  variable: 'MYSQL_URL' | 'REDIS_URL',
  local: string,
  answers: Answers,
  start: () => Promise<Started | null>,
  started: Started[],
): Promise<boolean> {
  const given = process.env[variable]
  if (given) {
    if (await answers(given)) return true
    throw new Error(`${variable} is set to ${given}, but no server responds there`)
  }
  if (await answers(local)) return use(variable, local)
  const own = await start()
  if (!own) return false
  started.push(own)
  for (let tries = 0; tries < 300; tries++) {
    if (await answers(own.url)) return use(variable, own.url)
    await wait(100)
  }
  throw new Error(`the server started at ${own.url} does not respond`)
}

function use(variable: 'MYSQL_URL' | 'REDIS_URL', url: string): true {
  process.env[variable] = url
  return true
}

function refuseSkips(missing: readonly string[]): void {
  const line = `!!! SKIPPED: the suites on MariaDB and Redis. Missing on this machine: ${missing.join(', ')}. Install them or set MYSQL_URL and REDIS_URL. !!!`
  if (process.env['NO_SKIPS']) throw new Error(line)
  delete process.env['MYSQL_URL']
  process.stderr.write(`\n${line}\n\n`)
}

async function redisAnswers(url: string): Promise<boolean> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 1000 })
  redis.on('error', () => undefined)
  try {
    await redis.connect()
    return (await redis.ping()) === 'PONG'
  } catch {
    return false
  } finally {
    redis.disconnect()
  }
}

async function startRedis(): Promise<Started | null> {
  const program = onPath('redis-server')
  if (!program) return null
  const folder = mkdtempSync(join(tmpdir(), 'odograph-redis-'))
  const port = await freePort()
  const child = spawn(
    program,
    ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''],
    { stdio: 'ignore' },
  )
  return {
    url: `redis://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
