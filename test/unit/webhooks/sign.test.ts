import { Webhook as Standard } from 'standardwebhooks'
import { Webhook as Svix } from 'svix'
import { describe, expect, test } from 'vitest'
import { newSigningSecret } from '../../../src/auth/keys.ts'
import { redactSecretsByForm } from '../../../src/platform/logging/log.ts'
import { signatureHeaders } from '../../../src/webhooks/attempts/signature.ts'

const now = () => Math.floor(Date.now() / 1000)

const libraries = [
  ['standardwebhooks', (secret: string) => new Standard(secret)],
  ['svix', (secret: string) => new Svix(secret)],
] as const

const prefixes = { webhook: /^webhook-/, svix: /^svix-/ }

const named = (headers: Record<string, string>, prefix: RegExp) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => prefix.test(name)))

describe('a signature', () => {
  test('matches the published example', () => {
    const headers = signatureHeaders(
      ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      1_614_265_330,
      '{"test": 2432232314}',
    )
    const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
    expect(headers).toMatchObject({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': signature,
      'svix-signature': signature,
    })
  })

  describe.each(libraries)('for %s', (library, verifierOf) => {
    test.each(Object.entries(prefixes))('verifies by the %s headers', (name, prefix) => {
      if (library === 'standardwebhooks' && name === 'svix') return
      const secret = newSigningSecret()
      const body = JSON.stringify({ type: 'vehicle.added', detail: { name: 'Žluťoučký 🚚' } })
      const headers = named(signatureHeaders([secret], 'evt_1', now(), body), prefix)
      expect(verifierOf(secret).verify(body, headers)).toEqual(JSON.parse(body))
      expect(() => verifierOf(secret).verify(`${body} `, headers)).toThrow('No matching signature')
      expect(() => verifierOf(newSigningSecret()).verify(body, headers)).toThrow('No matching signature')
    })

    test('verifies with the old secret, with the new one, and with both during a rotation', () => {
      const [older, newer] = [newSigningSecret(), newSigningSecret()]
      const verifies = (secrets: string[], secret: string) => {
        try {
          verifierOf(secret).verify('{}', signatureHeaders(secrets, 'evt_1', now(), '{}'))
          return true
        } catch {
          return false
        }
      }
      const seen = [[older], [newer, older], [newer]].map((secrets) => [
        verifies(secrets, older),
        verifies(secrets, newer),
      ])
      expect(seen).toEqual([
        [true, false],
        [true, true],
        [false, true],
      ])
    })

    test('is refused when it is old', () => {
      const secret = newSigningSecret()
      const headers = signatureHeaders([secret], 'evt_1', now() - 600, '{}')
      expect(() => verifierOf(secret).verify('{}', headers)).toThrow('too old')
    })
  })

  test('is the same for a body as text or as bytes', () => {
    const secret = newSigningSecret()
    const text = signatureHeaders([secret], 'evt_1', 1, '{"a":"ž"}')
    expect(signatureHeaders([secret], 'evt_1', 1, Buffer.from('{"a":"ž"}'))).toEqual(text)
  })
})

describe('a signing secret', () => {
  test('is 32 unique bytes, and is redacted in logs', () => {
    const secrets = Array.from({ length: 100 }, newSigningSecret)
    expect(new Set(secrets).size).toBe(100)
    for (const secret of secrets) {
      expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32)
      expect(redactSecretsByForm(`made ${secret} now`)).toBe(`made ${secret.slice(0, 8)}… now`)
    }
  })
})
