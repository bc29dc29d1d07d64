import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dialects } from '../../../support/factories.ts'
import { PassthroughHarness } from '../../../support/providers/passthrough/passthrough-harness.ts'

type Asked = [method: string, path: string, body?: string, headers?: object]

interface Provider {
  readonly provider: string
  /** Where it tells or makes what opens the account, or what of the account is shown to anybody. */
  readonly secret: readonly Asked[]
  readonly signsIn: readonly Asked[]
  readonly open: readonly Asked[]
}

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const HIDDEN = '{"a": "&password=another&b="}'

/** A path as it may be written so that a server still finds it, and whoever compares texts does not. */
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
      ...disguised('/webhooks', 'webhooks').map((path): Asked => ['GET', path]),
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
      ...disguised('/v1/company_webhooks', 'company_webhooks').map((path): Asked => ['GET', path]),
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

describe.each(cases)('what is passed to $provider, on $dialect', ({ provider, dialect, ...asked }) => {
  let passing: PassthroughHarness

  beforeAll(async () => void (passing = await PassthroughHarness.start(provider, dialect)))
  afterAll(() => passing[Symbol.asyncDispose]())
  beforeEach(() => passing.forget())

  test.each<Asked>(asked.secret)(
    'is refused where secrets of the account are told: %s %s',
    async (...one) => {
      expect(await passing.pass(...one)).toMatchObject({
        payload: null,
        code: 'UNPROCESSABLE_ENTITY',
        message: expect.stringContaining('webhooks'),
      })
      expect(passing.heard).toEqual([])
    },
  )

  test.each<Asked>(asked.signsIn)('is refused where it may set a password: %s %s %s', async (...one) => {
    expect(await passing.pass(...one)).toMatchObject({
      payload: null,
      code: 'UNPROCESSABLE_ENTITY',
      message: expect.stringContaining('password'),
    })
    expect(passing.heard).toEqual([])
  })

  test.each<Asked>(asked.open)('is sent where it does neither: %s %s', async (...one) => {
    expect(await passing.pass(...one)).toMatchObject({ code: null })
    const [method, path, body = ''] = one
    expect(passing.heard.map((heard) => [heard.method, heard.url, heard.body])).toEqual([
      [method, path, body],
    ])
  })
})
