import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { toReadableLine } from '../../../src/platform/logging/readable-line.ts'

const readable = (line: object) => stripVTControlCharacters(toReadableLine(JSON.stringify(line)))

test('a readable line has time, level, message and fields', () => {
  const line = readable({ level: 40, time: Date.now(), msg: 'sync failed', connectionId: 'conn_1' })
  expect(line).toMatch(/^\[\d\d:\d\d:\d\d\] WARN: sync failed \{"connectionId":"conn_1"\}\n$/)
})

test('an error keeps the line breaks of its stack', () => {
  const line = readable({
    level: 50,
    time: 0,
    msg: 'failed',
    err: { type: 'Error', stack: 'Error: no\n at here' },
  })
  expect(line).toContain('Error: no\n')
  expect(line).toMatch(/\n +at here/)
})

test.each(['\u001b[2J', '\u009b2J', '\u0007', '\r', '\u007f'])(
  'no value can control the terminal: %j',
  (control) => {
    const plain = toReadableLine(
      JSON.stringify({ level: 30, time: 0, msg: 'm', err: { stack: 'x' }, f: 'x' }),
    )
    const seeded = toReadableLine(
      JSON.stringify({
        level: 30,
        time: 0,
        msg: `m${control}`,
        err: { stack: `x${control}` },
        f: `x${control}`,
      }),
    )
    const controls = (text: string) => text.match(/(?![\n\t])\p{Cc}/gu)
    expect(controls(seeded)).toEqual(controls(plain))
    expect(seeded.split(`u00${control.charCodeAt(0).toString(16).padStart(2, '0')}`)).toHaveLength(4)
  },
)
