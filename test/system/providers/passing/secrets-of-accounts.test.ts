import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dialects } from '../../../support/factories.ts'
import { PassthroughHarness } from '../../../support/providers/passthrough/passthrough-harness.ts'

type Call = [method: string, path: string, body?: string, headers?: object]

interface Provider {
  readonly provider: string
  /** Requests that return or create credentials of the account, or share its data publicly. */
  readonly secret: readonly Call[]
  readonly signsIn: readonly Call[]
  readonly open: readonly Call[]
}

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const HIDDEN = '{"a": "&password=another&b="}'

/** Returns spellings of a path that a server still accepts, and a text comparison misses. */
const disguised = (path: string, word: string): readonly string[] => {
  const escaped = `%${word.charCodeAt(0).toString(16)}${word.slice(1)}`
  const at = (other: string) => path.replace(word, other)
  return [
    `${path}/`,
    `${path}?limit=1`,
    at(word.toUpperCase()),
    at(escaped),
    at(escaped.replace('%', '%25')),
    `/fleet/${path}`,
    at(`.%2f${word}`),
    at(`${word};v=1`),
    at(`${word}%3Bv=1`),
    at(`${word}%3Fa`),
    at(`${word}%23a`),
    at(`${word}.json`),
    at(`${word}%2Ejson`),
    at(`${word}.`),
    at(`${word}%20`),
    at(`${word}%00`),
    at(`${word}%00.txt`),
    `/fleet/%252e%252e${path}`,
    `/fleet/%5C${word}`,
    `${path}/%E0%A4%A`,
  ]
}

const providers: readonly Provider[] = [
  {
    provider: 'samsara',
    secret: [
      ['GET', '/webhooks/1'],
      ['POST', '/webhooks', '{"name": "theirs", "url": "https://elsewhere.example"}'],
      ['PATCH', '/webhooks/1', '{"name": "another"}'],
      ['DELETE', '/webhooks/1'],
      ['GET', '/webhooks'],
      ...disguised('/webhooks', 'webhooks').map((path): Call => ['GET', path]),
      ['POST', '/oauth2/token'],
      ['POST', '/oauth2/revoke'],
      ['GET', '/OAuth2/authorize'],
      ['POST', '/fleet/drivers/auth-token', '{"driverId": 1, "code": "theirs"}'],
      ['POST', '/preview/fleet/drivers/create-auth-token', '{"id": 1, "code": "theirs"}'],
      ['GET', '/drivers/qr-codes?driverIds=1'],
      ['POST', '/drivers/qr-codes', '{"driverId": 1}'],
      ['GET', '/live-shares'],
      ['POST', '/live-shares', '{"type": "assetsLocation"}'],
    ],
    signsIn: [
      ['PATCH', '/fleet/drivers/1', '{"password": "another"}'],
      ['PATCH', '/Fleet/Drivers/1/', '{"passw\\u006frd": "another"}'],
      ['POST', '/fleet/%64rivers', '{"name": "Ann", "username": "ann", "password": "theirs"}'],
      ['PATCH', '/fleet/drivers/1', '[{"password": "another"}]'],
      ['PATCH', '/fleet/drivers/1', '{"name": "Ann", /* theirs */ "password": "another"}'],
    ],
    open: [
      ['GET', '/fleet/vehicles?limit=1'],
      ['GET', '/fleet/vehicles/webhooks-truck'],
      ['GET', '/fleet/drivers?tagIds=webhooks'],
      ['GET', '/me'],
      ['PATCH', '/fleet/drivers/1', '{"name": "Ann Lee"}'],
      ['POST', '/tags', '{"name": "password"}'],
    ],
  },
  {
    provider: 'motive',
    secret: [
      ['GET', '/v1/company_webhooks'],
      ['GET', '/v1/company_webhooks/7'],
      ['GET', '/v2/company_webhooks/7'],
      ['POST', '/v1/company_webhooks', '{"url": "https://elsewhere.example", "secret": "theirs"}'],
      ['PUT', '/v1/company_webhooks/7', '{"secret": "theirs"}'],
      ['DELETE', '/v1/company_webhooks/7'],
      ...disguised('/v1/company_webhooks', 'company_webhooks').map((path): Call => ['GET', path]),
      ['GET', '/v1/company%5Fwebhooks'],
      ['POST', '/oauth/token'],
      ['POST', '/oauth/revoke'],
      ['GET', '/oauth/authorize'],
      ['GET', '/OAUTH/token/info'],
    ],
    signsIn: [
      ['POST', '/v1/users', '{"first_name": "Ann", "role": "admin", "password": "theirs"}'],
      ['PUT', '/v1/users/7', '{"user": {"password": "another"}}'],
      ['PUT', '/v1/users/7.json', '{"Password": "another"}'],
      ['PUT', '/v1/users/7', 'password=another', FORM],
      ['PUT', '/v1/users/7', HIDDEN, FORM],
      ['PUT', '/v1/users/7', HIDDEN, { 'content-type': 'text/plain' }],
      ['PUT', '/v1/users/7?password=another'],
      ['PUT', '/v1/users/7?a=b;user%5Bpassword%5D=another', '{}'],
      ['POST', '/v1/users?%70assword=theirs', '{"first_name": "Ann"}'],
      ['PUT', '/v1/users.xml', '<user><password>another</password></user>'],
    ],
    open: [
      ['GET', '/v1/vehicles?per_page=1'],
      ['GET', '/v1/users?name=password'],
      ['GET', '/v1/companies'],
      ['PUT', '/v1/users/7', '{"first_name": "Ann"}', { 'content-type': 'application/json; charset=utf-8' }],
      ['PUT', '/v1/vehicles/7', 'notes=password', FORM],
    ],
  },
]

const cases = providers.flatMap((one) => dialects.map((dialect) => ({ ...one, dialect })))

describe.each(cases)(
  'a passthrough request to $provider, on $dialect',
  ({ provider, dialect, ...requested }) => {
    let passing: PassthroughHarness

    beforeAll(async () => void (passing = await PassthroughHarness.start(provider, dialect)))
    afterAll(() => passing[Symbol.asyncDispose]())
    beforeEach(() => passing.forget())

    test.each<Call>(requested.secret)(
      'is refused if it returns secrets of the account: %s %s',
      async (...one) => {
        expect(await passing.pass(...one)).toMatchObject({
          payload: null,
          code: 'UNPROCESSABLE_ENTITY',
          message: expect.stringContaining('webhooks'),
        })
        expect(passing.heard).toEqual([])
      },
    )

    test.each<Call>(requested.signsIn)('is refused if it can set a password: %s %s %s', async (...one) => {
      expect(await passing.pass(...one)).toMatchObject({
        payload: null,
        code: 'UNPROCESSABLE_ENTITY',
        message: expect.stringContaining('password'),
      })
      expect(passing.heard).toEqual([])
    })

    test.each<Call>(requested.open)('is sent if it does neither: %s %s', async (...one) => {
      expect(await passing.pass(...one)).toMatchObject({ code: null })
      const [method, path, body = ''] = one
      expect(passing.heard.map((heard) => [heard.method, heard.url, heard.body])).toEqual([
        [method, path, body],
      ])
    })
  },
)
