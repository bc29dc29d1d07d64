import { Redis } from 'ioredis'
import type { Database } from '../../../src/storage/database.ts'

/** Returns every row of every table that the database lists, as text that starts with the table name. */
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

/** Converts bytes to text: JSON writes them as numbers, which a text search cannot match. */
const readable = (_name: string, value: unknown): unknown =>
  isBytes(value) ? Buffer.from(value.data).toString('latin1') : value

const isBytes = (value: unknown): value is { data: number[] } =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer' && 'data' in value

/** Returns every Redis key with a prefix, with its value. */
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

/** Ids that may outlive their record: the log and the audit log keep them. */
const OURS = /^(conn|app|key|evt|aud|ses|sync|isu|whe|lnk)_/
const MIN_LENGTH = 6

/** Returns the values of all columns at any depth, except timestamps and values that identify nothing. */
export function valuesOf(rows: Iterable<string>): Set<string> {
  const values = new Set<string>()
  const add = (value: unknown): void => {
    if (typeof value === 'object' && value !== null) return Object.values(value).forEach(add)
    if (typeof value !== 'string' && typeof value !== 'number') return
    const text = String(value)
    if (/^[[{"]/.test(text)) return add(parsed(text))
    const isMoment = /^\d{12,14}$|^\d{4}-\d\d(-\d\d)?(T|$)/.test(text)
    if (text.length >= MIN_LENGTH && !isMoment && !OURS.test(text)) values.add(text)
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
