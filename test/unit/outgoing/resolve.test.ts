import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createNameResolver } from '../../../src/platform/outbound-http/name-resolver.ts'

/** Answers of the test's name server: addresses, or an error number. Other names get no answer. */
const zone: Record<string, readonly string[] | number> = {
  'hooks.test': ['93.184.216.34', '10.0.0.1'],
  'lame.test': 2,
  'refused.test': 5,
  localhost: 3,
  'here.test': ['93.184.216.34'],
}

const server = createSocket('udp4')
let questions = 0

beforeAll(async () => {
  server.on('message', (question, { port, address }) => {
    questions++
    const answer = answerTo(question)
    if (answer) server.send(answer, port, address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
})

afterAll(() => server.close())

function answerTo(question: Buffer): Buffer | null {
  const labels: string[] = []
  let at = 12
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  const entry = zone[labels.join('.')]
  if (entry === undefined) return null
  const isFour = question.readUInt16BE(at + 1) === 1
  const found = typeof entry === 'object' && isFour ? entry : []
  const head = Buffer.from(question.subarray(0, 12))
  head.writeUInt16BE(0x8180 | (typeof entry === 'number' ? entry : 0), 2)
  head.writeUInt16BE(found.length, 6)
  head.writeUInt32BE(0, 8)
  const records = found.map((address) =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  )
  return Buffer.concat([head, question.subarray(12, at + 5), ...records])
}

const resolver = (hosts = '') => {
  const hostsFile = join(tmpdir(), `hosts-${process.pid}`)
  writeFileSync(hostsFile, hosts)
  return createNameResolver({ nameServers: [`127.0.0.1:${server.address().port}`], hostsFile })
}

describe('a host name', () => {
  test('resolves to every address from the name server', async () => {
    expect(await resolver()('hooks.test')).toEqual(['93.184.216.34', '10.0.0.1'])
  })

  test('is looked up once by concurrent calls, and again by a later call', async () => {
    const resolve = resolver()
    const before = questions
    await Promise.all(Array.from({ length: 50 }, () => resolve('hooks.test')))
    expect(questions - before).toBe(2)
    await resolve('hooks.test')
    expect(questions - before).toBe(4)
  })

  test('is resolved by the system if the name server does not know it', async () => {
    expect(await resolver()('localhost')).toContain('127.0.0.1')
  })

  test('in the hosts file is resolved by the system only', async () => {
    const before = questions
    await resolver('127.0.0.1 Here.test # by hand\n')('here.test').catch(() => null)
    expect(questions).toBe(before)
  })

  test.each([
    ['lame.test', 'ESERVFAIL'],
    ['refused.test', 'EREFUSED'],
    ['silent.test', 'ETIMEOUT'],
  ])('like %s fails without a delay for other names', async (name, code) => {
    const resolve = resolver()
    // The server does not answer for these names, which is the slowest failure.
    void Promise.allSettled(Array.from({ length: 20 }, (_, i) => resolve(`${i}.test`)))
    await expect(resolve(name)).rejects.toMatchObject({ code })
    expect(await resolve('hooks.test')).toHaveLength(2)
  })
})
