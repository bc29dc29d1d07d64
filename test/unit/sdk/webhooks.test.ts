import { verifyWebhook, WebhookVerificationError } from '@odograph/client'
import { Webhook as Standard } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { newSigningSecret } from '../../../src/auth/keys.ts'
import { signatureHeaders } from '../../../src/webhooks/attempts/signature.ts'

type Headers = Readonly<Record<string, string>>

const secret = newSigningSecret()
const body = JSON.stringify({ id: 'evt_1', type: 'vehicle.added', detail: { name: 'Žluťoučký 🚚' } })
const seconds = () => Math.floor(Date.now() / 1000)
const signed = (at = seconds(), secrets = [secret], text = body) =>
  signatureHeaders(secrets, 'evt_1', at, text)

const only = (headers: Headers, set: string) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith(set)))

const ours = (headers: Headers, text = body, secrets: string | string[] = secret): Promise<boolean> =>
  verifyWebhook(headers, text, secrets).then(
    () => true,
    (error: unknown) => {
      expect(error).toBeInstanceOf(WebhookVerificationError)
      return false
    },
  )

function theirs(headers: Headers, text = body): boolean {
  try {
    new Standard(secret).verify(text, headers)
    return true
  } catch {
    return false
  }
}

const withSignature = (headers: Headers, change: (signature: string) => string): Headers => ({
  ...headers,
  'webhook-signature': change(headers['webhook-signature'] ?? ''),
})

const other = newSigningSecret()

/** Valid and invalid messages. The client and the standard library must agree on each. */
const messages: Readonly<Record<string, () => readonly [Headers, string, boolean]>> = {
  'a valid message': () => [signed(), body, true],
  'a message that is 4 minutes old': () => [signed(seconds() - 240), body, true],
  'a message that is 4 minutes ahead': () => [signed(seconds() + 240), body, true],
  'a message that is 6 minutes old': () => [signed(seconds() - 360), body, false],
  'a message that is 6 minutes ahead': () => [signed(seconds() + 360), body, false],
  'a changed body': () => [signed(), body.replace('added', 'moved'), false],
  'a body with an extra space': () => [signed(), `${body} `, false],
  'another id': () => [{ ...signed(), 'webhook-id': 'evt_2' }, body, false],
  'another time': () => [{ ...signed(), 'webhook-timestamp': String(seconds() + 1) }, body, false],
  'a foreign secret': () => [signed(seconds(), [other]), body, false],
  'signatures of two secrets': () => [signed(seconds(), [other, secret]), body, true],
  'no signature': () => [withSignature(signed(), () => ''), body, false],
  'a signature of another version': () => [
    withSignature(signed(), (one) => one.replace('v1,', 'v2,')),
    body,
    false,
  ],
  'a shortened signature': () => [withSignature(signed(), (one) => one.slice(0, 20)), body, false],
  'a signature without its version': () => [withSignature(signed(), (one) => one.slice(3)), body, false],
  'invalid base64': () => [withSignature(signed(), () => 'v1,~~~~'), body, false],
  'an invalid timestamp': () => [{ ...signed(), 'webhook-timestamp': 'today' }, body, false],
}

describe('a webhook', () => {
  test.each(Object.entries(messages))(
    '%s gets the same verdict as from the standard library',
    async (_, message) => {
      const [headers, text, isValid] = message()
      const standard = only(headers, 'webhook-')
      expect([await ours(standard, text), theirs(standard, text)]).toEqual([isValid, isValid])
    },
  )

  test.each(['webhook-', 'svix-'])('is verified by its %s headers only', async (set) => {
    expect(await verifyWebhook(only(signed(), set), body, secret)).toEqual(JSON.parse(body))
    expect(await ours(only(signed(), set), `${body} `)).toBe(false)
  })

  test('is verified with headers in any case or a Headers object, and a body of bytes', async () => {
    const upperCase = Object.fromEntries(
      Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), value]),
    )
    const bytes = new TextEncoder().encode(body)
    for (const headers of [upperCase, new Headers(signed())])
      expect(await verifyWebhook(headers, bytes, secret)).toEqual(JSON.parse(body))
  })

  test('is verified by any of several secrets, and fails with a reason', async () => {
    expect(await ours(signed(seconds(), [other]), body, [secret, other])).toBe(true)
    expect(await ours(signed(), body, [])).toBe(false)
    const reasonFor = (headers: Headers, text = body) =>
      verifyWebhook(headers, text, secret).catch((error: WebhookVerificationError) => error.reason)
    expect(await reasonFor({})).toBe('missing_headers')
    expect(await reasonFor(signed(seconds() - 360))).toBe('too_old')
    expect(await reasonFor(signed(seconds() + 360))).toBe('too_new')
    expect(await reasonFor(signed(), '{}')).toBe('wrong_signature')
    expect(await reasonFor(signed(seconds(), [secret], 'text'), 'text')).toBe('unreadable_body')
  })

  test('is verified with headers of one set, never of both', async () => {
    const mixed = { ...only(signed(), 'svix-'), 'webhook-id': 'evt_2' }
    expect(await ours(mixed)).toBe(true)
    const { 'webhook-signature': signature = '', ...others } = only(signed(), 'webhook-')
    expect(await ours({ ...others, 'svix-signature': signature })).toBe(false)
  })

  test('of a type that the client does not know is returned unchanged', async () => {
    const unknown = JSON.stringify({ id: 'evt_1', type: 'trip.planned', timestamp: '', detail: { trip: 1 } })
    const event = await verifyWebhook(signed(seconds(), [secret], unknown), unknown, secret)
    expect(JSON.stringify(event)).toBe(unknown)
  })

  test('throws a TypeError for an invalid secret', async () => {
    for (const invalid of ['whsec_', '', 'whsec_~~'])
      await expect(verifyWebhook(signed(), body, invalid)).rejects.toThrow(TypeError)
  })
})
