import type { IncomingMessage } from 'node:http'

/** Functions for a provider that echoes its requests. */

/** Returns the credentials of a request by name: its secrets, and the user name. */
export function credentialsIn({ headers }: IncomingMessage, body: string): Map<string, string> {
  const bearer = headers.authorization?.replace(/^\w+ +/, '')
  const credentials = new Map<string, string>()
  if (bearer) credentials.set(bearer, 'bearer')
  for (const [name, value] of membersOf(body)) if (NAMES.has(name)) credentials.set(value, name)
  return credentials
}

const NAMES = new Set(['user', 'password', 'refresh_token', 'code', 'code_verifier'])

function membersOf(body: string): [string, string][] {
  if (!body.startsWith('{')) return [...new URLSearchParams(body)]
  return Object.entries(JSON.parse(body) as Record<string, unknown>).map(([name, value]) => [
    name,
    String(value),
  ])
}

const UNICODE = 'to be escaped: '

/** Returns a secret in the encodings of a careless API. */
const encodingsOf = (secret: string): Record<string, unknown> => ({
  plain: `${secret} is known`,
  basic: `Basic ${Buffer.from(`someone:${secret}`).toString('base64')}`,
  token: Buffer.from(`${secret}:`).toString('base64url'),
  hex: Buffer.from(secret).toString('hex'),
  address: `https://api.example.com/v1?key=${encodeURIComponent(secret)}&page=2`,
  form: new URLSearchParams({ password: secret }).toString(),
  nested: JSON.stringify({ request: JSON.stringify({ secret }) }),
  escaped: UNICODE + secret,
  [`named ${secret}`]: true,
})

/** Adds the secrets of the request to a JSON response: at its top, in each record, and in record names. */
export function withEchoes(text: string, secrets: readonly string[]): string {
  const answer = JSON.parse(text) as Record<string, unknown>
  const echo = secrets.map(encodingsOf)
  const last = secrets.at(-1) ?? ''
  const { data } = answer
  const echoing = {
    ...withName(answer, last),
    ...(Array.isArray(data)
      ? { data: data.map((record: Record<string, unknown>) => ({ ...withName(record, last), echo })) }
      : {}),
    echo,
    message: `Authorization was ${secrets.join(', ')}`,
  }
  return JSON.stringify(echoing).replaceAll(
    new RegExp(`${UNICODE}((?:[^"\\\\]|\\\\.)*)`, 'g'),
    (_, secret: string) => unicode(JSON.parse(`"${secret}"`) as string),
  )
}

const withName = (record: Record<string, unknown>, secret: string): Record<string, unknown> => ({
  ...record,
  ...(typeof record['name'] === 'string' ? { name: `${record['name']} ${secret}` } : {}),
})

const unicode = (text: string): string =>
  Array.from(
    { length: text.length },
    (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')

/** Returns the response with malformed records. Their validation errors could quote the secrets. */
export function withMalformedRecords(text: string, secrets: readonly string[]): string {
  const answer = JSON.parse(text) as Record<string, unknown>
  const { data } = answer
  const spoil = { id: secrets, name: { [secrets.join(' ')]: secrets } }
  return JSON.stringify(
    Array.isArray(data) ? { ...answer, data: [...data.slice(1), spoil] } : { ...answer, id: secrets },
  )
}

/** Headers take ASCII characters only. */
export const echoHeaders = (secrets: readonly string[]): Record<string, string> => {
  const ascii = secrets.filter((secret) => /^[\x20-\x7e]+$/.test(secret))
  return {
    'x-echo': ascii.join(', '),
    'x-echo-basic': secrets.map((secret) => Buffer.from(`u:${secret}`).toString('base64')).join(', '),
    'x-echo-address': secrets.map((secret) => encodeURIComponent(secret)).join(', '),
    link: `<https://api.example.com/?key=${encodeURIComponent(secrets[0] ?? '')}>; rel="next"`,
    'www-authenticate': `Bearer realm="${ascii.join(', ').replaceAll(/["\\]/g, '')}"`,
  }
}
