import { z } from 'zod'
import { parseUrl } from '../parse-url.ts'
import { parseMysqlUrl } from './mysql-url.ts'
import { parseRedisUrl } from './redis-url.ts'
import { parseBaseUrl, parseCollectorUrl, parseEndpointUrl } from './web-url.ts'

/** Schemas of setting values, each with the message for an invalid value. */

export const wholeNumber = (min: number, max: number) =>
  z.coerce
    .number({ error: between(min, max) })
    .int({ error: between(min, max) })
    .min(min, between(min, max))
    .max(max, between(min, max))
export const number = (min: number, max: number) => {
  const error = `must be a number from ${min} to ${max}`
  return z.coerce.number({ error }).min(min, error).max(max, error)
}
const between = (min: number, max: number) => `must be a whole number from ${min} to ${max}`
export const choice = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, { error: `must be one of ${words.join(', ')}` })

/** Text that a parser accepts. The message for an invalid value is that of the error which the parser throws. */
const parsedBy = <T>(parse: (text: string) => T) =>
  z.string().transform((text, context) => {
    try {
      return parse(text)
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message })
      return z.NEVER
    }
  })

export const baseUrl = parsedBy(parseBaseUrl)
export const collectorUrl = parsedBy(parseCollectorUrl)

/** URL of a Redis server, as it is. */
export const redisUrl = parsedBy((text) => {
  parseRedisUrl(text)
  return text
})

/** URL of a MySQL server or cluster, as it is. It has to name a database. */
export const mysqlUrl = parsedBy((text) => {
  if (parseMysqlUrl(text)[0].database === '')
    throw new Error('must name a database, as in mysql://user@host:3306/odograph')
  return text
})

/** Comma-separated MySQL addresses. A comma inside an address separates the hosts of a cluster. */
export const mysqlUrls = z
  .string()
  .transform((text) => text.split(/,(?=mysql:)/).filter(Boolean))
  .pipe(z.array(mysqlUrl))

const isWeb = (text: string) => /^https?:$/.test(parseUrl(text)?.protocol ?? '')

export const isKey = (text: string): boolean =>
  z.base64().safeParse(text).success && Buffer.from(text, 'base64').length === 32

export const encryptionKeys = z
  .string()
  .transform((text) => text.split(',').filter(Boolean))
  .refine((keys) => keys.every(isKey), { message: 'must be comma-separated keys of 32 bytes in base64' })

/** Comma-separated name=URL pairs; the message shows `example`. */
const namedUrls = (example: string, parse: (text: string) => string) =>
  parsedBy((text) => {
    const pairs = text
      .split(',')
      .filter(Boolean)
      .map((pair) => pair.split(/=(.*)/s))
    const isValid = ([name = '', address = '']: string[]) => /^[a-z][a-z0-9_]*$/.test(name) && isWeb(address)
    const names = new Set(pairs.map(([name]) => name))
    if (!pairs.every(isValid) || names.size < pairs.length) throw new Error(`must be like ${example}`)
    return new Map(pairs.map(([name = '', address = '']) => [name, parseNamed(name, () => parse(address))]))
  })

function parseNamed(name: string, parse: () => string): string {
  try {
    return parse()
  } catch (error) {
    throw new Error(`the URL of ${name} ${(error as Error).message}`, { cause: error })
  }
}

export const subgraphUrls = namedUrls('fleet=http://host:port/graphql,records=…', parseEndpointUrl)

export const providerUrls = namedUrls('samsara=http://host:port,geotab=…', parseBaseUrl)

const range = z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()])

export const addressRanges = z
  .string()
  .transform((text) => text.split(',').flatMap((part) => part.trim() || []))
  .refine((parts) => parts.every((part) => range.safeParse(part).success), {
    message: 'must be comma-separated addresses or ranges, such as 10.1.0.0/16,fd00::/8,127.0.0.1',
  })

/** Whether a text is an origin as browsers send it, without a trailing slash. */
const isOrigin = (text: string): boolean => isWeb(text) && new URL(text).origin === text

export const origins = z
  .string()
  .transform((text) => text.split(',').filter(Boolean))
  .refine((texts) => texts.every((text) => text === '*' || isOrigin(text)), {
    message: 'must be comma-separated origins, such as https://app.example.com, or *',
  })

const secondsIn = { s: 1, min: 60, h: 3600 } as const

/** Request rates per provider: sandbox=10/s,samsara=600/min,geotab=5000/h. */
export const providerBudgets = z.string().transform((text, context) => {
  const budgets = new Map<string, { readonly requests: number; readonly perSeconds: number }>()
  for (const part of text.split(',').filter(Boolean)) {
    const [, provider, requests, unit] = /^([\w-]+)=([1-9]\d{0,6})\/(s|min|h)$/.exec(part.trim()) ?? []
    if (provider === undefined)
      context.addIssue({ code: 'custom', message: 'must be like sandbox=10/s,samsara=600/min' })
    else
      budgets.set(provider, {
        requests: Number(requests),
        perSeconds: secondsIn[unit as keyof typeof secondsIn],
      })
  }
  return budgets
})
