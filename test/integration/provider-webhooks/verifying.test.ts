import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { NotificationReader } from '../../../src/providers/webhook-notifications.ts'
import { notifications as motive } from '../../../src/providers/motive/webhook-notifications.ts'
import { notifications as samsara } from '../../../src/providers/samsara/webhook-notifications.ts'
import { notifications as sandbox } from '../../../src/providers/sandbox/webhook-notifications.ts'
import { notifications as traccar } from '../../../src/providers/traccar/webhook-notifications.ts'
import { NOW } from '../../support/harnesses/provider-webhooks-harness.ts'

const now = Date.parse(NOW)
const SECRET = Buffer.from('a secret of theirs').toString('base64')
const BODY = Buffer.from('{"eventId":"e-1","eventType":"VehicleUpdated"}')

const samsaraHeaders = (seconds: number | string, secret = SECRET, body = BODY) => ({
  'x-samsara-timestamp': String(seconds),
  'x-samsara-signature': `v1=${createHmac('sha256', Buffer.from(secret, 'base64')).update(`v1:${seconds}:`).update(body).digest('hex')}`,
})

const isGenuine = (
  reader: NotificationReader,
  headers: Record<string, string>,
  secret: string | null = SECRET,
  body = BODY,
) => reader.isGenuine({ headers, body }, secret, now)

describe('a message of Samsara', () => {
  const second = now / 1000

  test('is genuine if it is signed with the secret within five minutes', () => {
    expect(isGenuine(samsara, samsaraHeaders(second))).toBe(true)
    expect(isGenuine(samsara, samsaraHeaders(second - 300))).toBe(true)
    expect(isGenuine(samsara, samsaraHeaders(second + 300))).toBe(true)
    expect(isGenuine(samsara, samsaraHeaders(second - 301))).toBe(false)
    expect(isGenuine(samsara, samsaraHeaders(second + 301))).toBe(false)
  })

  test('is not genuine with another secret, body, time or signature', () => {
    const right = samsaraHeaders(second)
    expect(isGenuine(samsara, right, null)).toBe(false)
    expect(isGenuine(samsara, right, 'b3RoZXI=')).toBe(false)
    expect(isGenuine(samsara, right, SECRET, Buffer.from(`${BODY.toString()} `))).toBe(false)
    expect(isGenuine(samsara, { ...right, 'x-samsara-timestamp': String(second + 1) })).toBe(false)
    for (const time of ['', 'now', '-1', '1e9', 'NaN', '99999999999999999999'])
      expect([time, isGenuine(samsara, samsaraHeaders(time))]).toEqual([time, false])
    for (const name of Object.keys(right)) expect(isGenuine(samsara, { ...right, [name]: '' })).toBe(false)
    expect(isGenuine(samsara, {})).toBe(false)
    expect(
      isGenuine(samsara, { ...right, 'x-samsara-signature': right['x-samsara-signature'].slice(3) }),
    ).toBe(false)
  })
})

test('a message of Motive has the published signature', () => {
  const secret = ['8cbd43f9', '8ba1e33c', '28c9'].join('')
  const headers = { 'x-kt-webhook-signature': '5e1a966298ba4f3e91847aea8746198ca0530dd2' }
  const body = Buffer.from('{"action":"test"}')
  expect(isGenuine(motive, headers, secret, body)).toBe(true)
  expect(isGenuine(motive, headers, secret, BODY)).toBe(false)
  expect(isGenuine(motive, headers, `${secret}0`, body)).toBe(false)
  expect(isGenuine(motive, headers, null, body)).toBe(false)
  expect(isGenuine(motive, {}, secret, body)).toBe(false)
})

test('a message of Traccar carries the secret if one is set', () => {
  const headers = { authorization: 'Bearer a-secret' }
  expect(isGenuine(traccar, {}, null)).toBe(true)
  expect(isGenuine(traccar, headers, 'a-secret')).toBe(true)
  expect(isGenuine(traccar, headers, 'another')).toBe(false)
  expect(isGenuine(traccar, { authorization: 'a-secret' }, 'a-secret')).toBe(false)
  expect(isGenuine(traccar, {}, 'a-secret')).toBe(false)
})

test('a message of the sandbox is signed with the secret', () => {
  const headers = { 'x-sandbox-signature': createHmac('sha256', SECRET).update(BODY).digest('hex') }
  expect(isGenuine(sandbox, headers)).toBe(true)
  expect(isGenuine(sandbox, headers, null)).toBe(false)
  expect(isGenuine(sandbox, headers, 'another')).toBe(false)
})

test.each<[string, NotificationReader, object, unknown]>([
  ['samsara', samsara, { eventType: 'VehicleUpdated' }, 'records'],
  ['samsara', samsara, { eventType: 'NobodyKnowsIt' }, 'records'],
  ['samsara', samsara, { eventType: 'Ping' }, null],
  ['samsara', samsara, { eventType: 7 }, null],
  ['samsara', samsara, {}, null],
  ['motive', motive, { action: 'vehicle_location_updated' }, 'positions'],
  ['motive', motive, { action: 'vehicle_location_received', data: {} }, 'positions'],
  ['motive', motive, { action: 'fault_code_opened' }, 'records'],
  ['motive', motive, { action: 'test' }, null],
  ['motive', motive, {}, null],
  ['traccar', traccar, { position: {}, device: {} }, 'positions'],
  ['traccar', traccar, { event: { type: 'alarm' }, position: {} }, 'records'],
  ['traccar', traccar, { event: { type: 'deviceOnline' }, device: {} }, null],
  ['traccar', traccar, { position: null }, null],
  ['traccar', traccar, { event: 'alarm' }, null],
  ['sandbox', sandbox, { type: 'position' }, 'positions'],
  ['sandbox', sandbox, {}, 'records'],
])('a notification of %s is classified by its type', (_provider, reader, body, expected) => {
  expect(reader.readNotification(body as Record<string, unknown>)).toBe(expected)
})
