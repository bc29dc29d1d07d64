import { Redis } from 'ioredis'
import type { Database } from '../../../src/storage/database.ts'
import type { Home } from '../../prove/support/service-process.ts'

/** Secrets, each with its name for reports. */
export type Secrets = ReadonlyMap<string, string>

/** A text to search, and its location. */
export interface Place {
  readonly where: string
  readonly text: string
}

/** Returns the places in which a secret is readable, in any encoding. Half of a secret counts. */
export function foundIn(places: readonly Place[], secrets: Secrets): string[] {
  const cores = [...secrets].map(([secret, name]) => ({ name, core: coreOf(secret) }))
  const found = places.flatMap(({ where, text }) =>
    readings(text).flatMap((reading) =>
      cores.filter(({ core }) => reading.includes(core)).map(({ name }) => `${name} in ${where}`),
    ),
  )
  return [...new Set(found)].sort()
}

/** Returns the middle of a secret: its ends may be shown as a hint. */
function coreOf(secret: string): string {
  const from = Math.floor(secret.length / 4)
  return secret.slice(from, secret.length - from)
}

/** Returns a text, its unescaped form, and decodings of the long words of both. */
function readings(text: string): string[] {
  const plain = plainer(plainer(text))
  const form = plainer(text.replaceAll('+', ' '))
  const written = [...new Set([text, plain, form])]
  return [...written, ...written.flatMap((one) => [...base64sIn(one), ...hexesIn(one)])]
}

const plainer = (text: string): string =>
  text
    .replaceAll(/\\+u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replaceAll(/\\+(["\\/])/g, '$1')
    .replaceAll(/(?:%[0-9a-f]{2})+/gi, (codes) => Buffer.from(codes.replaceAll('%', ''), 'hex').toString())
    .replaceAll(/&(?:quot|#34);/g, '"')
    .replaceAll(/&(?:apos|#39);/g, "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

/** A prefix may precede the encoded text, so each offset is tried. */
const base64sIn = (text: string): string[] => decodedIn(text, /[\w+/-]{12,}/g, [0, 1, 2, 3], 'base64')

const hexesIn = (text: string): string[] => decodedIn(text, /[0-9a-f]{16,}/gi, [0, 1], 'hex')

function decodedIn(
  text: string,
  word: RegExp,
  begins: readonly number[],
  encoding: BufferEncoding,
): string[] {
  const formats = text.match(word) ?? []
  if (formats.length === 0) return []
  return begins.map((from) =>
    formats.map((one) => Buffer.from(one.slice(from), encoding).toString()).join('\n'),
  )
}

/** Returns every column of every row. */
export async function rowsOf(db: Database): Promise<Place[]> {
  const tables = await db.rows<{ name: string }>(
    db.dialect === 'mysql'
      ? 'SELECT `table_name` AS `name` FROM `information_schema`.`tables` WHERE `table_schema` = DATABASE()'
      : "SELECT `name` FROM `sqlite_master` WHERE `type` = 'table'",
  )
  const places: Place[] = []
  for (const { name } of tables) {
    const columns = new Map<string, string[]>()
    for (const row of await db.rows<Record<string, unknown>>(`SELECT * FROM \`${name}\``))
      for (const [column, value] of Object.entries(row)) {
        if (typeof value === 'number' || value === null) continue
        columns.set(column, [...(columns.get(column) ?? []), textOf(value)])
      }
    for (const [column, texts] of columns) places.push({ where: `${name}.${column}`, text: texts.join('\n') })
  }
  return places
}

const textOf = (value: unknown): string => {
  if (Buffer.isBuffer(value)) return value.toString('latin1')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Returns every Redis key of this service with its value; none without Redis. */
export async function redisOf({ environment }: Home): Promise<Place[]> {
  const { REDIS_URL, QUEUE_PREFIX } = environment
  if (REDIS_URL === undefined) return []
  const redis = new Redis(REDIS_URL)
  try {
    const places: Place[] = []
    for await (const keys of redis.scanStream({ match: `*${QUEUE_PREFIX}*`, count: 1000 }))
      for (const key of keys as string[])
        places.push({ where: 'Redis', text: `${key} ${await held(redis, key)}` })
    return [{ where: 'Redis', text: places.map(({ text }) => text).join('\n') }]
  } finally {
    redis.disconnect()
  }
}

const READS: Readonly<Record<string, (redis: Redis, key: string) => Promise<unknown>>> = {
  string: (redis, key) => redis.get(key),
  hash: (redis, key) => redis.hgetall(key),
  list: (redis, key) => redis.lrange(key, 0, -1),
  set: (redis, key) => redis.smembers(key),
  zset: (redis, key) => redis.zrange(key, 0, -1),
  stream: (redis, key) => redis.xrange(key, '-', '+'),
  none: async () => null,
}

async function held(redis: Redis, key: string): Promise<string> {
  const read = READS[await redis.type(key)]
  if (!read) throw new Error(`unsupported Redis type of ${key}`)
  return JSON.stringify(await read(redis, key))
}
