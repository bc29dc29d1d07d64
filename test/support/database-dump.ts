import { Redis } from 'ioredis'
import type { Database } from '../../src/storage/database.ts'

/** Every row of every table that the database itself says there is, as text that begins with its table. */
export async function everyRow(db: Database): Promise<Set<string>> {
  const tables = await db.rows<{ name: string }>(
    db.dialect === 'mysql'
      ? 'SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()'
      : "SELECT name FROM sqlite_master WHERE type = 'table'",
  )
  const found = new Set<string>()
  for (const { name } of tables)
    for (const row of await db.rows<Record<string, unknown>>(`SELECT * FROM \`${name}\``))
      found.add(`${name} ${JSON.stringify(row, readable)}`)
  return found
}

/** Bytes would be written as numbers, in which nothing is found. */
const readable = (_name: string, value: unknown): unknown =>
  isBytes(value) ? Buffer.from(value.data).toString('latin1') : value

const isBytes = (value: unknown): value is { data: number[] } =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer' && 'data' in value

/** Every key of a prefix with all that it holds. */
export async function everyKey(url: string, prefix: string): Promise<string[]> {
  const redis = new Redis(url)
  const found: string[] = []
  for await (const keys of redis.scanStream({ match: `*${prefix}*`, count: 1000 }))
    for (const key of keys as string[]) found.push(`${key} ${JSON.stringify(await valueOf(redis, key))}`)
  redis.disconnect()
  return found
}

async function valueOf(redis: Redis, key: string): Promise<unknown> {
  const type = await redis.type(key)
  switch (type) {
    case 'none':
      return null
    case 'string':
      return redis.get(key)
    case 'hash':
      return redis.hgetall(key)
    case 'list':
      return redis.lrange(key, 0, -1)
    case 'set':
      return redis.smembers(key)
    case 'zset':
      return redis.zrange(key, 0, -1, 'WITHSCORES')
    case 'stream':
      return redis.xrange(key, '-', '+')
    default:
      throw new Error(`${key} is a ${type}`)
  }
}

/** Ids that may be told of what is gone: the log and the audit log go on from them. */
const OURS = /^(conn|app|key|evt|aud|ses|sync|isu|whe|lnk)_/
const LEAST = 6

/** What rows say: the values of all their columns, however deep, but for moments and what says nothing by itself. */
export function valuesOf(rows: Iterable<string>): Set<string> {
  const values = new Set<string>()
  const add = (value: unknown): void => {
    if (typeof value === 'object' && value !== null) return Object.values(value).forEach(add)
    if (typeof value !== 'string' && typeof value !== 'number') return
    const text = String(value)
    if (/^[[{"]/.test(text)) return add(parsed(text))
    const isMoment = /^\d{12,14}$|^\d{4}-\d\d(-\d\d)?(T|$)/.test(text)
    if (text.length >= LEAST && !isMoment && !OURS.test(text)) values.add(text)
  }
  for (const row of rows) add(JSON.parse(row.slice(row.indexOf(' ') + 1)))
  return values
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
